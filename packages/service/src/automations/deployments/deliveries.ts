/**
 * Remembers the last webhooks of an integration, for people who wonder why there is no annotation. Deliberately not here: webhooks that no integration signed, which strangers can send.
 */
import { DELIVERIES_KEPT, type Delivery } from '@deployment-annotations/contract/integration'
import { insertDelivery } from '@deployment-annotations/records/automations/delivery-records'
import type { Records, RecordsDatabase } from '@deployment-annotations/records/database/records'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import { newId } from '../../wire/ids.ts'

interface DeliveriesOptions {
  records: Pick<Records, 'transaction'>
  log: Log
  /** Milliseconds since the epoch. */
  clock: () => number
}

type Told = Omit<Delivery, 'time'>

/** Part of the transaction that makes what is told. */
export function keepDelivery(db: RecordsDatabase, integration: string, told: Told, atMs: number): Promise<void> {
  return insertDelivery(db, { id: newId('delivery', atMs), integration, atMs, ...told }, DELIVERIES_KEPT)
}

/**
 * For what else comes: it changes nothing, and is no reason to refuse a request where it cannot be kept.
 * @param integration its id
 */
export async function tryKeepDelivery(
  { records, log, clock }: DeliveriesOptions,
  integration: string,
  told: Told,
): Promise<void> {
  const atMs = clock()
  try {
    await records.transaction((db) => keepDelivery(db, integration, told, atMs))
  } catch (error) {
    log.warn({ event: 'warning', message: `a delivery of ${integration} was not kept`, cause: describeError(error) })
  }
}
