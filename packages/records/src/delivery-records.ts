/**
 * Webhooks that integrations received, as records: the newest of each. Deliberately not here: what they say.
 */
import type { Delivery } from '@deployment-annotations/contract/schemas/integration'
import type { Selectable } from 'kysely'
import type { RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'

export interface DeliveryRecord extends Omit<Delivery, 'time'> {
  /** Sorts by time. */
  id: string
  /** Id of the integration. */
  integration: string
  atMs: number
}

/**
 * Part of a transaction.
 * @param kept so many of the integration's stay
 */
export async function insertDelivery(db: RecordsDatabase, record: DeliveryRecord, kept: number): Promise<void> {
  const { atMs, deployment = null, annotation = null, reason = null, ...same } = record
  await db
    .insertInto('deliveries')
    .values({ ...same, at_ms: BigInt(atMs), deployment, annotation, reason })
    .execute()
  const oldest = await db
    .selectFrom('deliveries')
    .select('id')
    .where('integration', '=', record.integration)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(kept)
    .executeTakeFirst()
  if (!oldest) return
  await db.deleteFrom('deliveries').where('integration', '=', record.integration).where('id', '<=', oldest.id).execute()
}

/** Part of a transaction. */
export async function deleteDeliveries(db: RecordsDatabase, integration: string): Promise<void> {
  await db.deleteFrom('deliveries').where('integration', '=', integration).execute()
}

/** @returns those of an integration that are kept, the newest first */
export async function listDeliveries(db: RecordsDatabase, integration: string): Promise<DeliveryRecord[]> {
  const rows = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('integration', '=', integration)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(fromRow)
}

/** @returns the newest of each integration that has any, by its id */
export async function listLastDeliveries(db: RecordsDatabase): Promise<Map<string, DeliveryRecord>> {
  const newest = db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.max('id').as('id'))
    .groupBy('integration')
  const rows = await db.selectFrom('deliveries').selectAll().where('id', 'in', newest).execute()
  return new Map(rows.map((row) => [row.integration, fromRow(row)]))
}

function fromRow({ at_ms, outcome, deployment, annotation, reason, ...same }: Selectable<Tables['deliveries']>): DeliveryRecord {
  return {
    ...same,
    atMs: Number(at_ms),
    outcome: outcome as Delivery['outcome'],
    ...(deployment !== null && { deployment }),
    ...(annotation !== null && { annotation }),
    ...(reason !== null && { reason }),
  }
}
