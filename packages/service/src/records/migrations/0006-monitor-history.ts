/**
 * When monitors triggered and recovered, and until when one is not to run.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('monitors')
    .addColumn('disabled_until_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
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
}
