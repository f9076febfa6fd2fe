/** Turns a monitor's query into one for a chart, with a value for each bin instead of one for the whole range. Pure. */
import type { Monitor } from '@deployment-annotations/contract/monitor'

/** Matches operators that keep `_time` and a last one that makes one row. */
const ONE_VALUE = /^([^|]*(?:\|\s*(?:where|extend)\b[^|]*)*)\|\s*(?:count\s*|summarize\s((?:(?!\bby\b)[^|])+))$/

/**
 * @returns the query with bins as wide as the range, whose values compare with the threshold; a query of another form is returned
 *   unchanged
 */
export function chartQuery({ aplQuery, rangeMinutes }: Pick<Monitor, 'aplQuery' | 'rangeMinutes'>): string {
  const [, stages, aggregates = 'count()'] = ONE_VALUE.exec(aplQuery) ?? []
  return stages === undefined ? aplQuery : `${stages}| summarize ${aggregates.trim()} by bin(_time, ${rangeMinutes}m)`
}

/** @returns a query of the number of events over time, each of which a monitor of this type annotates */
export function countQuery(aplQuery: string, binMinutes: number): string {
  return `${aplQuery.trim()}\n| summarize count() by bin(_time, ${binMinutes}m)`
}
