/**
 * Notifiers: where people are told of verdicts, failures and monitors. What is secret in their properties is answered only to the token
 * that sent it.
 */
import {
  NOTIFIERS_PATH,
  notifierDeliveriesPath,
  notifierPath,
  notifierSecretPath,
  notifierTestPath,
} from '@deployment-annotations/contract/notifier'
import type {
  MadeNotifier,
  NewNotifier,
  Notifier,
  NotifierChange,
  NotifierDelivery,
} from '@deployment-annotations/contract/schemas/notifier'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { createAsk, createResourceClient, listWith, oneWith, type ResourceClient } from './resources.ts'

/** The list has each with its last message. After a delete, messages that wait are not delivered any more. */
export interface NotifiersClient extends ResourceClient<Notifier, NewNotifier, NotifierChange, MadeNotifier> {
  /** Its last messages and what became of them, the newest first. Specific to our service, as the next calls are. */
  deliveries(id: string, options?: CallOptions): Promise<NotifierDelivery[]>
  /** Sends a message that says that it is a test, and waits for what becomes of it. */
  test(id: string, options?: CallOptions): Promise<NotifierDelivery>
  /** Signs webhooks with a new secret, at once; not sent again where its answer is lost. */
  regenerate(id: string, options?: CallOptions): Promise<MadeNotifier>
}

export function createNotifiersClient(connection: Connection): NotifiersClient {
  const ask = createAsk(connection)
  return {
    ...createResourceClient(connection, NOTIFIERS_PATH, notifierPath),
    deliveries: (id, options) => ask('GET', notifierDeliveriesPath(id), { read: listWith<NotifierDelivery>('id'), options }),
    test: (id, options) =>
      ask('POST', notifierTestPath(id), { read: oneWith<NotifierDelivery>('id'), options, isSentOnce: true }),
    regenerate: (id, options) =>
      ask('POST', notifierSecretPath(id), { read: oneWith<MadeNotifier>('id'), options, isSentOnce: true }),
  }
}
