/** Requests to the endpoints of notifiers. */
import { NOTIFIERS_PATH, notifierDeliveriesPath, notifierPath, notifierTestPath } from '@deployment-annotations/contract/notifier'
import type {
  MadeNotifier,
  NewNotifier,
  Notifier,
  NotifierChange,
  NotifierDelivery,
} from '@deployment-annotations/contract/schemas/notifier'
import { createRequests, request } from './request.ts'

export const notifierRequests = createRequests<Notifier, NewNotifier, NotifierChange, MadeNotifier>(NOTIFIERS_PATH, notifierPath)

export function testNotifier(id: string): Promise<NotifierDelivery> {
  return request<NotifierDelivery>(notifierTestPath(id), { method: 'POST', body: {} })
}

/** @returns the newest first */
export function listNotifierDeliveries(id: string, signal: AbortSignal): Promise<NotifierDelivery[]> {
  return request<NotifierDelivery[]>(notifierDeliveriesPath(id), { signal })
}
