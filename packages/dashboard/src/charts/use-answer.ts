/** Loads the answer to the query of a view, with its filters, and the answer for the earlier time that it is compared with. */
import { chosenStep, formatRange, isOtherRange, type Range } from '../address/range.ts'
import type { View } from '../address/view.ts'
import { describeFilter } from '../filters/filter.ts'
import { filterQuery } from '../filters/filtered.ts'
import { useLoad } from '../parts/use-load.ts'
import { leavesBinOpen, withBinWidth } from '../query/bin-width.ts'
import { queryTables } from '../service/query.ts'
import { AnswerError } from '../service/request.ts'
import type { Answered } from './display.ts'
import { earlierRange } from './earlier.ts'

/** @returns a query as it is sent to the service, with the filters and the chosen width of intervals */
export function writeAsked(apl: string, { bin, filters }: Pick<View, 'bin' | 'filters'>, range: Range | undefined): string {
  const query = filterQuery(apl, filters)
  return range && chosenStep(bin, range) !== undefined ? withBinWidth(query, bin) : query
}

async function runQuery(
  apl: string,
  { bin, filters }: Pick<View, 'bin' | 'filters'>,
  range: Range,
  signal: AbortSignal,
): Promise<Answered> {
  const ask = (text: string) => queryTables({ apl: text, ...formatRange(range) }, signal)
  const asked = writeAsked(apl, { bin, filters }, range)
  const query = filterQuery(apl, filters)
  try {
    return { apl: query, range, answer: await ask(asked) }
  } catch (error) {
    if (asked === apl || !(error instanceof AnswerError) || error.status !== 400) throw error
    // An error is shown at its position in the text that the person wrote.
    const answer = await ask(apl)
    if (filters.length === 0) return { apl, range, answer }
    const reason = error.detail?.message ?? error.message
    throw new AnswerError(`this query does not take the filters (${filters.map(describeFilter).join('; ')}): ${reason}`, 400)
  }
}

/** @param range a new object asks again, even with the same times; without a range or a query nothing is asked */
export function useAnswer({ apl, bin, compare, filters }: View, range: Range | undefined) {
  const query = filterQuery(apl, filters)
  // The width affects only queries that leave it open.
  const width = leavesBinOpen(query) ? bin : ''
  const ask = (of: Range | undefined) =>
    of && apl !== '' ? (signal: AbortSignal) => runQuery(apl, { bin: width, filters }, of, signal) : undefined
  // A query with a mistake leaves what is shown: its subject is the chart, whatever is asked.
  const result = useLoad(ask(range), [query, range, width], 'result')

  const before = range && earlierRange(range, compare)
  const earlier = useLoad(ask(before), [query, range, compare, width], `${query} ${compare}`)
  // The answer to the previous query is shown until the next one arrives.
  const answered = apl === '' ? undefined : result.data
  return {
    answered,
    earlier: earlier.data?.apl === answered?.apl ? earlier.data?.answer : undefined,
    isRunning: result.isLoading,
    /** Whether `answered` is of another range or another query than what is asked now. */
    isStale: answered !== undefined && range !== undefined && (answered.apl !== query || isOtherRange(range, answered.range)),
    cancel: result.cancel,
    queryError: result.error,
  }
}
