/**
 * The rows of notifiers and of the messages for them.
 */
import type { DELIVERY_STATES, Notifier } from '@deployment-annotations/contract/notifier'
import { createCodec, json, number, oneOf, optional, type RecordOf, type RowOf, text } from './row-codec.ts'

/** What is told to a notifier, as it is answered. */
export interface NotifierDefinition extends Pick<Notifier, 'name' | 'events' | 'datasets' | 'types' | 'quietHours'> {
  /** It is told nothing before this time. */
  disabledUntilMs?: number
  /** Datasets whose annotations this notifier may report: those of the token that created it. Absent means all. */
  reach?: string[]
}

const NOTIFIER = {
  /** Begins with `ntf_`. */
  id: text,
  /** The member of its properties. */
  kind: text,
  definition: json<NotifierDefinition>(),
  /** Its properties and its signing secret. */
  encryptedTarget: text,
  /** The id of the token that sent the properties. */
  targetBy: text,
  createdAtMs: number,
  createdBy: text,
  updatedAtMs: number,
}
export type NotifierRecord = RecordOf<typeof NOTIFIER>
export type NotifiersTable = RowOf<typeof NOTIFIER>
export const NOTIFIER_CODEC = createCodec(NOTIFIER)

const MESSAGE = {
  /** The same over all tries: a receiver knows a repeat by it. */
  id: text,
  notifier: text,
  /** The id of the annotation. Messages about one subject are delivered in their order. */
  subject: text,
  /** What is sent, as JSON. */
  notice: text,
  state: oneOf<(typeof DELIVERY_STATES)[number]>(),
  attempts: number,
  /** When it is tried next; 0 for one that is new. */
  dueAtMs: number,
  firstTryMs: optional(number),
  lastTryMs: optional(number),
  error: optional(text),
}
export type StoredMessage = RecordOf<typeof MESSAGE>
export const MESSAGE_CODEC = createCodec(MESSAGE)

/** Messages for notifiers: those that wait, and the last that do not. */
export interface OutboxTable extends RowOf<typeof MESSAGE> {
  /** In the order in which the transactions that wrote the messages ended. */
  seq: bigint
  /** A time on the clock of the database: until then only the holder delivers it. */
  claimed_until_ms: bigint
  /** The service that delivers it. */
  holder: string | null
}
