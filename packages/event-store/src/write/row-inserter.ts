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
   * @param token for the rows of one request that may have been sent before: with the same token they are stored once
   * @returns the refused rows of each
   */
  async insertAll(table: string, all: readonly Rows[], token?: string): Promise<RefusedRow[][]> {
    const texts = all.flatMap(({ texts: { written } }) => (written.length > 0 ? [written] : []))
    const blocks = all.flatMap((rows) => rows.blocks.map(({ written }) => written))
    assert(token === undefined || (all.length === 1 && blocks.length === 0), `the token ${token} is of texts of one request`)
    try {
      if (blocks.length + texts.length > 0) await this.#tables.insert(table, { blocks, texts }, optionsOf(token))
      return all.map(() => [])
    } catch (error) {
      if (!(error instanceof UnreadableRowsError)) throw error
      if (all.length > 1) return this.#insertApart(table, all)
      const [{ ends, texts: refused }] = all as [Rows]
      if (ends.length === 0) throw error
      // Rows in columns are never refused, because they have the engine's own types.
      if (blocks.length > 0) await this.#tables.insert(table, { blocks, texts: [] })
      return [await this.#divide({ table, bytes: refused.written, ends, token }, 0, ends.length, error)]
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
        const options = optionsOf(token && `${token}/${a}-${b}`)
        await this.#tables.insert(table, { blocks: [], texts: [part] }, options)
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
  token: string | undefined
}

const optionsOf = (token: string | undefined) => (token === undefined ? {} : { token })
