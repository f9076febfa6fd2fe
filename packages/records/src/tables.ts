/**
 * The tables of the records as types, in the words of migrations/: what Kysely checks every statement against.
 * Integers are 64 bits wide and arrive as bigint from both databases; lists and objects are JSON text; null is unset.
 */
import type { Insertable, Selectable } from 'kysely'

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
  saved_queries: SavedQueriesTable
  saved_views: SavedViewsTable
  settings: SettingsTable
  tokens: TokensTable
  versions: VersionsTable
}

interface AnnotationsTable {
  id: string
  /** JSON: names in the order in which they were given. */
  datasets: string
  time_ns: bigint
  end_time_ns: bigint | null
  /** The end of the span, or the time of a point: what lists filter by. */
  until_ns: bigint
  title: string | null
  description: string | null
  type: string
  url: string | null
  created_at_ms: bigint
  /** Id of the token, of the monitor, or of the integration. */
  created_by: string
  /** Hash over caller and Idempotency-Key, or over the Annotation-Key, which has no caller and does not expire. */
  repeat_key: string | null
  /** Hash over what was asked for; empty with an Annotation-Key. */
  repeat_payload: string | null
}

/** Which annotations a dataset has; follows from `annotations.datasets`. */
interface AnnotationDatasetsTable {
  dataset: string
  annotation_id: string
}

interface DatasetsTable {
  /** Table of its events. */
  table_name: string
  name: string
  description: string
  created_at_ms: bigint
  updated_at_ms: bigint
  created_by: string
  /** 0: forever. */
  retention_days: bigint
  kind: string
  /** Empty where none was given. */
  edge_deployment: string
  /** JSON: names of fields. */
  map_fields: string
  /** JSON: definitions of fields that are computed. */
  virtual_fields: string
  /** `new`: its name is taken, and its table of events may not be there yet; `live`. */
  state: string
  /** The version of the catalogue at the last change of this row or of its fields. */
  version: bigint
}

interface DatasetFieldsTable {
  table_name: string
  name: string
  /** Bits, see the types of fields. */
  types: bigint
  /** As `datasets.version`. */
  version: bigint
}

/** What a table of events keeps of a field beside the events. */
interface FieldLayoutsTable {
  table_name: string
  field: string
  /** Which kind; '' where it is no longer kept. */
  kind: string
  /** As `datasets.version`. */
  version: bigint
}

/** Tables of events whose dataset is gone: other services are told by it, and the table is dropped by the holder of the lease. */
interface DroppedTablesTable {
  table_name: string
  name: string
  dropped_at_ms: bigint
  version: bigint
}

/** Webhooks that an integration received. */
interface DeliveriesTable {
  /** Sorts by time. */
  id: string
  /** Id of the integration. */
  integration: string
  at_ms: bigint
  outcome: string
  /** The platform's id of the deployment. */
  deployment: string | null
  /** Id of its annotation. */
  annotation: string | null
  reason: string | null
}

interface DeploymentsTable {
  /** Id of the integration. */
  integration: string
  /** The platform's id. */
  deployment: string
  /** Id of its annotation. */
  annotation: string
  /** JSON: what its events said. */
  known: string
  /** `shown`, or `gone`: a person deleted its annotation, and it stays deleted. */
  state: string
  created_at_ms: bigint
}

interface IngestRequestsTable {
  id: string
  /** Hash over token, dataset and Idempotency-Key; null: none was sent. */
  key: string | null
  /** Hash over body and options. */
  payload: string
  /** `storing`, `done`. */
  state: string
  /** Table of the dataset. */
  table_name: string
  /** Table in which the rows wait, for a large request. */
  staging_table: string | null
  /** What all rows of the request have in `_sysTime`, and no others. */
  sys_time_ns: bigint
  first_time_ns: bigint
  last_time_ns: bigint
  rows: bigint
  /** The answer, as JSON text. */
  result: string
  /** The service that stores it; see leases. */
  holder: string
  created_at_ms: bigint
}

interface IntegrationsTable {
  id: string
  platform: string
  name: string
  /** JSON. */
  datasets: string
  type: string
  title: string
  /** JSON. */
  environments: string
  encrypted_secret: string
  /** RFC 3339. */
  created_at: string
}

interface LeasesTable {
  name: string
  /** Random; names one run of one service. */
  holder: string
  /** By the database's clock. */
  expires_at_ms: bigint
  /** Of a node number: the highest time that ids of events may have been made with. */
  mark_ms: bigint
}

/** When a monitor triggered and recovered. */
interface MonitorAlertsTable {
  monitor_id: string
  /** Id of the annotation. */
  check_id: string
  /** `open`, `closed`. */
  state: string
  at_ms: bigint
  /** The monitor's name then, and the group where there is one. */
  name: string
}

interface MonitorsTable {
  id: string
  /** Raised by every change and every run. */
  version: bigint
  created_at_ms: bigint
  created_by: string
  /** JSON: what it is told to do. */
  definition: string
  /** As the definition says, and the next one: for statements that look for what is due. */
  disabled: bigint
  /** 0: it is not. */
  disabled_until_ms: bigint
  interval_ms: bigint
  /** The next instant of its grid. */
  next_run_ms: bigint
  /** JSON: what else it has found so far. */
  state: string
}

interface SavedQueriesTable {
  id: string
  kind: string
  dataset: string
  /** JSON: the body of the request. */
  query: string
  /** Id of the token. */
  created_by: string
  created_at_ms: bigint
}

/** What pages of charts show, under a name. */
interface SavedViewsTable {
  id: string
  /** Raised by every change; 1 at first. */
  version: bigint
  /** JSON: the name, and what is shown. */
  definition: string
  /** Id of the token. */
  created_by: string
  created_at_ms: bigint
  updated_at_ms: bigint
}

/** What there is one of. */
interface SettingsTable {
  name: string
  value: string
}

interface TokensTable {
  id: string
  name: string
  /** Empty: none. */
  description: string
  kind: string
  /** JSON. */
  permissions: string
  /** JSON; null: what the permissions say, for all datasets. */
  capabilities: string | null
  /** Null: never. */
  expires_at_ms: bigint | null
  sha256: string
  /** RFC 3339. */
  created_at: string
}

/** How often each kind of record that services keep in memory was changed. */
interface VersionsTable {
  kind: string
  version: bigint
}

export type AnnotationRow = Selectable<AnnotationsTable>
export type NewAnnotationRow = Insertable<AnnotationsTable>
