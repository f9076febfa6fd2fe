/**
 * How much may wait for what in this process, and the answer to requests that come when the queue is full.
 * One page, so that the bounds can be read beside each other; what waits is up to each module that uses them.
 */
import { availableParallelism } from 'node:os'
import { ServiceError } from '../errors.ts'

export interface QueueBound {
  /** Waiters after which new ones are refused. */
  readonly waitingMax: number
  /** The message of the refusal; `waiting` is how many wait already. */
  readonly message: (waiting: number) => string
  /** How long one may wait before it is refused, which it is sooner where that can be told (load-shedding.ts); as long as it takes when absent. */
  readonly waitMsMax?: number
}

const storeIsBusy = (waiting: number) => `the store is busy: ${waiting} requests are waiting already; try again in a second`

/** Statements that write or read little: at 50 changes a second, about 10 s of work. */
export const STATEMENTS: QueueBound = { waitingMax: 500, message: storeIsBusy, waitMsMax: 20_000 }

/** Tables that are measured at a time for an export: on a server most of a measurement is the way there. */
export const MEASUREMENTS_AT_ONCE = 4
/** They are one for each dataset, and of one request. */
export const MEASUREMENTS: QueueBound = { waitingMax: Number.POSITIVE_INFINITY, message: storeIsBusy }

/** Changes of records; at 1,500 a second, about 3 s of work. */
export const RECORD_CHANGES: QueueBound = { waitingMax: 5_000, message: storeIsBusy, waitMsMax: 8_000 }

/** Lists of records: a long one is some milliseconds of work for the only thread that does it. */
export const LISTS: QueueBound & { waitMsMax: number } = { waitingMax: 1_000, message: storeIsBusy, waitMsMax: 4_000 }

/** Requests that wait to hear what other services have changed. */
export const REQUESTS: QueueBound = { waitingMax: 10_000, message: storeIsBusy }

/** Slots of queries, who may have how many, and how long one waits for a slot. */
export interface FairQueueBound {
  readonly slots: number
  /** Of one caller, however many are free. */
  readonly slotsPerCaller: number
  /** Waiters of all callers, and of one, after which new ones are refused. */
  readonly waitingMax: number
  readonly waitingPerCallerMax: number
  readonly waitMsMax: number
  /** What waits, for messages. */
  readonly what: string
  /** When it is worth trying again. */
  readonly retryAfterS: number
}

/**
 * The engine uses all processors for one query. More slots than processors keep a short query from waiting for a long one; still
 * more would only take memory.
 */
const PROCESSORS = availableParallelism()
/** How long a query may have a slot of the quick ones while others wait for it. */
export const QUICK_MS_MAX = 500

const QUICK_SLOTS = within(4, PROCESSORS, 8)
const LONG_SLOTS = within(3, Math.ceil(PROCESSORS / 2), 8)

/**
 * Where queries begin; at 50 ms each, four at a time, 400 are five seconds' worth. A chart is two or three of them, so that is a hundred
 * people with one token who open a page at once. One slot is always left for others.
 */
export const QUICK_QUERIES: FairQueueBound = {
  slots: QUICK_SLOTS,
  slotsPerCaller: QUICK_SLOTS - 1,
  waitingMax: 800,
  waitingPerCallerMax: 400,
  waitMsMax: 4_600,
  what: 'queries',
  retryAfterS: 1,
}

/** Where those go on that take longer than that, and hold a slot for as long as a query may take. */
export const LONG_QUERIES: FairQueueBound = {
  slots: LONG_SLOTS,
  slotsPerCaller: LONG_SLOTS - 1,
  waitingMax: 64,
  waitingPerCallerMax: 32,
  waitMsMax: 10_000,
  what: `queries that take more than ${QUICK_MS_MAX / 1_000} s`,
  retryAfterS: 5,
}

/** Queries under way at a time, in all. */
export const QUERIES_AT_ONCE = QUICK_QUERIES.slots + LONG_QUERIES.slots

/** What answers of queries may take up on the disk while their readers take them: by default sixteen of the largest. */
export interface HeldBound {
  readonly bytesMax: number
  readonly bytesPerCallerMax: number
}

export const ANSWERS_HELD: HeldBound = { bytesMax: 1_073_741_824, bytesPerCallerMax: 536_870_912 }
/** A reader that takes nothing is cut off after half a minute. */
const HELD_RETRY_AFTER_S = 10

function within(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

/**
 * Pieces of large requests that are stored at a time; each is work for the engine. A request has a slot while a piece of it is
 * stored and not while it waits for the next one, so slow senders hold none.
 */
export const LARGE_PIECES_AT_ONCE = 4
/** Large requests that wait with a piece in memory, their senders held up, after which no other is begun. */
export const LARGE_REQUESTS: QueueBound = {
  waitingMax: 32,
  message: (waiting) => `${waiting} large requests are waiting to be stored already; send this one again, or in parts`,
}
/** Large requests that are under way, most of them waiting for their senders; each has a table in the engine. */
export const LARGE_REQUESTS_OPEN: QueueBound = {
  waitingMax: 256,
  message: (open) => `${open} large requests are under way already; send this one again, or in parts`,
}

/** Queries that wait for events to come; each is a connection and a timer. */
export const HELD_QUERIES: QueueBound = {
  waitingMax: 256,
  message: (waiting) => `${waiting} queries wait for events already; send this one again later, or without streaming-duration`,
}

/** Requests with events. */
export const EVENTS: QueueBound = {
  waitingMax: 10_000,
  waitMsMax: 8_000,
  message: () => 'too many events are waiting to be stored; send this again in a second',
}
/** Bodies that are held in memory as a whole, all together. */
export const BODY_BYTES_HELD_MAX = 268_435_456
export const BODIES_HELD: QueueBound = {
  waitingMax: 0,
  message: (held) => `${held} large requests are in memory already; send this one again in a second, or in parts`,
}
/**
 * Inserts of events under way at a time, each into another table. An insert of one row is work for a processor and not for the
 * disk, so more than there are processors would only take memory.
 */
export const EVENT_INSERTS_AT_ONCE = 4
/** Rows that wait, over all requests; the engine holds a few times its batch besides. */
export const EVENT_BYTES_WAITING_MAX = 67_108_864

/** @returns the answer of a service that has enough to do */
export function overloaded({ message }: QueueBound, waiting: number): ServiceError {
  return new ServiceError('overloaded', message(waiting))
}

/** @returns the answer to a caller that has its share of the slots, and more to do */
export function overShare({ what, retryAfterS }: FairQueueBound, { running, waiting }: { running: number; waiting: number }) {
  const message = `the share of this token is used up: ${running} of its ${what} run and ${waiting} more wait; send this one again in ${retryAfterS} s`
  return new ServiceError('rate_limited', message, { headers: { 'retry-after': String(retryAfterS) } })
}

/** @returns the answer to a caller that waited, or would have to, because of others */
export function queueIsFull({ what, retryAfterS }: FairQueueBound, { running, waiting }: { running: number; waiting: number }) {
  const message = `the service is busy: ${running} ${what} run and ${waiting} more wait; send this one again in ${retryAfterS} s`
  return new ServiceError('overloaded', message, { headers: { 'retry-after': String(retryAfterS) } })
}

const inMib = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`

/** @returns the answer to a caller that has asked for more than it reads */
export function heldByCaller(bytes: number): ServiceError {
  const message = `the share of this token is used up: answers of ${inMib(bytes)} wait to be read by it; read them, or leave them, and send this one again`
  return new ServiceError('rate_limited', message, { headers: { 'retry-after': String(HELD_RETRY_AFTER_S) } })
}

/** @returns the answer to a caller while others have asked for more than they read */
export function heldByOthers(bytes: number): ServiceError {
  const message = `the service is busy: answers of ${inMib(bytes)} wait for their readers; send this one again in ${HELD_RETRY_AFTER_S} s`
  return new ServiceError('overloaded', message, { headers: { 'retry-after': String(HELD_RETRY_AFTER_S) } })
}
