/** The answer to the query of a view, with its filters, and to the same query over the earlier time that it is compared with. */
import { withOwnPlace } from '../filters/error.ts'
import { filterQuery } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { queryTables, type TabularAnswer } from '../service/query.ts'
import { formatRange, type Range } from '../view/range.ts'
import type { View } from '../view/view.ts'
import { earlierRange, shiftOf } from './earlier.ts'

export interface Answer {
  answered: AnsweredQuery | undefined
  /** The answer to the same query over the earlier time that the view compares with. */
  earlier: TabularAnswer | undefined
  isRunning: boolean
  /** Gives the query up that is running. */
  cancel: () => void
  queryError: unknown
}

/** An answer, with the query that it is the answer to. */
export interface AnsweredQuery {
  apl: string
  answer: TabularAnswer
}

async function runQuery(apl: string, range: Range, signal: AbortSignal): Promise<AnsweredQuery> {
  return { apl, answer: await queryTables({ apl, ...formatRange(range) }, signal) }
}

/** @param range another object asks again, even with the same times; without one, as without a query, nothing is asked */
export function useAnswer({ apl, compare, filters }: View, range: Range | undefined): Answer {
  const query = filterQuery(apl, filters)
  const result = useLoad(range && apl !== '' ? (signal) => runQuery(query, range, signal) : undefined, [query, range], query)

  const shiftMs = shiftOf(compare)
  const before = range && shiftMs !== undefined && apl !== '' ? earlierRange(range, shiftMs) : undefined
  const earlier = useLoad(before && ((signal) => runQuery(query, before, signal)), [query, range, shiftMs], `${query} ${compare}`)
  // Until the answer to another query is there, the one before it is shown whole.
  const answered = apl === '' ? undefined : result.data
  return {
    answered,
    earlier: earlier.data?.apl === answered?.apl ? earlier.data?.answer : undefined,
    isRunning: result.isLoading,
    cancel: result.cancel,
    queryError: withOwnPlace(apl, filters, result.error),
  }
}
