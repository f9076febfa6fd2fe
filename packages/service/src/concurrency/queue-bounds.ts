/**
 * How much may wait for what in this process, and the answer to requests that come when the queue is full.
 * One page, so that the bounds can be read beside each other; what waits is up to each place that uses them.
 */
import { ServiceError } from '../errors.ts'

export interface QueueBound {
  /** Waiters after which new ones are refused. */
  readonly waitingMax: number
  /** The message of the refusal; `waiting` is how many wait already. */
  readonly message: (waiting: number) => string
}

const storeIsBusy = (waiting: number) => `the store is busy: ${waiting} requests are waiting already; try again in a second`

/** Statements that write or read little: at 50 changes a second, about 10 s of work. */
export const STATEMENTS: QueueBound = { waitingMax: 500, message: storeIsBusy }

/** Changes of records; at 1,500 a second, about 3 s of work. */
export const RECORD_CHANGES: QueueBound = { waitingMax: 5_000, message: storeIsBusy }

/** Requests that wait to hear what other services have changed. */
export const REQUESTS: QueueBound = { waitingMax: 10_000, message: storeIsBusy }

/** Queries; at 50 ms each, four at a time, less than two seconds' worth. */
export const QUERIES: QueueBound = {
  waitingMax: 128,
  message: (waiting) => `${waiting} queries are waiting already; send this one again in a second`,
}

/**
 * Pieces of large requests that are stored at a time; each is work for the engine. A request has a place while a piece of it is
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

/** Requests with events. */
export const EVENTS: QueueBound = {
  waitingMax: 10_000,
  message: () => 'too many events are waiting to be stored; send this again in a second',
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
