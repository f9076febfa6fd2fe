/** Maps an error of a query with filters to the query that the person wrote. */
import { AnswerError } from '../service/request.ts'
import { describeFilter } from './filter.ts'
import { placeWithoutFilters } from './filtered.ts'

/** @returns the error with its position in `apl`; an error in a filter has no position and names the filters */
export function withOwnPlace(apl: string, filters: readonly string[], error: unknown): unknown {
  if (filters.length === 0 || !(error instanceof AnswerError) || !error.detail) return error
  const place = placeWithoutFilters(apl, filters, error.detail)
  if (!place) {
    const message = `this query does not take the filters (${filters.map(describeFilter).join('; ')}): ${error.detail.message}`
    return new AnswerError(message, error.status, error.traceId)
  }
  // The suggested query has the filters in it.
  const { suggestion: _, ...detail } = error.detail
  return new AnswerError(error.message, error.status, error.traceId, { ...detail, ...place })
}
