/**
 * The dashboard's first query for a dataset: its traffic and, if its fields have them, the share of errors and the 95th percentile of
 * the latency. The service precomputes it. Fields are recognized by the same rule as for releases.
 */
import { findRates, percentileOf } from './default-queries.ts'
import type { KnownField } from './signs.ts'

/** The names of the series in legends and tooltips. */
export const EVENTS = 'events'
export const ERRORS = 'errors'
/** The events of which errors are a share. Without them errors are counted. */
export const REQUESTS = 'requests'
export const P95 = 'p95'

/** The aggregations besides the number of events, by the names of their columns. */
export type Vitals = Readonly<Record<string, string>>

/** @param source a query of the events, with their filters */
export function findVitals(source: string, fields: readonly KnownField[]): Vitals {
  const { errors, latency } = findRates({ source, fields })
  return {
    ...(errors && { [ERRORS]: `countif(${errors.failed})` }),
    ...(errors?.outOf !== undefined && { [REQUESTS]: `countif(${errors.outOf})` }),
    ...(latency && { [P95]: percentileOf(latency, 95) }),
  }
}

/** @param step the width of the intervals, as written in queries */
export function vitalsQuery(source: string, vitals: Vitals, step: string): string {
  const columns = Object.entries({ [EVENTS]: 'count()', ...vitals }).map(([name, aggregation]) => `${name} = ${aggregation}`)
  return `${source}\n| summarize ${columns.join(', ')} by bin(_time, ${step})`
}
