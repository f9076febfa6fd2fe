/**
 * The tables of the records as types, in one file because they are one schema, which Kysely checks every statement against; migrations/ creates them.
 * Integers are 64 bits wide and arrive as bigint from both databases; lists and objects are JSON text; null is unset.
 */
import type { Generated, Insertable, Selectable } from 'kysely'

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

interface AnnotationsTable {
  id: string
  /** The names as JSON, in the given order. */
  datasets: string
  time_ns: bigint
  end_time_ns: bigint | null
  /** The end of a span, or the time of a point; lists filter by it. */
  until_ns: bigint
  title: string | null
  description: string | null
  type: string
  url: string | null
  created_at_ms: bigint
  /** The id of the token, monitor or integration that created it. */
  created_by: string
  /** A hash over caller and Idempotency-Key, or over the Annotation-Key, which has no caller and does not expire. */
  repeat_key: string | null
  /** A hash over the content of the create; empty with an Annotation-Key. */
  repeat_payload: string | null
  /** 1 for one that goes on until it has an end. */
  is_open: bigint
  /** Service, environment, version and tags as JSON, where they were given. */
  tags: string | null
  verdict: string | null
  /** What the verdict is made of, as JSON. */
  verdict_details: string | null
  /** When it is judged next; null where that is over, or never was to be. */
  judge_at_ms: bigint | null
  /** 1 if the last notification said `worse`. */
  told_worse: Generated<bigint>
}

/** The annotations of each dataset, derived from `annotations.datasets`. */
interface AnnotationDatasetsTable {
  dataset: string
  annotation_id: string
}

interface DatasetsTable {
  /** The table of its events. */
  table_name: string
  name: string
  description: string
  created_at_ms: bigint
  updated_at_ms: bigint
  created_by: string
  /** 0 keeps events forever. */
  retention_days: bigint
  kind: string
  /** Empty if none was given. */
  edge_deployment: string
  /** The names of the fields as JSON. */
  map_fields: string
  /** The definitions of computed fields as JSON. */
  virtual_fields: string
  /** `new`: the name is reserved, and the table of events may not exist yet; otherwise `live`. */
  state: string
  /** The version of the catalog at the last change of this row or of its fields. */
  version: bigint
}

interface DatasetFieldsTable {
  table_name: string
  name: string
  /** The types as bits. */
  types: bigint
  /** The same as `datasets.version`. */
  version: bigint
}

/** The columns and indexes of a table of events by field. */
interface FieldLayoutsTable {
  table_name: string
  field: string
  /** The kind of column or index; '' if it was removed. */
  kind: string
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

/** Webhooks that an integration received. */
interface DeliveriesTable {
  /** Ids sort by time. */
  id: string
  integration: string
  at_ms: bigint
  outcome: string
  /** The id that the platform gave the deployment. */
  deployment: string | null
  annotation: string | null
  reason: string | null
}

interface DeploymentsTable {
  integration: string
  /** The id that the platform gave it. */
  deployment: string
  annotation: string
  /** The known facts from its webhooks as JSON. */
  known: string
  /** `shown`, or `gone`: a person deleted its annotation, which is not created again. */
  state: string
  created_at_ms: bigint
}

interface IngestRequestsTable {
  id: string
  /** A hash over token, dataset and Idempotency-Key; null if no key was sent. */
  key: string | null
  /** A hash over body and options. */
  payload: string
  /** `storing` or `done`. */
  state: string
  /** The table of the dataset. */
  table_name: string
  /** The table in which the rows of a large request wait. */
  staging_table: string | null
  /** Identifies the rows: all rows of the request have this `_sysTime`, and no others. */
  sys_time_ns: bigint
  first_time_ns: bigint
  last_time_ns: bigint
  rows: bigint
  /** The answer as JSON text. */
  result: string
  /** The service that stores the rows; see leases.ts. */
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
  /** JSON. */
  rules: string
  /** JSON. */
  mapping: string | null
  encrypted_secret: string
  /** RFC 3339. */
  created_at: string
  /** JSON; null: all datasets. */
  reach: string | null
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

/** The times when monitors triggered and recovered. */
interface MonitorAlertsTable {
  monitor_id: string
  /** The id of the annotation. */
  check_id: string
  /** `open` or `closed`. */
  state: string
  at_ms: bigint
  /** The name that the monitor had then, with the group if there is one. */
  name: string
}

interface MonitorsTable {
  id: string
  /** Every change and every run raises it. */
  version: bigint
  created_at_ms: bigint
  created_by: string
  /** The definition as JSON. */
  definition: string
  /** A copy from the definition, as the next column is, for the statements that find due monitors. */
  disabled: bigint
  /** 0 if there is no such time. */
  disabled_until_ms: bigint
  interval_ms: bigint
  next_run_ms: bigint
  /** The rest of the state as JSON. */
  state: string
}

interface NotifiersTable {
  id: string
  /** The member of its properties. */
  kind: string
  /** Its name, and what it is told, as JSON. */
  definition: string
  /** Its properties and its signing secret. */
  encrypted_target: string
  /** The id of the token that sent the properties. */
  target_by: string
  created_at_ms: bigint
  created_by: string
  updated_at_ms: bigint
}

/** Messages for notifiers: those that wait, and the last that do not. */
interface OutboxTable {
  /** It stays the same over all tries. */
  id: string
  /** In the order in which the transactions that wrote the messages ended. */
  seq: bigint
  notifier: string
  /** The id of the annotation; messages about one are delivered one after the other. */
  subject: string
  /** What is told, as JSON. */
  notice: string
  /** `waiting`, `delivered`, `failed` or `skipped`. */
  state: string
  attempts: bigint
  due_at_ms: bigint
  first_try_ms: bigint | null
  last_try_ms: bigint | null
  /** A time on the clock of the database: until then only the holder delivers it. */
  claimed_until_ms: bigint
  /** The service that delivers it. */
  holder: string | null
  error: string | null
}

interface SavedQueriesTable {
  id: string
  kind: string
  dataset: string
  /** The body of the request as JSON. */
  query: string
  /** The id of the token that created it. */
  created_by: string
  created_at_ms: bigint
}

interface SavedViewsTable {
  id: string
  /** It begins at 1, and every change raises it. */
  version: bigint
  /** The name and the content of the view as JSON. */
  definition: string
  /** The id of the token that created it. */
  created_by: string
  created_at_ms: bigint
  updated_at_ms: bigint
}

/** Versions that events of a dataset carried, each of a service in an environment; empty where events say neither. */
interface SeenVersionsTable {
  table_name: string
  service: string
  environment: string
  version: string
  /** The time of its first event. */
  first_ns: bigint
  /** The time of an event that is among its last ones: it is written now and then. */
  last_ns: bigint
  /** The same as `first_ns`: programs before this one read it. */
  since_ns: bigint
  /** The annotation that was made of it. */
  annotation: string | null
}

/** Single values by name. */
interface SettingsTable {
  name: string
  value: string
}

interface TokensTable {
  id: string
  name: string
  /** Empty if there is none. */
  description: string
  kind: string
  /** JSON. */
  permissions: string
  /** The capabilities as JSON; null if the permissions apply to all datasets. */
  capabilities: string | null
  /** Null if it never expires. */
  expires_at_ms: bigint | null
  sha256: string
  /** RFC 3339. */
  created_at: string
}

/** How often each kind of cached record was changed. */
interface VersionsTable {
  kind: string
  version: bigint
}

export type AnnotationRow = Selectable<AnnotationsTable>
export type NewAnnotationRow = Insertable<AnnotationsTable>
