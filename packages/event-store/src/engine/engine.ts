/**
 * The interface of ClickHouse, embedded in this process (chDB) or on servers, with the same SQL.
 * Only this package talks to it and has its SQL, except for the statements of queries, which the package apl compiles. An engine writes
 * and looks up; queries have sessions of their own in reading/. Values are bound parameters `{name:Type}` or rows of an insert,
 * and never part of the text.
 * Deliberately not here: the two engines, which are embedded-engine.ts and server-engine.ts.
 */

export type BoundValues = Readonly<Record<string, string | number | readonly string[] | null>>

/**
 * If the engine is unavailable, every call rejects with a ServiceError `unavailable`, whose `mayHaveTakenEffect` says whether a change
 * or an insert may have happened.
 */
export interface Engine {
  /**
   * Runs a task that comes before everything else: at once, or where the engine may be away, before the first statement after it is back.
   * @throws whatever the task rejects with for another reason
   */
  prepare(task: () => Promise<unknown>): Promise<void>
  /** @returns the rows of a SELECT; 64-bit integers must be selected as text, or they are rounded */
  select<T>(sql: string, values?: BoundValues): Promise<T[]>
  /** Runs a statement without a result. It resolves when its effect is as durable as the table's settings make it. */
  run(sql: string, values?: BoundValues): Promise<void>
  /** Reads without waiting for other statements, so that a long queue is not taken for an unavailable store. It binds no values. */
  probe(sql: string): Promise<void>
  /** Inserts blocks of the format Native: all rows or none. On a cluster that holds for each shard alone. */
  insertBlocks(table: string, columns: readonly string[], blocks: readonly Uint8Array[], options?: InsertOptions): Promise<void>
  /** Runs long statements beside the others. */
  readonly bulk: Bulk
  close(): Promise<void>
}

/** Statements bind no values, because they have only numbers from this program. */
export interface Bulk {
  /** @returns the rows of a SELECT; 64-bit integers must be selected as text */
  select<T>(sql: string): Promise<T[]>
  /** @returns the rows of a SELECT in the engine's own format, which keeps every type */
  readNative(sql: string): Promise<Uint8Array>
  /** Runs a statement without a result. */
  run(sql: string): Promise<void>
  /**
   * Inserts the output of {@link readNative}. A part of it may be stored if this process ends meanwhile.
   * @param file an absolute path; compressed with Zstandard, and named `.zst`
   */
  insertNative(table: string, columns: readonly string[], file: string): Promise<void>
}

export interface InsertOptions {
  /**
   * With a token, rows are stored once however often they are sent; they must be the same, byte for byte. A server remembers the last
   * tokens of a table, even if the rows were deleted since. The embedded engine ignores it, because it cannot lose an answer.
   */
  token?: string
}
