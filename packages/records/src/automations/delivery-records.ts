/**
 * The newest webhooks that each integration received, as records. Deliberately not here: their content.
 */
import type { RecordsDatabase } from '../database/records.ts'
import { DELIVERY_CODEC, type DeliveryRecord } from '../schema/integrations.ts'

export type { DeliveryRecord } from '../schema/integrations.ts'

const { fromRow, toRow } = DELIVERY_CODEC

/**
 * Runs as part of a transaction.
 * @param countMax how many deliveries of the integration remain
 */
export async function insertDelivery(db: RecordsDatabase, record: DeliveryRecord, countMax: number): Promise<void> {
  await db.insertInto('deliveries').values(toRow(record)).execute()
  const ofIntegration = db.selectFrom('deliveries').where('integration', '=', record.integration)
  const newestOld = ofIntegration.select('id').orderBy('id', 'desc').limit(1).offset(countMax)
  await db.deleteFrom('deliveries').where('integration', '=', record.integration).where('id', '<=', newestOld).execute()
}

export async function deleteDeliveries(db: RecordsDatabase, integration: string): Promise<void> {
  await db.deleteFrom('deliveries').where('integration', '=', integration).execute()
}

/** @returns the stored deliveries of an integration, the newest first */
export async function listDeliveries(db: RecordsDatabase, integration: string): Promise<DeliveryRecord[]> {
  const ofIntegration = db.selectFrom('deliveries').selectAll().where('integration', '=', integration)
  return (await ofIntegration.orderBy('id', 'desc').execute()).map(fromRow)
}

/** @returns the newest delivery of each integration that has any, by the id of the integration */
export async function listLastDeliveries(db: RecordsDatabase): Promise<Map<string, DeliveryRecord>> {
  const newest = db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.max('id').as('id'))
    .groupBy('integration')
  const rows = await db.selectFrom('deliveries').selectAll().where('id', 'in', newest).execute()
  return new Map(rows.map((row) => [row.integration, fromRow(row)]))
}
