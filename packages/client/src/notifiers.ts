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
import { parseNothing } from './reply.ts'
import { createAsk, listWith, oneWith } from './resources.ts'

export interface NotifiersClient {
  /** Not sent again where its answer is lost, because the secret would be lost with it; the list shows whether it is there. */
  create(notifier: NewNotifier, options?: CallOptions): Promise<MadeNotifier>
  /** Each with its last message. */
  list(options?: CallOptions): Promise<Notifier[]>
  get(id: string, options?: CallOptions): Promise<Notifier>
  /** Its last messages and what became of them, the newest first. Specific to our service, as the next calls are. */
  deliveries(id: string, options?: CallOptions): Promise<NotifierDelivery[]>
  /** Members that are not sent keep their values. */
  change(id: string, change: NotifierChange, options?: CallOptions): Promise<Notifier>
  /** Sends a message that says that it is a test, and waits for what becomes of it. */
  test(id: string, options?: CallOptions): Promise<NotifierDelivery>
  /** Signs webhooks with a new secret, at once; not sent again where its answer is lost. */
  regenerate(id: string, options?: CallOptions): Promise<MadeNotifier>
  /** Its messages that wait are not delivered any more. */
  delete(id: string, options?: CallOptions): Promise<void>
}

const parseOne = oneWith<Notifier>('id')
const parseMade = oneWith<MadeNotifier>('id')

export function createNotifiersClient(connection: Connection): NotifiersClient {
  const ask = createAsk(connection)
  return {
    create: (body, options) => ask('POST', NOTIFIERS_PATH, { body, read: parseMade, options, isSentOnce: true }),
    list: (options) => ask('GET', NOTIFIERS_PATH, { read: listWith<Notifier>('id'), options }),
    get: (id, options) => ask('GET', notifierPath(id), { read: parseOne, options }),
    deliveries: (id, options) => ask('GET', notifierDeliveriesPath(id), { read: listWith<NotifierDelivery>('id'), options }),
    change: (id, body, options) => ask('PUT', notifierPath(id), { body, read: parseOne, options }),
    test: (id, options) =>
      ask('POST', notifierTestPath(id), { read: oneWith<NotifierDelivery>('id'), options, isSentOnce: true }),
    regenerate: (id, options) => ask('POST', notifierSecretPath(id), { read: parseMade, options, isSentOnce: true }),
    delete: (id, options) => ask('DELETE', notifierPath(id), { read: parseNothing, options }),
  }
}
