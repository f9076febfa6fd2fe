/**
 * The interface for reading the engine with queries, and the common part of its implementations. Statements run apart from all writes,
 * read-only and within limits, and are ended when nobody waits for them any more.
 * Deliberately not here: the implementations, embedded-reader.ts and server-reader.ts.
 */
import assert from 'node:assert'
import type { Statement } from '@deployment-annotations/apl/sql/plan'
import type { GateLoad, Permit } from '@deployment-annotations/runtime/concurrency/gate'
import type { RunMode } from './query-gates.ts'
import type { ResultRows } from './result-rows.ts'

export interface Reader {
  /**
   * @param signal ends the statement, also in the engine
   * @param asker the caller whose share of the engine it takes
   * @throws ServiceError `rate_limited` or `overloaded` if it would wait too long, and the errors of {@link describeEngineError}
   */
  read(statement: Statement, signal: AbortSignal, asker?: QueryCaller): Promise<ReadResult>
  /**
   * Waits until a request may begin, and runs `prepare` meanwhile. Its statements are read while its caller holds the permit.
   * @throws ServiceError `rate_limited` or `overloaded` if it would wait too long; the signal's reason; whatever `prepare` rejects with
   */
  admit<T>(prepare: () => Promise<T>, signal: AbortSignal, asker: QueryCaller): Promise<{ prepared: T; permit: Permit }>
  /** @returns a statement whose only cell changes when the tables' events do; `undefined` if the store has none */
  stateOf(tables: readonly string[]): Statement | undefined
  load(): Readonly<Record<string, GateLoad>>
  close(): Promise<void>
}

export interface QueryCaller {
  /** The id of a token, or of a part of the service. */
  id: string
  /** The longest wait in milliseconds, if it may be longer than people like to wait. */
  waitMsMax?: number
  /** When its request came, by the monotonic clock. */
  sinceMs?: number
}

/** The caller disposes of it. */
export type ReadResult = ResultRows

/** The limits of one statement. */
export interface ReadLimits {
  msMax: number
  memoryBytesMax: number
  /** How many rows the engine may read. */
  rowsExaminedMax: number
  /** The most bytes of the engine's answer, and of the answer to the caller, which may have a value in many places. */
  resultBytesMax: number
}

export const READ_LIMITS: ReadLimits = {
  msMax: 30_000,
  memoryBytesMax: 2_147_483_648,
  rowsExaminedMax: 10_000_000_000,
  resultBytesMax: 67_108_864,
}

/** The part of a query's memory that its groups, or its rows to sort, may take before they are written to the disk. */
const SPILL_PART = { foreground: 1 / 2, background: 1 / 2, spilling: 1 / 8 } as const
/** How much a query may have on the disk, as a multiple of its memory. */
const SPILL_DISK_PARTS = 8

/** The settings by which the engine reads and prints for queries, as the compiler expects them. */
export function readSettings({ msMax, memoryBytesMax, ...limits }: ReadLimits, mode: RunMode): Record<string, string> {
  const heldBytes = String(Math.floor(memoryBytesMax * SPILL_PART[mode]))
  return {
    dynamic_throw_on_type_mismatch: '0',
    allow_suspicious_types_in_order_by: '1',
    session_timezone: 'UTC',
    date_time_output_format: 'iso',
    // It fails where a pattern is matched with what is computed of aggregations.
    optimize_or_like_chain: '0',
    output_format_json_quote_64bit_integers: '0',
    output_format_json_quote_denormals: '0',
    output_format_json_escape_forward_slashes: '0',
    max_query_size: String(STATEMENT_BYTES_MAX),
    // Parallel formatting is no faster, and takes up to 60 MiB.
    output_format_parallel_formatting: '0',
    max_execution_time: String(msMax / 1_000),
    timeout_overflow_mode: 'throw',
    max_memory_usage: String(memoryBytesMax),
    max_rows_to_read: String(limits.rowsExaminedMax),
    read_overflow_mode: 'throw',
    max_result_bytes: String(limits.resultBytesMax),
    result_overflow_mode: 'throw',
    // Groups, rows to sort and, if nothing else helps, rows to join are written to the disk instead of failing the query. Seen in
    // version 26.7: the default ratios spill nothing and disable the thresholds; a sort with a limit keeps up to 1 GB before it drops
    // surplus rows; joins spill in time only with `grace_hash`, which is slower than a hash join, so they use it in the second try.
    max_bytes_ratio_before_external_group_by: '0',
    max_bytes_ratio_before_external_sort: '0',
    max_bytes_before_external_group_by: heldBytes,
    max_bytes_before_external_sort: heldBytes,
    min_external_sort_block_bytes: String(Math.floor(memoryBytesMax / 16)),
    max_bytes_before_remerge_sort: String(Math.floor(memoryBytesMax / 4)),
    max_temporary_data_on_disk_size_for_query: String(memoryBytesMax * SPILL_DISK_PARTS),
    ...(mode === 'spilling' && { join_algorithm: 'grace_hash,parallel_hash,hash', max_bytes_in_join: heldBytes }),
    readonly: '1',
  }
}

/** A statement that was not found may only not have begun yet, so it is killed again after this time. */
const KILL_AGAIN_MS = 250

/** Runs `task` when the signal aborts, and repeats it. @returns a function that stops it */
export function onAbort(signal: AbortSignal, task: () => Promise<unknown>): () => void {
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

/** The longest text of a statement in bytes. Compiled statements are far shorter, and two sources add at most 11 MB each. */
const STATEMENT_BYTES_MAX = 33_554_432

/** @param others more constants, as `'…' AS name`. @returns the text of the statement with its constants before it */
export function withConstants({ sql, constants = {} }: Statement, others: readonly string[] = []): string {
  const own = Object.entries(constants).map(([name, rows]) => {
    assert(/^[a-z_]{1,40}$/.test(name), `${JSON.stringify(name)} is not the name of a constant`)
    return `'${rows.toString('base64')}' AS ${name}`
  })
  const all = [...others, ...own]
  return all.length === 0 ? sql : `WITH ${all.join(', ')} ${sql}`
}
