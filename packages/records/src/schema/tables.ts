/**
 * The tables of the records as types: one schema, which Kysely checks every statement against. The files beside this one have the rows that
 * are read as records; migrations/ creates the tables.
 */
import type { AnnotationsTable } from './annotations.ts'
import type { DatasetsTable, FieldLayoutsTable, IngestRequestsTable, SeenVersionsTable } from './datasets.ts'
import type { DeliveriesTable, DeploymentsTable, IntegrationsTable } from './integrations.ts'
import type { MonitorAlertsTable, MonitorsTable } from './monitors.ts'
import type { NotifiersTable, OutboxTable } from './notifiers.ts'
import type { SavedQueriesTable, SavedViewsTable } from './saved.ts'
import type { TokensTable } from './tokens.ts'

export interface Tables {
  annotations: AnnotationsTable
  annotation_datasets: AnnotationDatasetsTable
  datasets: DatasetsTable
  dataset_fields: DatasetFieldsTable
  dropped_tables: DroppedTablesTable
  field_layouts: FieldLayoutsTable
  deliveries: DeliveriesTable
  deployments: DeploymentsTable
  ingest_requests: IngestRequestsTable
  integrations: IntegrationsTable
  leases: LeasesTable
  monitor_alerts: MonitorAlertsTable
  monitors: MonitorsTable
  notifiers: NotifiersTable
  outbox: OutboxTable
  saved_queries: SavedQueriesTable
  saved_views: SavedViewsTable
  seen_versions: SeenVersionsTable
  settings: SettingsTable
  tokens: TokensTable
  versions: VersionsTable
}

/** The annotations of each dataset, derived from `annotations.datasets`. */
interface AnnotationDatasetsTable {
  dataset: string
  annotation_id: string
}

interface DatasetFieldsTable {
  table_name: string
  name: string
  /** The types as bits. */
  types: bigint
  /** The same as `datasets.version`. */
  version: bigint
}

/** The tables of removed datasets. Other services learn of the removal from here, and the holder of the lease drops the table. */
interface DroppedTablesTable {
  table_name: string
  name: string
  dropped_at_ms: bigint
  version: bigint
}

interface LeasesTable {
  name: string
  /** A random text that identifies one run of one service. */
  holder: string
  /** A time on the clock of the database. */
  expires_at_ms: bigint
  /** For a node number, the highest time that ids of events may have been made with. */
  mark_ms: bigint
}

/** Single values by name. */
interface SettingsTable {
  name: string
  value: string
}

/** How often each kind of cached record was changed. */
interface VersionsTable {
  kind: string
  version: bigint
}
