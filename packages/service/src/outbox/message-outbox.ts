/**
 * Delivers the messages of notifiers. Any service takes any message that is due, by a claim in the records, so that one of them sends it;
 * where that one is killed, the claim ends by itself and another sends the message again, with the same id. A message that fails is tried
 * again, later each time and never at the same moment as others, for a day. One message of a notifier is under way at a time, and a
 * notifier that does not answer takes no place from others.
 * Deliberately not here: what is told (notices.ts), and the forms that receivers take (packages/edge).
 */
import { randomUUID } from 'node:crypto'
import type { NotifierKind } from '@deployment-annotations/contract/notifier'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { type SmtpOptions, sendEmail } from '@deployment-annotations/edge/messages/email'
import type { Message, NotifierNotice } from '@deployment-annotations/edge/messages/message'
import { buildRequest } from '@deployment-annotations/edge/messages/requests'
import { createSend, DeliveryError } from '@deployment-annotations/edge/messages/send-request'
import { findNotifier, type NotifierRecord } from '@deployment-annotations/records/automations/notifier-records'
import {
  claimMessage,
  type MessageChange,
  readDueMessages,
  releaseMessage,
  type StoredMessage,
} from '@deployment-annotations/records/automations/outbox-records'
import type { Records } from '@deployment-annotations/records/database/records'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import { requireEncryptionKeys } from '../encryption/encryption.ts'
import { type Agenda, Scheduler, type Timer } from '../scheduling/scheduler.ts'
import { pageOf } from '../wire/annotation.ts'
import { quietUntilMs } from './quiet-hours.ts'
import { type NotifierTarget, openTarget, secretsOf } from './target.ts'

export interface OutboxOptions {
  records: Records
  dataDir: string
  clock: Timer
  log: Log
  /** Whether messages may go to addresses inside a network. */
  mayBePrivate: boolean
  smtp?: SmtpOptions | undefined
  /** Where people reach the page, for links; without it there are none to it. */
  publicUrl?: URL | undefined
  /** How long one request may take. */
  timeoutMs?: number
  /** How long a message is one service's: longer than any try. */
  claimMs?: number
}

/** Messages under way at a time, each of another notifier: they wait for receivers most of the time. */
const WIDTH_MAX = 16
const DUE_MAX = 64
const POLL_MS = 1_000
const CLAIM_MS = 30_000
/** After the first failure; each time twice as long. */
const BACKOFF_MS = 5_000
const BACKOFF_MS_MAX = 900_000
/** Since the first try; what is not delivered by then has failed. */
const AGE_MS_MAX = 86_400_000

export class MessageOutbox {
  readonly #options: OutboxOptions
  readonly #holder = randomUUID()
  readonly #scheduler: Scheduler

  constructor(options: OutboxOptions) {
    this.#options = options
    const { clock, log } = options
    const look = (nowMs: number) => this.#look(nowMs)
    this.#scheduler = new Scheduler({ clock, log, widthMax: WIDTH_MAX, widthPerOwnerMax: 1, pollMs: POLL_MS, look })
  }

  /** Delivers until the signal ends that, and what is under way has ended; to be called once. */
  run(signal: AbortSignal): Promise<void> {
    return this.#scheduler.run(signal)
  }

  async #look(nowMs: number): Promise<Agenda> {
    const { due, nextMs } = await readDueMessages(this.#options.records, nowMs, DUE_MAX)
    return { due: due.map(({ id, notifier }) => ({ key: id, owner: notifier, run: () => this.#take(id) })), nextMs }
  }

  /** Never rejects. */
  async #take(id: string): Promise<void> {
    const { records, log, claimMs = CLAIM_MS } = this.#options
    try {
      const message = await records.transaction((db) => claimMessage(db, records, id, { holder: this.#holder, claimMs }))
      const notifier = message && (await findNotifier(records.read, message.notifier))
      if (!message || !notifier) return
      const change = await this.#try(message, notifier)
      await records.transaction((db) => releaseMessage(db, message, this.#holder, change))
      if (change.attempts === message.attempts) return
      const { state, attempts, error } = change
      const line = { event: 'notification', notifierId: notifier.id, messageId: id, state, attempts, ...(error && { error }) }
      log[state === 'delivered' ? 'info' : 'warn'](line)
    } catch (error) {
      // The claim ends by itself, and the message is tried again.
      log.error({ event: 'notification', messageId: id, error: describeError(error) })
    }
  }

  /** @returns what became of the message */
  async #try(message: StoredMessage, notifier: NotifierRecord): Promise<MessageChange> {
    const { clock } = this.#options
    const nowMs = clock.now()
    const { attempts, firstTryMs = nowMs } = message
    const notice = JSON.parse(message.notice) as NotifierNotice
    const { disabledUntilMs = 0, quietHours } = notifier.definition
    if (disabledUntilMs > nowMs) return { state: 'skipped', attempts, dueAtMs: nowMs }
    const untilMs = quietHours && notice.event !== 'test' ? quietUntilMs(quietHours, nowMs) : undefined
    if (untilMs !== undefined) return { state: 'waiting', attempts, dueAtMs: untilMs }
    const tried = { attempts: attempts + 1, firstTryMs, lastTryMs: nowMs }
    try {
      await this.#send({ id: message.id, atMs: nowMs, notice, links: this.#linksOf(notice) }, notifier)
      return { state: 'delivered', ...tried, dueAtMs: nowMs }
    } catch (caught) {
      const error = caught instanceof DeliveryError ? caught : new DeliveryError(FAULT, { isPassing: true })
      if (error !== caught) this.#options.log.error({ event: 'error', cause: describeError(caught) })
      const dueAtMs = clock.now() + waitMs(attempts, error.retryAfterMs)
      const isOver = !error.isPassing || notice.event === 'test' || dueAtMs > firstTryMs + AGE_MS_MAX
      return { state: isOver ? 'failed' : 'waiting', ...tried, dueAtMs, error: error.message }
    }
  }

  /** @throws DeliveryError */
  async #send(message: Message, notifier: NotifierRecord): Promise<void> {
    const { mayBePrivate, smtp, clock, timeoutMs } = this.#options
    const target = this.#open(notifier)
    const kind = notifier.kind as NotifierKind
    const { email } = target.properties
    if (kind === 'email') return sendEmail(email as NonNullable<typeof email>, message, smtp)
    const send = createSend({ mayBePrivate, now: clock.now, ...(timeoutMs !== undefined && { timeoutMs }) }, secretsOf(target))
    await send(buildRequest(kind, target.properties, message, target.secret ?? ''))
  }

  #open(notifier: NotifierRecord): NotifierTarget {
    try {
      return openTarget(notifier, requireEncryptionKeys(this.#options.dataDir))
    } catch (error) {
      throw new DeliveryError(error instanceof Error ? error.message : String(error), { isPassing: true })
    }
  }

  #linksOf({ annotation }: NotifierNotice): Message['links'] {
    if (!annotation) return []
    const { publicUrl } = this.#options
    const { id, datasets, time, endTime, url = '' } = annotation
    const timeNs = parseTimestamp(time) ?? 0n
    const endTimeNs = endTime === undefined ? timeNs : (parseTimestamp(endTime) ?? timeNs)
    const page = publicUrl && new URL(pageOf({ id, datasets, timeNs, endTimeNs }), publicUrl).href
    return [
      ...(page === undefined ? [] : [{ text: 'Show on the charts', url: page }]),
      ...(/^https?:\/\//.test(url) && URL.canParse(url) ? [{ text: 'Details', url: new URL(url).href }] : []),
    ]
  }
}

const FAULT = 'something went wrong in the service; its log has the details'

/** Twice as long each time, and a random part less, so that receivers that were down are not asked by all at once. */
function waitMs(failures: number, retryAfterMs = 0): number {
  const longest = Math.min(BACKOFF_MS * 2 ** Math.min(failures, 20), BACKOFF_MS_MAX)
  return Math.max(longest * (0.5 + Math.random() / 2), Math.min(retryAfterMs, AGE_MS_MAX / 2))
}
