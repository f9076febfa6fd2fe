/**
 * Deletes the notifiers that copied annotations to other products, with their messages, and takes them out of monitors: this program has no
 * such kinds. The table of what the copies are called there stays, empty, because programs before this one read it.
 */
import type { Kysely } from 'kysely'
import type { Tables } from '../schema/tables.ts'

const COPY_KINDS = ['grafana', 'datadog', 'honeycomb', 'newRelic']

export async function up(db: Kysely<Tables & { remote_marks: { notifier: string } }>): Promise<void> {
  const copiers = (await db.selectFrom('notifiers').select('id').where('kind', 'in', COPY_KINDS).execute()).map(({ id }) => id)
  if (copiers.length === 0) return
  for (const { id, definition, version } of await db.selectFrom('monitors').selectAll().execute()) {
    const { notifierIds = [], ...others } = JSON.parse(definition) as { notifierIds?: string[] }
    const left = notifierIds.filter((notifier) => !copiers.includes(notifier))
    if (left.length === notifierIds.length) continue
    const changed = JSON.stringify({ ...others, notifierIds: left })
    await db
      .updateTable('monitors')
      .set({ definition: changed, version: version + 1n })
      .where('id', '=', id)
      .execute()
  }
  await db.deleteFrom('outbox').where('notifier', 'in', copiers).execute()
  await db.deleteFrom('remote_marks').where('notifier', 'in', copiers).execute()
  await db.deleteFrom('notifiers').where('id', 'in', copiers).execute()
}
