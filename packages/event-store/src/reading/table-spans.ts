/**
 * Statements about a whole table, which save queries from reading it:
 * - The span of its times. A query whose range contains all of it need not check the time of each event, which is most of the cost of a
 *   count. The span is right as long as nothing was written since it was read, so a query checks that after it has run; a write counts
 *   from before the engine has its first row.
 * - Its state, a text that changes whenever an event is stored or removed.
 */
import type { Statement } from '@deployment-annotations/apl/sql/plan'
import type { TableWrites } from '../tables/table-writes.ts'

/** Nanoseconds since the epoch; the end is exclusive. */
export interface Span {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** A table without events has an undefined span, which is within every range. */
export interface TableSpan {
  readonly table: string
  readonly span: Span | undefined
  readonly rows: number
  /** The number of the last write before it was read. */
  readonly write: number
}

/** Whether all events of a table are in a range. */
export function isWithin({ span }: TableSpan, range: Span): boolean {
  return span === undefined || (range.startNs <= span.startNs && span.endNs <= range.endNs)
}

/** The span is read only after this long without writes; otherwise a query would often have to run again. */
const QUIET_MS = 1_000

export class TableSpans {
  readonly #writes: TableWrites
  readonly #quietMs: number
  readonly #known = new Map<string, TableSpan>()

  constructor(writes: TableWrites, quietMs = QUIET_MS) {
    this.#writes = writes
    this.#quietMs = quietMs
  }

  /** @returns the span of a table, if it is known and the table is not being written to */
  of(table: string): TableSpan | undefined {
    const known = this.#known.get(table)
    return known && this.#writes.isQuiet(table, this.#quietMs) && this.isCurrent(known) ? known : undefined
  }

  /** Whether nothing was written to the table since its span was read. */
  isCurrent({ table, write }: TableSpan): boolean {
    return this.#writes.numberOf(table) === write
  }

  /**
   * Reads the unknown spans of tables that nobody writes to.
   * @param read returns the texts of the only row of a statement
   */
  async refresh(tables: readonly string[], read: (statement: Statement) => Promise<readonly string[]>): Promise<void> {
    for (const table of tables) {
      if (this.of(table) || !this.#writes.isQuiet(table, this.#quietMs)) continue
      const write = this.#writes.numberOf(table)
      const ns = (of: string) => `toString(toUnixTimestamp64Nano(${of}(_time)))`
      // The engine answers it from the index of each part, without reading rows.
      const sql = `SELECT ${ns('min')}, ${ns('max')}, toString(count()) FROM ${table}`
      const [first = '', last = '', rows = ''] = await read({ sql, params: {} })
      const span = rows === '0' ? undefined : { startNs: BigInt(first), endNs: BigInt(last) + 1n }
      this.#known.set(table, { table, span, rows: Number(rows), write })
    }
  }
}

/** @returns the statement whose only cell is the state */
export function tableState(tables: readonly string[]): Statement {
  const parts =
    'SELECT table, name, rows FROM system.parts WHERE active AND database = currentDatabase() AND has({t:Array(String)}, table)'
  const state = "concat(toString(sipHash64(arraySort(groupArray((table, name))))), ':', toString(sum(rows)))"
  return { sql: `SELECT ${state} FROM (${parts})`, params: { t: tables } }
}

/** @returns how many rows a table has in this state, including deleted rows that still take up room */
export function rowsOfState(state: string): number {
  return Number(state.slice(state.indexOf(':') + 1))
}
