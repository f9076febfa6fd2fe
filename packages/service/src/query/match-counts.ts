/**
 * How many rows queries match. Counting reads all that a filter reads, which is more than a page does, so a count is remembered, and is
 * still right as long as its tables have the same parts: the next page has it for a look at the list of parts. A cursor cannot
 * carry it, because a cursor is the id of a row, and clients compare the two.
 */
import { hash } from 'node:crypto'
import type { Plan, Statement } from '@deployment-annotations/apl/plan'
import type { Reader, ReadResult } from '@deployment-annotations/event-store/reading/reader'
import { rowsOfState } from '@deployment-annotations/event-store/reading/table-state'
import { readCells, readNumber } from './rows.ts'

type Run = (statement: Statement) => Promise<ReadResult>

/** Counts the matches of one query. */
export interface MatchCounter {
  /** @param look runs what is no part of the query */
  count(run: Run, look: Run): Promise<number>
  /** @returns how many rows the tables have, where that can be seen */
  look(look: Run): Promise<number | undefined>
  /** Whether the last page of such a query was full, whatever its values. */
  readonly wasFull: boolean
  /** Tells how full a page was. */
  note(isFull: boolean): void
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
  readonly #wasFull = new Map<string, boolean>()

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** @param tables that the plan reads */
  of({ sql, count, kind, constants }: Plan, tables: readonly string[]): MatchCounter {
    const shape = hash('sha256', sql)
    // Only pages are asked for again, and rows of the records come with the statement, and have no parts.
    const isRemembered = kind === 'rows' && constants === undefined
    let looked: Promise<string | undefined> | undefined
    const stateBy = (look: Run) => {
      looked ??= isRemembered ? this.#stateOf(tables, look) : Promise.resolve(undefined)
      return looked
    }
    return {
      look: async (look) => {
        const state = await stateBy(look)
        return state === undefined ? undefined : rowsOfState(state)
      },
      count: async (run, look) => {
        // Before the rows are counted, so that a count is never taken for one of an earlier state.
        const state = await stateBy(look)
        const key = state === undefined ? '' : hash('sha256', JSON.stringify([count, tables]))
        const known = this.#known.get(key)
        if (known && known.state === state) return known.matched
        await using result = await run(count)
        const matched = await readNumber(result)
        if (state !== undefined) remember(this.#known, key, { state, matched })
        return matched
      },
      wasFull: this.#wasFull.get(shape) ?? false,
      note: (isFull) => remember(this.#wasFull, shape, isFull),
    }
  }

  async #stateOf(tables: readonly string[], look: Run): Promise<string | undefined> {
    const { stateOf } = this.#reader
    if (!stateOf) return undefined
    await using result = await look(stateOf(tables))
    return (await readCells(result))[0]
  }
}

/** Forgets what was remembered first. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > COUNTS_MAX && oldest !== undefined) map.delete(oldest)
}
