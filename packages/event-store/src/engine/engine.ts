/**
 * ClickHouse as this package speaks to it, embedded in this process (chDB) or on servers, with one SQL text.
 * Only this package speaks to it, and all SQL of the service is here; the statements of queries are compiled by the
 * package apl. An engine writes and looks up; queries have sessions of their own in reading/. Values travel as bound
 * parameters `{name:Type}` or as JSON rows of an insert, never in the text.
 * Deliberately not here: the two engines, which are embedded-engine.ts and server-engine.ts.
 */

type BoundValue = string | number | readonly string[] | null
export type BoundValues = Readonly<Record<string, BoundValue>>
/** A row of an insert, column by column; 64-bit integers as decimal text. */
type Row = Readonly<Record<string, BoundValue>>

/**
 * An engine that is away makes every call reject with a ServiceError `unavailable`. Whether a change or an insert took effect
 * all the same is its `mayHaveTakenEffect`.
 */
export interface Engine {
  /** @returns the rows of a SELECT; 64-bit integers must be selected as text, or they are rounded */
  select<T>(sql: string, values?: BoundValues): Promise<T[]>
  /** Runs a statement that returns nothing; resolves when its effect is as durable as the table's settings make it. */
  run(sql: string, values?: BoundValues): Promise<void>
  /** Reads beside the statements that wait, so that many of them do not look like a store that is not there. Binds nothing. */
  probe(sql: string): Promise<void>
  /** Inserts all rows or none. */
  insert(table: string, rows: readonly Row[]): Promise<void>
  /**
   * Inserts rows that are JSON text already, one array per row with the values of `columns`: all or none.
   * On a cluster that holds for each shard alone.
   */
  insertJson(table: string, columns: readonly string[], rows: Buffer, options?: InsertOptions): Promise<void>
  /** Long statements, beside the others: they take rows out whole, and put them in again. */
  readonly bulk: Bulk
  close(): Promise<void>
}

/** Statements bind nothing: their values are numbers of ours. */
export interface Bulk {
  /** @returns the rows of a SELECT; 64-bit integers must be selected as text */
  select<T>(sql: string): Promise<T[]>
  /** @returns the rows of a SELECT in the engine's own format, which keeps every type */
  readNative(sql: string): Promise<Uint8Array>
  /**
   * Inserts what {@link readNative} gave. It may be stored in part when this process ends meanwhile.
   * @param file absolute; compressed with Zstandard, and named `.zst`
   */
  insertNative(table: string, columns: readonly string[], file: string): Promise<void>
}

/** Rows of one insert. */
export interface EventRows {
  /** Blocks of the engine's format Native, one after the other; a store that asks for texts gets none. */
  blocks: readonly Uint8Array[]
  /** JSON text, as {@link Engine.insertJson} takes it. */
  texts: readonly Buffer[]
}

export interface InsertOptions {
  /** The rows were acknowledged already, so they may use the room on the disk that is kept free of others. */
  isAcknowledged?: boolean
  /**
   * Stored once, however often rows are sent with it; the rows must be the same, byte for byte. A server remembers the last
   * tokens of a table, also those whose rows were deleted since. The embedded engine takes no notice of it: it cannot lose an
   * answer.
   */
  token?: string
}
