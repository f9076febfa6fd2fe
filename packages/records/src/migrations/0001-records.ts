/**
 * Creates the tables of the records, with the same statements for SQLite and PostgreSQL. `bigint` is a 64-bit integer in both.
 */
import { type Kysely, type SchemaModule, sql } from 'kysely'
import {
  createIndex,
  createTable,
  integers,
  integersBy,
  key,
  keyOf,
  optionalIntegers,
  optionalTexts,
  optionalUniqueTexts,
  owners,
  texts,
  textsBy,
  uniqueTexts,
} from './columns.ts'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await createAnnotations(schema)
  await createDatasets(schema)
  await createIngestRequests(schema)
  await createAutomations(schema)
  await createSaved(schema)
  await createSharedState(schema)
}

async function createAnnotations(schema: SchemaModule): Promise<void> {
  await createTable(
    schema,
    'annotations',
    key('id'),
    texts('datasets', 'type', 'created_by'),
    integers('time_ns', 'until_ns', 'created_at_ms'),
    optionalIntegers('end_time_ns'),
    optionalTexts('title', 'description', 'url'),
    optionalUniqueTexts('repeat_key'),
    optionalTexts('repeat_payload'),
    (table) =>
      table.addCheckConstraint('annotations_span', sql`until_ns >= time_ns and until_ns = coalesce(end_time_ns, time_ns)`),
  )
  await createIndex(schema, 'annotations_by_time', 'time_ns', 'id')
  await createTable(
    schema,
    'annotation_datasets',
    texts('dataset'),
    owners('annotations.id')('annotation_id'),
    keyOf('annotation_datasets_key', 'annotation_id', 'dataset'),
  )
  await createIndex(schema, 'annotation_datasets_by_dataset', 'dataset', 'annotation_id')
}

async function createDatasets(schema: SchemaModule): Promise<void> {
  await createTable(
    schema,
    'datasets',
    key('table_name'),
    uniqueTexts('name'),
    texts('description', 'created_by', 'state'),
    integers('created_at_ms', 'updated_at_ms', 'retention_days', 'version'),
    textsBy('axiom:events:v1')('kind'),
    textsBy('')('edge_deployment'),
    textsBy('[]')('map_fields', 'virtual_fields'),
  )
  await createIndex(schema, 'datasets_by_version', 'version')
  const ofDataset = owners('datasets.table_name')('table_name')
  const fieldKey = keyOf('dataset_fields_key', 'table_name', 'name')
  await createTable(schema, 'dataset_fields', ofDataset, texts('name'), integers('types', 'version'), fieldKey)
  await createIndex(schema, 'dataset_fields_by_version', 'version')
  const layoutKey = keyOf('field_layouts_key', 'table_name', 'field')
  await createTable(schema, 'field_layouts', ofDataset, texts('field', 'kind'), integers('version'), layoutKey)
  await createIndex(schema, 'field_layouts_by_version', 'version')
}

async function createIngestRequests(schema: SchemaModule): Promise<void> {
  await createTable(schema, 'dropped_tables', key('table_name'), texts('name'), integers('dropped_at_ms', 'version'))
  await createTable(
    schema,
    'ingest_requests',
    key('id'),
    optionalUniqueTexts('key'),
    texts('payload', 'state', 'table_name', 'result', 'holder'),
    optionalTexts('staging_table'),
    integers('sys_time_ns', 'first_time_ns', 'last_time_ns', 'rows', 'created_at_ms'),
  )
  await createIndex(schema, 'ingest_requests_by_state', 'state', 'created_at_ms')
}

async function createAutomations(schema: SchemaModule): Promise<void> {
  await createTable(
    schema,
    'monitors',
    key('id'),
    integers('version', 'created_at_ms', 'disabled', 'interval_ms', 'next_run_ms'),
    texts('created_by', 'definition', 'state'),
    integersBy(0)('disabled_until_ms'),
  )
  await createIndex(schema, 'monitors_by_next_run', 'disabled', 'next_run_ms')
  await createTable(
    schema,
    'monitor_alerts',
    owners('monitors.id')('monitor_id'),
    texts('check_id', 'state', 'name'),
    integers('at_ms'),
    keyOf('monitor_alerts_key', 'monitor_id', 'check_id', 'state'),
  )
  await createIndex(schema, 'monitor_alerts_by_time', 'monitor_id', 'at_ms')
  const textsOfIntegrations = ['platform', 'name', 'datasets', 'type', 'title', 'environments', 'encrypted_secret', 'created_at']
  await createTable(schema, 'integrations', key('id'), texts(...textsOfIntegrations))
  // The integration is not a foreign key, because its deployments stay known after it is removed.
  await createTable(
    schema,
    'deployments',
    texts('integration', 'deployment', 'annotation', 'known', 'state'),
    integers('created_at_ms'),
    keyOf('deployments_key', 'integration', 'deployment'),
  )
  const about = optionalTexts('deployment', 'annotation', 'reason')
  await createTable(schema, 'deliveries', key('id'), texts('integration', 'outcome'), integers('at_ms'), about)
  await createIndex(schema, 'deliveries_by_integration', 'integration', 'id')
}

async function createSaved(schema: SchemaModule): Promise<void> {
  const queryTexts = texts('kind', 'dataset', 'query', 'created_by')
  await createTable(schema, 'saved_queries', key('id'), queryTexts, integers('created_at_ms'))
  await createIndex(schema, 'saved_queries_by_time', 'created_at_ms', 'id')
  const times = integers('created_at_ms', 'updated_at_ms')
  await createTable(schema, 'saved_views', key('id'), texts('definition', 'created_by'), times, integersBy(1)('version'))
}

async function createSharedState(schema: SchemaModule): Promise<void> {
  await createTable(
    schema,
    'tokens',
    key('id'),
    texts('name', 'kind', 'permissions', 'created_at'),
    uniqueTexts('sha256'),
    textsBy('')('description'),
    optionalTexts('capabilities'),
    optionalIntegers('expires_at_ms'),
  )
  await createTable(schema, 'leases', key('name'), texts('holder'), integers('expires_at_ms', 'mark_ms'))
  await createTable(schema, 'versions', key('kind'), integers('version'))
  await createTable(schema, 'settings', key('name'), texts('value'))
}
