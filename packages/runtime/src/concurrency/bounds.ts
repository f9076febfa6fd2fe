/**
 * The limits of this process: how much may happen at a time, and how much may wait. They are in one file so that they can be compared.
 * Deliberately not here: the waiting itself, which belongs to the modules with the gates.
 */
import { availableParallelism } from 'node:os'
import type { GateBound } from './gate.ts'
import type { HeldBound } from './held-bytes.ts'

/** Requests that begin in one turn of the event loop, about 20 ms of work. */
export const REQUESTS_PER_TURN: GateBound = { what: 'requests', slots: 64, waitingMax: 10_000 }
/** Bodies whose reading begins in one turn of the event loop: a hundred events take 1 ms. */
export const BODIES_PER_TURN: GateBound = { what: 'requests with bodies', slots: 24, waitingMax: 10_000 }

/** Calls over HTTP/2, by token. A client of gRPC sends a refused one again by itself, because nothing was done for it. */
export const CALLS: GateBound = { what: 'calls', slots: 512, slotsPerCaller: 256, waitingMax: 0 }

/** Statements that write or read little; at 50 changes a second, this is about 10 s of work. */
export const STATEMENTS: Omit<GateBound, 'slots'> = { what: 'statements of the store', waitingMax: 500, waitMsMax: 20_000 }

/** Tables that one export measures at a time. On a server, most of a measurement is the round trip. */
export const MEASUREMENTS: GateBound = { what: 'measurements', slots: 4, waitingMax: Number.POSITIVE_INFINITY }

/** Deletes of events, one at a time for each table, which is their caller. Whoever asks for one has been admitted by another bound. */
export const DELETES: GateBound = { what: 'deletes', slots: 64, slotsPerCaller: 1, waitingMax: Number.POSITIVE_INFINITY }

/** Changes of records; at 1,500 a second, this is about 3 s of work. */
export const RECORD_CHANGES: Omit<GateBound, 'slots'> = { what: 'changes of records', waitingMax: 5_000, waitMsMax: 8_000 }

/** How long a query or a list may wait for its slot, in milliseconds; most that are refused learn it within 0.3 s. */
const READ_WAIT_MS_MAX = 5_000

/** Lists of records, each in a turn of the event loop of its own, because a long one blocks the loop for some milliseconds. */
export const LISTS: GateBound = { what: 'lists', slots: 1, waitingMax: 1_000, waitMsMax: READ_WAIT_MS_MAX }

/** Queries that are compiled, each in a turn of the event loop of its own: that blocks it for some milliseconds. */
export const COMPILATIONS: GateBound = { what: 'queries', slots: 1, waitingMax: Number.POSITIVE_INFINITY }

/** Requests that wait until the changes of other services are read. */
export const REQUESTS: Omit<GateBound, 'slots'> = { what: 'requests', waitingMax: 10_000 }

/**
 * The engine uses all processors for one query. More slots than processors keep a short query from waiting for a long one; even more
 * slots would only take memory.
 */
const PROCESSORS = availableParallelism()
/** How long a query may hold a slot of the quick gate while others wait for it. */
export const QUICK_MS_MAX = 2_000

const QUICK_SLOTS = within(4, PROCESSORS, 8)
const LONG_SLOTS = within(3, Math.ceil(PROCESSORS / 2), 8)

/**
 * Requests with queries. Some are prepared, or wait until events are in their tables, while others have the engine. Requests of one
 * caller whose queries take long leave room for its small ones.
 */
export const QUERY_REQUESTS: GateBound = {
  what: 'queries',
  slots: 16,
  slotsPerCaller: 12,
  waitingMax: 800,
  waitingPerCallerMax: 400,
  waitMsMax: READ_WAIT_MS_MAX,
}

/** The gate where all queries begin, for the requests that may. One slot is always left for other callers. */
export const QUICK_QUERIES: GateBound = {
  what: 'queries',
  slots: QUICK_SLOTS,
  slotsPerCaller: QUICK_SLOTS - 1,
  waitingMax: Number.POSITIVE_INFINITY,
}

/** The gate for queries that take longer; they may hold a slot for as long as a query may take. */
export const LONG_QUERIES: GateBound = {
  what: `queries that take more than ${QUICK_MS_MAX / 1_000} s`,
  slots: LONG_SLOTS,
  slotsPerCaller: LONG_SLOTS - 1,
  waitingMax: 8,
  waitingPerCallerMax: 4,
  waitMsMax: 10_000,
  retryAfterS: 5,
}

/** The most queries under way at a time, at both gates. */
export const QUERIES_AT_ONCE = QUICK_QUERIES.slots + LONG_QUERIES.slots

/** Queries that wait for new events; each holds a connection and a timer. */
export const HELD_QUERIES: GateBound = {
  what: 'queries that wait for events',
  slots: 256,
  waitingMax: 0,
  instead: 'or without streaming-duration',
}

/**
 * Pieces of large requests that are stored at a time; each is work for the engine. A request holds a slot only while a piece is stored
 * and not while it waits for the next one, so slow senders hold none. The others wait with one piece in memory each.
 */
export const LARGE_PIECES: GateBound = { what: 'pieces of large requests', slots: 4, waitingMax: 32, instead: 'or in parts' }
/** Large requests under way, most of which wait for their senders; each has a table in the engine. */
export const LARGE_REQUESTS: GateBound = { what: 'large requests', slots: 256, waitingMax: 0, instead: 'or in parts' }

/** Requests with events. */
export const EVENTS: Omit<GateBound, 'slots'> = { what: 'requests with events', waitingMax: 10_000, waitMsMax: 8_000 }
/**
 * Inserts of events under way at a time, each into another table. An insert of one row needs a processor rather than the disk, so more
 * inserts than processors would only take memory.
 */
export const EVENT_INSERTS_AT_ONCE = 4
/** The most bytes of rows that wait, over all requests. The engine holds a few times its batch in addition. */
export const EVENT_BYTES_WAITING_MAX = 67_108_864
/** The most bytes of bodies that are held in memory as a whole, over all requests. */
export const BODY_BYTES_HELD_MAX = 134_217_728

const ANSWERS: Pick<HeldBound, 'describe' | 'retryAfterS'> = {
  describe: ({ bytes }, isOwn) =>
    `answers of ${Math.round(bytes / 1_048_576)} MiB wait ${isOwn ? 'to be read by it, or to be left' : 'for their readers'}`,
  // A reader that reads nothing is disconnected after half a minute.
  retryAfterS: 10,
}
/** Answers of queries that their readers have not read, on the disk: enough for sixteen of the largest ones. */
export const ANSWERS_HELD: HeldBound = { bytesMax: 1_073_741_824, bytesPerCallerMax: 536_870_912, ...ANSWERS }
/** Answers in memory that their readers have not read. */
export const UNSENT_ANSWERS: HeldBound = { bytesMax: 134_217_728, bytesPerCallerMax: 67_108_864, ...ANSWERS }

function within(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
