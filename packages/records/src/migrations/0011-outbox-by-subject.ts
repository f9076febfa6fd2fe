/**
 * The messages of a notifier about one subject, in order: whether one is the first that waits is asked for each message at each look, and a
 * notifier may have a thousand of them.
 */
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('outbox_by_subject').on('outbox').columns(['notifier', 'subject', 'state', 'seq']).execute()
}
