/** A monitor's query for a chart: one value for the whole range becomes one value for each bin of that width. Pure. */
import type { Monitor } from '@deployment-annotations/contract/schemas/monitor'

/** Stages that leave `_time` where it is, and a last one that makes one row of all. */
const ONE_VALUE = /^([^|]*(?:\|\s*(?:where|extend)\b[^|]*)*)\|\s*(?:count\s*|summarize\s((?:(?!\bby\b)[^|])+))$/

/** @returns bins as wide as the range, whose values compare with the threshold; a query of another form as it is */
export function chartQuery({ aplQuery, rangeMinutes }: Pick<Monitor, 'aplQuery' | 'rangeMinutes'>): string {
  const [, stages, aggregates = 'count()'] = ONE_VALUE.exec(aplQuery) ?? []
  return stages === undefined ? aplQuery : `${stages}| summarize ${aggregates.trim()} by bin(_time, ${rangeMinutes}m)`
}

/** @returns how many events a query finds over time, each of which a monitor of that kind marks */
export function countQuery(aplQuery: string, binMinutes: number): string {
  return `${aplQuery.trim()}\n| summarize count() by bin(_time, ${binMinutes}m)`
}
