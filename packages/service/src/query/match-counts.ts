/**
 * How many rows queries match. Counting reads all that a filter reads, which is more than a page does, so a count is remembered, and is
 * still right as long as its tables have the same parts: whoever pages on has it for a look at the list of parts. A cursor cannot
 * carry it, because a cursor is the id of a row, and clients compare the two.
 */
import { hash } from 'node:crypto'
import type { Statement } from '@deployment-annotations/apl/plan'
import type { Reader, ReadResult } from '../store/reading/reader.ts'
import { rowsOfState } from '../store/reading/table-state.ts'
import { readCell, readNumber } from './rows.ts'

type Run = (statement: Statement) => Promise<ReadResult>

/** Counts the matches of one query. */
export interface MatchCounter {
  /**
   * Sees which state of the data is counted. To be called before {@link count}, or the count is neither found nor remembered.
   * @returns how many rows the tables have, where that can be seen
   */
  look(run: Run): Promise<number | undefined>
  count(run: Run): Promise<number>
}

/** Each is some 200 bytes. */
const COUNTS_MAX = 1_000

interface Count {
  state: string
  matched: number
}

export class MatchCounts {
  readonly #reader: Reader
  readonly #known = new Map<string, Count>()

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /**
   * @param statement counts the rows
   * @param tables that it reads
   */
  of(statement: Statement, tables: readonly string[]): MatchCounter {
    // Rows of the records come with the statement, and have no parts.
    const isOfRecords = statement.constants !== undefined
    const { stateOf } = this.#reader
    let state: string | undefined
    return {
      look: async (run) => {
        if (!stateOf || isOfRecords) return undefined
        await using result = await run(stateOf(tables))
        state = await readCell(result)
        return rowsOfState(state)
      },
      count: async (run) => {
        const key = state === undefined ? '' : hash('sha256', JSON.stringify([statement, tables]))
        const known = this.#known.get(key)
        if (known && known.state === state) return known.matched
        await using result = await run(statement)
        const matched = await readNumber(result)
        if (state !== undefined) this.#remember(key, { state, matched })
        return matched
      },
    }
  }

  #remember(key: string, count: Count): void {
    this.#known.delete(key)
    this.#known.set(key, count)
    const [oldest] = this.#known.keys()
    if (this.#known.size > COUNTS_MAX && oldest !== undefined) this.#known.delete(oldest)
  }
}
