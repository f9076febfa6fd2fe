/**
 * When columns and indexes are made of the rows that are there: once when they are chosen, and again and again of what came or was
 * merged meanwhile, which has no index. Deliberately not here: which ones there are.
 */

import { isColumn, kindOf } from '../schema/field-layout.ts'
import type { EventLayouts, TableSize } from '../tables/event-layouts.ts'

/** A smaller share of the rows is searched soon enough without; so many times ten columns are made again. */
const SHARE_MIN = 0.1
/** What making takes of the time that passes is one part in so many. */
const REST = 20
/** Measured, for an index of words; what else there is takes a tenth of it. */
const MICROSECONDS_PER_ROW = 3
/** A table to which nothing was added for so long is at rest, and all of it is indexed. */
const QUIET_SECONDS = 45

export class Builds {
  readonly #layouts: EventLayouts
  /** When the next one of a table may begin. */
  readonly #notBeforeMs = new Map<string, number>()

  constructor(layouts: EventLayouts) {
    this.#layouts = layouts
  }

  /** @param rows that it has to be made of */
  async begin(table: string, names: readonly string[], rows: number): Promise<void> {
    await this.#layouts.build(table, names)
    this.#notBeforeMs.set(table, performance.now() + (rows * MICROSECONDS_PER_ROW * REST) / 1_000)
  }

  /** @param names of what the table has */
  async goOn(table: string, names: readonly string[], { rows, rowsUnindexed, quietSeconds }: TableSize): Promise<void> {
    const notBeforeMs = this.#notBeforeMs.get(table)
    if (names.length === 0 || rows === 0 || (notBeforeMs !== undefined && performance.now() < notBeforeMs)) return
    const indexes = names.filter((name) => !isColumn(kindOf(name)))
    const isDue = rowsUnindexed >= rows * SHARE_MIN || (rowsUnindexed > 0 && quietSeconds >= QUIET_SECONDS)
    // Columns come with inserts and merges; what was there before lacks them where making them was ended.
    const columns = await this.#missing(table, names)
    const wanted = [...columns, ...(indexes.length > 0 && isDue ? indexes : [])]
    if (wanted.length === 0) return
    if (!(await this.#layouts.isBuilding(table))) await this.begin(table, wanted, columns.length > 0 ? rows : rowsUnindexed)
  }

  async #missing(table: string, names: readonly string[]): Promise<string[]> {
    const missing = await this.#layouts.missing(table)
    return names.filter((name) => (missing.get(name) ?? 0) >= SHARE_MIN)
  }
}
