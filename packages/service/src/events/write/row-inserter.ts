/**
 * Inserts the rows of several requests at once. What the engine refuses is divided until the bad row is alone, so that it
 * costs none of its neighbors; the scanner should have found it, so this is a second safety net.
 */
import { type EventTables, UnreadableRowsError } from '../../store/event-tables.ts'
import type { Rows } from '../rows/rows.ts'

/** A row the engine did not take, by its index in its request. */
export interface Refused {
  index: number
  reason: string
}

export class RowInserter {
  readonly #tables: EventTables
  /** Where several buffers become one; always the same, as it is free again when the insert is through. */
  #scratch = Buffer.alloc(0)

  constructor(tables: EventTables) {
    this.#tables = tables
  }

  /**
   * One call at a time.
   * @param all the rows of each request
   * @returns what was refused of each
   */
  async insertAll(table: string, all: readonly Rows[]): Promise<Refused[][]> {
    const buffers = all.flatMap((rows) => (rows.count > 0 ? rows.buffers : []))
    if (buffers.length === 0) return all.map(() => [])
    try {
      await this.#tables.insert(table, this.#join(buffers))
      return all.map(() => [])
    } catch (error) {
      if (!(error instanceof UnreadableRowsError)) throw error
      if (all.length > 1) return this.#insertApart(table, all)
      const [rows] = all as [Rows]
      const bytes = Buffer.concat(rows.buffers)
      return [await this.#divide({ table, bytes, ends: rows.ends }, 0, rows.count, error)]
    }
  }

  async #insertApart(table: string, all: readonly Rows[]): Promise<Refused[][]> {
    const refused: Refused[][] = []
    for (const rows of all) refused.push(...(await this.insertAll(table, [rows])))
    return refused
  }

  /** Inserts the halves of the rows `from` to `to`, which were refused together. */
  async #divide(whole: RefusedRows, from: number, to: number, error: UnreadableRowsError): Promise<Refused[]> {
    if (to - from === 1) return [{ index: from, reason: error.message }]
    const { table, bytes, ends } = whole
    const middle = (from + to) >> 1
    const refused: Refused[] = []
    for (const [a, b] of [[from, middle] as const, [middle, to] as const]) {
      try {
        await this.#tables.insert(table, bytes.subarray(a === 0 ? 0 : ends[a - 1], ends[b - 1]))
      } catch (cause) {
        if (!(cause instanceof UnreadableRowsError)) throw cause
        refused.push(...(await this.#divide(whole, a, b, cause)))
      }
    }
    return refused
  }

  #join(buffers: readonly Buffer[]): Buffer {
    if (buffers.length === 1) return buffers[0] as Buffer
    const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    if (bytes > this.#scratch.length) this.#scratch = Buffer.allocUnsafe(bytes)
    let at = 0
    for (const buffer of buffers) at += buffer.copy(this.#scratch, at)
    return this.#scratch.subarray(0, bytes)
  }
}

/** Rows that were refused together: all in one buffer, and where each of them ends. */
interface RefusedRows {
  table: string
  bytes: Buffer
  ends: readonly number[]
}
