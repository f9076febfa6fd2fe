/**
 * Creates the tables of the records, with the same statements for SQLite and PostgreSQL. `bigint` is a 64-bit integer in both.
 */
import { type Kysely, sql } from 'kysely'

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
    .addColumn('datasets', 'text', (c) => c.notNull())
    .addColumn('time_ns', 'bigint', (c) => c.notNull())
    .addColumn('end_time_ns', 'bigint')
    .addColumn('until_ns', 'bigint', (c) => c.notNull())
    .addColumn('title', 'text')
    .addColumn('description', 'text')
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('url', 'text')
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('repeat_key', 'text', (c) => c.unique())
    .addColumn('repeat_payload', 'text')
    .addCheckConstraint('annotations_span', sql`until_ns >= time_ns and until_ns = coalesce(end_time_ns, time_ns)`)
    .execute()
  await schema.createIndex('annotations_by_time').on('annotations').columns(['time_ns', 'id']).execute()
  await schema
    .createTable('annotation_datasets')
    .addColumn('dataset', 'text', (c) => c.notNull())
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
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('retention_days', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull().defaultTo('axiom:events:v1'))
    .addColumn('edge_deployment', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('map_fields', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('virtual_fields', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  await schema.createIndex('datasets_by_version').on('datasets').column('version').execute()
  await schema
    .createTable('dataset_fields')
    .addColumn('table_name', 'text', (c) => c.notNull().references('datasets.table_name').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('types', 'bigint', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('dataset_fields_key', ['table_name', 'name'])
    .execute()
  await schema.createIndex('dataset_fields_by_version').on('dataset_fields').column('version').execute()
  await schema
    .createTable('field_layouts')
    .addColumn('table_name', 'text', (c) => c.notNull().references('datasets.table_name').onDelete('cascade'))
    .addColumn('field', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('field_layouts_key', ['table_name', 'field'])
    .execute()
  await schema.createIndex('field_layouts_by_version').on('field_layouts').column('version').execute()
}

async function createIngestRequests({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('dropped_tables')
    .addColumn('table_name', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('dropped_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('ingest_requests')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key', 'text', (c) => c.unique())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('table_name', 'text', (c) => c.notNull())
    .addColumn('staging_table', 'text')
    .addColumn('sys_time_ns', 'bigint', (c) => c.notNull())
    .addColumn('first_time_ns', 'bigint', (c) => c.notNull())
    .addColumn('last_time_ns', 'bigint', (c) => c.notNull())
    .addColumn('rows', 'bigint', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('ingest_requests_by_state').on('ingest_requests').columns(['state', 'created_at_ms']).execute()
}

async function createAutomations({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('monitors')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('definition', 'text', (c) => c.notNull())
    .addColumn('disabled', 'bigint', (c) => c.notNull())
    .addColumn('interval_ms', 'bigint', (c) => c.notNull())
    .addColumn('next_run_ms', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('disabled_until_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema.createIndex('monitors_by_next_run').on('monitors').columns(['disabled', 'next_run_ms']).execute()
  await schema
    .createTable('monitor_alerts')
    .addColumn('monitor_id', 'text', (c) => c.notNull().references('monitors.id').onDelete('cascade'))
    .addColumn('check_id', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('monitor_alerts_key', ['monitor_id', 'check_id', 'state'])
    .execute()
  await schema.createIndex('monitor_alerts_by_time').on('monitor_alerts').columns(['monitor_id', 'at_ms']).execute()
  await schema
    .createTable('integrations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('platform', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('datasets', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('environments', 'text', (c) => c.notNull())
    .addColumn('encrypted_secret', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  // The integration is not a foreign key, because its deployments stay known after it is removed.
  await schema
    .createTable('deployments')
    .addColumn('integration', 'text', (c) => c.notNull())
    .addColumn('deployment', 'text', (c) => c.notNull())
    .addColumn('annotation', 'text', (c) => c.notNull())
    .addColumn('known', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('deployments_key', ['integration', 'deployment'])
    .execute()
  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('integration', 'text', (c) => c.notNull())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
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
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('dataset', 'text', (c) => c.notNull())
    .addColumn('query', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('saved_queries_by_time').on('saved_queries').columns(['created_at_ms', 'id']).execute()
  await schema
    .createTable('saved_views')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('definition', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull().defaultTo(1))
    .execute()
}

async function createSharedState({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('tokens')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('permissions', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('capabilities', 'text')
    .addColumn('expires_at_ms', 'bigint')
    .execute()
  await schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('mark_ms', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('versions')
    .addColumn('kind', 'text', (c) => c.primaryKey())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .execute()
  await schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}
