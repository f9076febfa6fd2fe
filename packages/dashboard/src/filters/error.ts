/** What is wrong with a query that was run with filters, told about the query that the person wrote. */
import { AnswerError } from '../service/request.ts'
import { describeFilter } from './filter.ts'
import { placeWithoutFilters } from './filtered.ts'

/** @returns the error at its place in `apl`; of a mistake in a filter, one that has no place there and names the filters */
export function withOwnPlace(apl: string, filters: readonly string[], error: unknown): unknown {
  if (filters.length === 0 || !(error instanceof AnswerError) || !error.detail) return error
  const place = placeWithoutFilters(apl, filters, error.detail)
  if (!place) {
    const message = `this query does not take the filters (${filters.map(describeFilter).join('; ')}): ${error.detail.message}`
    return new AnswerError(message, error.status, error.traceId)
  }
  // The mended text has the filters in it.
  const { suggestion: _, ...detail } = error.detail
  return new AnswerError(error.message, error.status, error.traceId, { ...detail, ...place })
}
