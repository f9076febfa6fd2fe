/**
 * What queries need of the engine: statements run apart from everything that writes, read-only, within limits, and ended
 * when nobody waits for them any more. One interface, two engines: embedded-reader.ts and server-reader.ts.
 */
import type { Statement } from '@deployment-annotations/apl/plan'
import { STATEMENT_BYTES_MAX } from './constants.ts'
import type { ResultRows } from './result-rows.ts'

export interface Reader {
  /**
   * @param signal ends the statement, in the engine too
   * @throws ServiceError `overloaded` when too many wait already, and what {@link describeEngineError} makes of the engine's errors
   */
  read(statement: Statement, signal: AbortSignal): Promise<ReadResult>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** Whoever gets it disposes of it. */
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

/** Statements under way at a time. The engine uses all cores for one; more keep a short one from waiting for a long one. */
export const READERS = 4

/** How the engine reads and prints for queries: what the compiler expects, and text that can be sent on as it is. */
export function readSettings(limits: ReadLimits): Record<string, string> {
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
    readonly: '1',
  }
}
