/** Requests to the endpoints of notifiers. */
import { NOTIFIERS_PATH, notifierDeliveriesPath, notifierPath, notifierTestPath } from '@deployment-annotations/contract/notifier'
import type {
  MadeNotifier,
  NewNotifier,
  Notifier,
  NotifierChange,
  NotifierDelivery,
} from '@deployment-annotations/contract/schemas/notifier'
import { request } from './request.ts'

/** @returns all notifiers, the oldest first */
export function listNotifiers(signal: AbortSignal): Promise<Notifier[]> {
  return request<Notifier[]>(NOTIFIERS_PATH, { signal })
}

export function createNotifier(notifier: NewNotifier): Promise<MadeNotifier> {
  return request<MadeNotifier>(NOTIFIERS_PATH, { method: 'POST', body: notifier })
}

export function changeNotifier(id: string, change: NotifierChange): Promise<Notifier> {
  return request<Notifier>(notifierPath(id), { method: 'PUT', body: change })
}

export function deleteNotifier(id: string): Promise<void> {
  return request<void>(notifierPath(id), { method: 'DELETE' })
}

export function testNotifier(id: string): Promise<NotifierDelivery> {
  return request<NotifierDelivery>(notifierTestPath(id), { method: 'POST', body: {} })
}

/** @returns the newest first */
export function listNotifierDeliveries(id: string, signal: AbortSignal): Promise<NotifierDelivery[]> {
  return request<NotifierDelivery[]>(notifierDeliveriesPath(id), { signal })
}
