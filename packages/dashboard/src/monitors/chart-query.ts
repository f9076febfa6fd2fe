/** The chart of what a monitor's query finds: its query, with a value for each bin instead of one for the whole range, and the threshold. Pure. */
import type { Monitor } from '@deployment-annotations/contract/monitor'
import type { Frame } from '../chart/frame.ts'

/** Matches operators that keep `_time` and a last one that makes one row. */
const ONE_VALUE = /^([^|]*(?:\|\s*(?:where|extend)\b[^|]*)*)\|\s*(?:count\s*|summarize\s((?:(?!\bby\b)[^|])+))$/

/**
 * @returns the query with bins as wide as the range, whose values compare with the threshold, or are the numbers of events that are
 *   marked; a query of another form is returned unchanged
 */
export function chartQuery({ type, aplQuery, rangeMinutes }: Pick<Monitor, 'type' | 'aplQuery' | 'rangeMinutes'>): string {
  const bins = `by bin(_time, ${rangeMinutes}m)`
  if (type === 'MatchEvent') return `${aplQuery.trim()}\n| summarize count() ${bins}`
  const [, stages, aggregates = 'count()'] = ONE_VALUE.exec(aplQuery) ?? []
  return stages === undefined ? aplQuery : `${stages}| summarize ${aggregates.trim()} ${bins}`
}

/** @param threshold NaN while none is typed: then there is no line */
export function withThreshold(frame: Frame, threshold: number): Frame {
  if (Number.isNaN(threshold)) return frame
  const line = { label: 'threshold', values: frame.times.map(() => threshold), color: 'var(--bad)', isDashed: true as const }
  return { ...frame, series: [...frame.series, line] }
}
