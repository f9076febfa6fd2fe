/**
 * The interface by which queries read the engine, and what both of its implementations share. Statements run apart from everything that
 * writes, read-only, within limits, and are ended when nobody waits for them any more.
 * Deliberately not here: the implementations, embedded-reader.ts and server-reader.ts.
 */
import type { Statement } from '@deployment-annotations/apl/plan'
import type { GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import { engineCode } from '../engine/engine-failures.ts'
import { type Attempt, type Query, RunAgain, type RunMode } from './query-gates.ts'
import type { ResultRows } from './result-rows.ts'

export interface Reader {
  /**
   * @param signal ends the statement, in the engine too
   * @param asker whose share of the engine it takes
   * @throws ServiceError `rate_limited` or `overloaded` when it would wait for too long, and what {@link describeEngineError} makes of the engine's errors
   */
  read(statement: Statement, signal: AbortSignal, asker?: QueryCaller): Promise<ReadResult>
  /**
   * Does what has to be done before the statements of a request are known, which waits for its turn meanwhile.
   * @throws ServiceError as {@link read} where that would be too long, and what `task` rejects with
   */
  whileWaiting<T>(task: () => Promise<T>, signal: AbortSignal, asker: QueryCaller): Promise<T>
  /** @returns a statement whose only cell is another text once the tables hold other events; `undefined` where that cannot be seen */
  stateOf(tables: readonly string[]): Statement | undefined
  /** What waits and runs, by queue. */
  load(): Readonly<Record<string, GateLoad>>
  /** Waits for what is under way. */
  close(): Promise<void>
}

export interface QueryCaller {
  /** Of a token, or of a part of the service that asks by itself. */
  id: string
  /** How long a statement may wait for its turn, where that is longer than people like to wait. */
  waitMsMax?: number
  /** When the request came for which it asks, by the monotonic clock: all its statements wait together no longer than one may. */
  sinceMs?: number
}

/** Who asks where nobody is named. */
export const NOBODY: QueryCaller = { id: '' }

/** @returns what the queues need to know of who asks */
export function waitOf(asker: QueryCaller, signal: AbortSignal): Omit<Query, 'shape'> {
  const { id: caller, waitMsMax, sinceMs } = asker
  return { caller, waitMsMax, sinceMs, request: asker, signal }
}

/** The caller disposes of it. */
export type ReadResult = ResultRows

/** What one statement may cost. */
export interface ReadLimits {
  msMax: number
  memoryBytesMax: number
  /** Rows that the engine may look at. */
  rowsExaminedMax: number
  /** Of the engine's answer; ours holds the values about twice, and is never in memory. */
  resultBytesMax: number
}

export const READ_LIMITS: ReadLimits = {
  msMax: 30_000,
  memoryBytesMax: 2_147_483_648,
  rowsExaminedMax: 10_000_000_000,
  resultBytesMax: 67_108_864,
}

/** How the engine reads and prints for queries: what the compiler expects, and text that can be sent on as it is. */
export function readSettings(limits: ReadLimits, mode: RunMode): Record<string, string> {
  return {
    dynamic_throw_on_type_mismatch: '0',
    allow_suspicious_types_in_order_by: '1',
    session_timezone: 'UTC',
    date_time_output_format: 'iso',
    output_format_json_quote_64bit_integers: '0',
    output_format_json_quote_denormals: '0',
    output_format_json_escape_forward_slashes: '0',
    max_query_size: String(STATEMENT_BYTES_MAX),
    // In parallel it is no faster, and takes up to 60 MiB.
    output_format_parallel_formatting: '0',
    max_execution_time: String(limits.msMax / 1_000),
    timeout_overflow_mode: 'throw',
    max_memory_usage: String(limits.memoryBytesMax),
    max_rows_to_read: String(limits.rowsExaminedMax),
    read_overflow_mode: 'throw',
    max_result_bytes: String(limits.resultBytesMax),
    result_overflow_mode: 'throw',
    ...spillSettings(limits, mode),
    readonly: '1',
  }
}

/** Of the memory of a query: what it holds of groups or rows to sort before it writes them to the disk. */
const SPILL_PART = { foreground: 1 / 2, background: 1 / 2, spilling: 1 / 8 } as const
/** What it may have on the disk, as a multiple of its memory. */
const SPILL_DISK_PARTS = 8

/**
 * Groups, rows to sort and, where that alone would do, rows to join go to the disk instead of making the query fail. Seen in
 * version 26.7: the ratios, which are there by default, spill nothing and keep the thresholds from doing it; a sort with a limit
 * keeps up to 1 GB before it drops what the limit does not need; joins spill in time with `grace_hash` alone, and slower than the
 * join by hash, so they do it in the second try.
 */
function spillSettings({ memoryBytesMax }: ReadLimits, mode: RunMode): Record<string, string> {
  const heldBytes = String(Math.floor(memoryBytesMax * SPILL_PART[mode]))
  return {
    max_bytes_ratio_before_external_group_by: '0',
    max_bytes_ratio_before_external_sort: '0',
    max_bytes_before_external_group_by: heldBytes,
    max_bytes_before_external_sort: heldBytes,
    min_external_sort_block_bytes: String(Math.floor(memoryBytesMax / 16)),
    max_bytes_before_remerge_sort: String(Math.floor(memoryBytesMax / 4)),
    max_temporary_data_on_disk_size_for_query: String(memoryBytesMax * SPILL_DISK_PARTS),
    ...(mode === 'spilling' && { join_algorithm: 'grace_hash,parallel_hash,hash', max_bytes_in_join: heldBytes }),
  }
}

const MEMORY_LIMIT_EXCEEDED = '241'

/** @throws RunAgain; what `read` rejects with */
export async function attemptRead<T>({ signal, mode }: Attempt, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (mode !== 'spilling' && engineCode(error) === MEMORY_LIMIT_EXCEEDED) throw new RunAgain('spilling', { cause: error })
    throw error
  }
}

/** A statement that was not there to be killed may just not have begun. */
const KILL_AGAIN_MS = 250

/** Runs `task` when the signal ends, and again until it is stopped. @returns what stops it */
export function onAbort(signal: AbortSignal, task: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    void task()
    timer = setInterval(() => void task(), KILL_AGAIN_MS)
  }
  signal.addEventListener('abort', start, { once: true })
  return () => {
    signal.removeEventListener('abort', start)
    clearInterval(timer)
  }
}

/** Longest text of a statement, in bytes: what the compiler makes is far below it, and two sources give at most 11 MB each. */
const STATEMENT_BYTES_MAX = 33_554_432

/** @param others such constants, as `'…' AS name`. @returns the text of the statement, its constants before it */
export function withConstants({ sql, constants = {} }: Statement, others: readonly string[] = []): string {
  const all = [...others, ...Object.entries(constants).map(([name, rows]) => constant(name, rows))]
  return all.length === 0 ? sql : `WITH ${all.join(', ')} ${sql}`
}

function constant(name: string, rows: Buffer): string {
  if (!/^[a-z_]{1,40}$/.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a constant`)
  return `'${rows.toString('base64')}' AS ${name}`
}
