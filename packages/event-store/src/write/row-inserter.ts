/**
 * Inserts the rows of several requests at once. If the engine refuses some, they are divided until the bad row is alone, so that it
 * costs none of its neighbors; the scanner should have found it, so this is a second safety net.
 */
import assert from 'node:assert'
import type { Rows } from '../rows/rows.ts'
import { type EventTables, UnreadableRowsError } from '../tables/event-tables.ts'

/** A row that the engine refused, by its index in its request. */
export interface RefusedRow {
  index: number
  reason: string
}

export class RowInserter {
  readonly #tables: EventTables

  constructor(tables: EventTables) {
    this.#tables = tables
  }

  /**
   * @param all the rows of each request
   * @returns the refused rows of each
   */
  async insertAll(table: string, all: readonly Rows[]): Promise<RefusedRow[][]> {
    const texts = all.flatMap((rows) => rows.buffers)
    const blocks = all.flatMap((rows) => rows.blocks.map(({ written }) => written))
    try {
      if (blocks.length + texts.length > 0) await this.#tables.insert(table, { blocks, texts })
      return all.map(() => [])
    } catch (error) {
      if (!(error instanceof UnreadableRowsError)) throw error
      if (all.length > 1) return this.#insertApart(table, all)
      const [rows] = all as [Rows]
      if (rows.ends.length === 0) throw error
      // Rows in columns are never refused, because they have the engine's own types.
      if (blocks.length > 0) await this.#tables.insert(table, { blocks, texts: [] })
      return [await this.#divide(wholeOf(table, rows), 0, rows.ends.length, error)]
    }
  }

  /**
   * Inserts the rows of one request that may have been sent before: with the same token they are stored once.
   * @returns the refused rows
   */
  async insertOnce(table: string, rows: Rows, token: string): Promise<RefusedRow[]> {
    assert(rows.blocks.length === 0, 'rows with a token are sent as texts')
    if (rows.count === 0) return []
    try {
      await this.#tables.insert(table, { blocks: [], texts: rows.buffers }, { token })
      return []
    } catch (error) {
      if (!(error instanceof UnreadableRowsError)) throw error
      return this.#divide({ ...wholeOf(table, rows), token }, 0, rows.count, error)
    }
  }

  async #insertApart(table: string, all: readonly Rows[]): Promise<RefusedRow[][]> {
    const refused: RefusedRow[][] = []
    for (const rows of all) refused.push(...(await this.insertAll(table, [rows])))
    return refused
  }

  /** Inserts the halves of the rows `from` to `to`, which were refused together. */
  async #divide(whole: RefusedRows, from: number, to: number, error: UnreadableRowsError): Promise<RefusedRow[]> {
    if (to - from === 1) return [{ index: from, reason: error.message }]
    const { table, bytes, ends, token } = whole
    const middle = (from + to) >> 1
    const refused: RefusedRow[] = []
    for (const [a, b] of [[from, middle] as const, [middle, to] as const]) {
      try {
        const part = bytes.subarray(a === 0 ? 0 : ends[a - 1], ends[b - 1])
        // A part has a token of its own, because its rows differ from those of the whole; a repeat is divided in the same way.
        await this.#tables.insert(
          table,
          { blocks: [], texts: [part] },
          token === undefined ? {} : { token: `${token}/${a}-${b}` },
        )
      } catch (cause) {
        if (!(cause instanceof UnreadableRowsError)) throw cause
        refused.push(...(await this.#divide(whole, a, b, cause)))
      }
    }
    return refused
  }
}

/** Rows that were refused together, in one buffer, with the end of each. */
interface RefusedRows {
  table: string
  bytes: Buffer
  ends: readonly number[]
  token?: string
}

function wholeOf(table: string, rows: Rows): RefusedRows {
  return { table, bytes: Buffer.concat(rows.buffers), ends: rows.ends }
}
