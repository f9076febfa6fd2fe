/**
 * What queries answered of whole days of UTC, in memory, because the judgements of a dataset ask about the same fortnight again and again.
 * A day is asked anew after a day at the latest, so that events that came late, or were deleted, count then. Reading is bounded: no verdict
 * is late because of the past.
 */
import { totalmem } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { type AnsweredTable, readColumns, toNumber } from '@deployment-annotations/compare/columns'
import type { Answer, Ask } from '@deployment-annotations/compare/comparison'
import { LATE_MS } from '@deployment-annotations/compare/lag'
import type { TimeRange } from '@deployment-annotations/compare/windows'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { LRUCache } from 'lru-cache'

/** Of all days. A fortnight of the three queries of a dataset takes 1.5 MB. */
const BYTES_MAX = Math.min(134_217_728, totalmem() / 64)
/** What a number takes, a text, and a day beside its cells. */
const BYTES = { number: 8, text: 48, day: 2_048 }
const KEPT = { maxSize: BYTES_MAX, sizeCalculation: bytesOf, ttl: UNIT_MS.d, ttlResolution: 0 }
/** So long one judgement may take to read days that are not there. The next one reads on. */
const READ_MS_MAX = 20_000

/** @param until given about a day alone: when nobody waits for it any more */
export type DayAsk = (...asked: [...Parameters<Ask>, until?: AbortSignal]) => Promise<Answer>

export class KeptDays {
  /** When the last judgement is: days age by the clock of the judge. */
  #nowMs = 0
  readonly #kept = new LRUCache<string, Answer>({ ...KEPT, perf: { now: () => this.#nowMs } })

  /**
   * @param of what an answer depends on, beside the query and its range
   * @returns asks each question once in one judgement, and about days once in many. It throws what asking throws, and about a day where
   *   there is no time for it
   */
  reader(ask: DayAsk, of: (apl: string) => unknown, nowMs: number): Ask {
    this.#nowMs = nowMs
    const until = AbortSignal.timeout(READ_MS_MAX)
    const asked = new Map<string, Promise<Answer>>()
    const readDay = async (key: string, ...[query, range]: Parameters<Ask>): Promise<Answer> => {
      const kept = this.#kept.get(key)
      // A judgement that waits for nothing would hold up everything else for as long as it takes.
      if (kept) return setImmediate(kept)
      until.throwIfAborted()
      const answer = await ask(query, range, until)
      if (answer.status.isPartial || Date.parse(range.endTime) + LATE_MS > nowMs) return answer
      const small = { ...answer, tables: answer.tables.map(shrink) }
      this.#kept.set(key, small)
      return small
    }
    return (query, range) => {
      const key = JSON.stringify([query.apl, range, isDay(range) && of(query.apl)])
      const answer = asked.get(key) ?? (isDay(range) ? readDay(key, query, range) : ask(query, range))
      asked.set(key, answer)
      return answer
    }
  }
}

/** @returns whether it is just a day of UTC: of the past whole days are asked about, and of nothing else */
const isDay = ({ startTime, endTime }: TimeRange): boolean =>
  Date.parse(startTime) % UNIT_MS.d === 0 && Date.parse(endTime) - Date.parse(startTime) === UNIT_MS.d

/** @returns it with times as milliseconds and all numbers as such, of which an array takes little */
function shrink(table: AnsweredTable): AnsweredTable {
  const { timeAt } = readColumns(table)
  const shrinkCell = (cell: unknown, at: number) => (at === timeAt ? Date.parse(String(cell)) : (toNumber(cell) ?? cell))
  return { ...table, columns: table.columns.map((cells, at) => cells.map((cell) => shrinkCell(cell, at))) }
}

function bytesOf({ tables }: Answer, key: string): number {
  const cellOf = ([first]: readonly unknown[]) => (typeof first === 'string' ? BYTES.text : BYTES.number)
  return tables.reduce(
    (sum, { columns, unseen }) =>
      columns.reduce((ofTable, cells) => ofTable + cells.length * cellOf(cells), sum + (unseen?.size ?? 0) * BYTES.text),
    BYTES.day + 2 * key.length,
  )
}
