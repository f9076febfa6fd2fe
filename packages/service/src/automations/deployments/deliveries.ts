/**
 * Remembers the last webhooks of an integration, for people who wonder why there is no mark. Whatever happens here, the platform is
 * answered as it would have been. Deliberately not here: webhooks that no integration signed, which strangers can send.
 */
import { DELIVERIES_KEPT, type Delivery } from '@deployment-annotations/contract/integration'
import { newDeliveryId } from '../../annotations/new-id.ts'
import { describeError, type Log } from '../../log.ts'
import { insertDelivery } from '../../records/delivery-records.ts'
import type { Records } from '../../records/records.ts'

interface DeliveriesOptions {
  records: Pick<Records, 'transaction'>
  log: Log
  /** Milliseconds since the epoch. */
  clock: () => number
}

/** @param integration its id */
export type RememberDelivery = (integration: string, delivery: Omit<Delivery, 'time'>) => Promise<void>

export function createDeliveries({ records, log, clock }: DeliveriesOptions): RememberDelivery {
  return async (integration, delivery) => {
    const atMs = clock()
    const record = { id: newDeliveryId(atMs), integration, atMs, ...delivery }
    try {
      await records.transaction((db) => insertDelivery(db, record, DELIVERIES_KEPT))
    } catch (error) {
      log.warn({ event: 'warning', message: `a delivery of ${integration} was not kept`, cause: describeError(error) })
    }
  }
}
