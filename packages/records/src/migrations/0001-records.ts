/**
 * Creates the tables of the records, with the same statements for SQLite and PostgreSQL. `bigint` is a 64-bit integer in both.
 */
import { type Kysely, sql } from 'kysely'
import { integers, texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createAnnotations(db)
  await createDatasets(db)
  await createIngestRequests(db)
  await createAutomations(db)
  await createSaved(db)
  await createSharedState(db)
}

async function createAnnotations({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('annotations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(texts('datasets', 'type', 'created_by'))
    .$call(integers('time_ns', 'until_ns', 'created_at_ms'))
    .addColumn('end_time_ns', 'bigint')
    .addColumn('title', 'text')
    .addColumn('description', 'text')
    .addColumn('url', 'text')
    .addColumn('repeat_key', 'text', (c) => c.unique())
    .addColumn('repeat_payload', 'text')
    .addCheckConstraint('annotations_span', sql`until_ns >= time_ns and until_ns = coalesce(end_time_ns, time_ns)`)
    .execute()
  await schema.createIndex('annotations_by_time').on('annotations').columns(['time_ns', 'id']).execute()
  await schema
    .createTable('annotation_datasets')
    .$call(texts('dataset'))
    .addColumn('annotation_id', 'text', (c) => c.notNull().references('annotations.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('annotation_datasets_key', ['annotation_id', 'dataset'])
    .execute()
  await schema
    .createIndex('annotation_datasets_by_dataset')
    .on('annotation_datasets')
    .columns(['dataset', 'annotation_id'])
    .execute()
}

async function createDatasets({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('datasets')
    .addColumn('table_name', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .$call(texts('description', 'created_by', 'state'))
    .$call(integers('created_at_ms', 'updated_at_ms', 'retention_days', 'version'))
    .addColumn('kind', 'text', (c) => c.notNull().defaultTo('axiom:events:v1'))
    .addColumn('edge_deployment', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('map_fields', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('virtual_fields', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  await schema.createIndex('datasets_by_version').on('datasets').column('version').execute()
  await schema
    .createTable('dataset_fields')
    .addColumn('table_name', 'text', (c) => c.notNull().references('datasets.table_name').onDelete('cascade'))
    .$call(texts('name'))
    .$call(integers('types', 'version'))
    .addPrimaryKeyConstraint('dataset_fields_key', ['table_name', 'name'])
    .execute()
  await schema.createIndex('dataset_fields_by_version').on('dataset_fields').column('version').execute()
  await schema
    .createTable('field_layouts')
    .addColumn('table_name', 'text', (c) => c.notNull().references('datasets.table_name').onDelete('cascade'))
    .$call(texts('field', 'kind'))
    .$call(integers('version'))
    .addPrimaryKeyConstraint('field_layouts_key', ['table_name', 'field'])
    .execute()
  await schema.createIndex('field_layouts_by_version').on('field_layouts').column('version').execute()
}

async function createIngestRequests({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('dropped_tables')
    .addColumn('table_name', 'text', (c) => c.primaryKey())
    .$call(texts('name'))
    .$call(integers('dropped_at_ms', 'version'))
    .execute()
  await schema
    .createTable('ingest_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key', 'text', (c) => c.unique())
    .$call(texts('payload', 'state', 'table_name', 'result', 'holder'))
    .addColumn('staging_table', 'text')
    .$call(integers('sys_time_ns', 'first_time_ns', 'last_time_ns', 'rows', 'created_at_ms'))
    .execute()
  await schema.createIndex('ingest_requests_by_state').on('ingest_requests').columns(['state', 'created_at_ms']).execute()
}

async function createAutomations({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('monitors')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(integers('version', 'created_at_ms', 'disabled', 'interval_ms', 'next_run_ms'))
    .$call(texts('created_by', 'definition', 'state'))
    .addColumn('disabled_until_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema.createIndex('monitors_by_next_run').on('monitors').columns(['disabled', 'next_run_ms']).execute()
  await schema
    .createTable('monitor_alerts')
    .addColumn('monitor_id', 'text', (c) => c.notNull().references('monitors.id').onDelete('cascade'))
    .$call(texts('check_id', 'state', 'name'))
    .$call(integers('at_ms'))
    .addPrimaryKeyConstraint('monitor_alerts_key', ['monitor_id', 'check_id', 'state'])
    .execute()
  await schema.createIndex('monitor_alerts_by_time').on('monitor_alerts').columns(['monitor_id', 'at_ms']).execute()
  await schema
    .createTable('integrations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(texts('platform', 'name', 'datasets', 'type', 'title', 'environments', 'encrypted_secret', 'created_at'))
    .execute()
  // The integration is not a foreign key, because its deployments stay known after it is removed.
  await schema
    .createTable('deployments')
    .$call(texts('integration', 'deployment', 'annotation', 'known', 'state'))
    .$call(integers('created_at_ms'))
    .addPrimaryKeyConstraint('deployments_key', ['integration', 'deployment'])
    .execute()
  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(texts('integration', 'outcome'))
    .$call(integers('at_ms'))
    .addColumn('deployment', 'text')
    .addColumn('annotation', 'text')
    .addColumn('reason', 'text')
    .execute()
  await schema.createIndex('deliveries_by_integration').on('deliveries').columns(['integration', 'id']).execute()
}

async function createSaved({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('saved_queries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(texts('kind', 'dataset', 'query', 'created_by'))
    .$call(integers('created_at_ms'))
    .execute()
  await schema.createIndex('saved_queries_by_time').on('saved_queries').columns(['created_at_ms', 'id']).execute()
  await schema
    .createTable('saved_views')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(texts('definition', 'created_by'))
    .$call(integers('created_at_ms', 'updated_at_ms'))
    .addColumn('version', 'bigint', (c) => c.notNull().defaultTo(1))
    .execute()
}

async function createSharedState({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('tokens')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call(texts('name', 'kind', 'permissions', 'created_at'))
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('description', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('capabilities', 'text')
    .addColumn('expires_at_ms', 'bigint')
    .execute()
  await schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .$call(texts('holder'))
    .$call(integers('expires_at_ms', 'mark_ms'))
    .execute()
  await schema
    .createTable('versions')
    .addColumn('kind', 'text', (c) => c.primaryKey())
    .$call(integers('version'))
    .execute()
  await schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .$call(texts('value'))
    .execute()
}
