/**
 * What the page asks of a dataset first: its traffic, and where its fields tell them the share of errors and the 95th percentile of how
 * long it took. The service prepares for the same questions. Which fields tell it is the rule by which releases are judged.
 */
import { findRates, type KnownField, percentileOf } from './default-queries.ts'

/** The names of the series in legends and tooltips. */
export const EVENTS = 'events'
export const ERRORS = 'errors'
export const P95 = 'p95'

/** What is asked of a dataset besides its number of events, as aggregations of a query by the names of their columns. */
export type Vitals = Readonly<Record<string, string>>

/** @param source a query of the events, with the filters that they pass */
export function findVitals(source: string, fields: readonly KnownField[]): Vitals {
  const { failed, latency } = findRates(source, fields)
  return {
    ...(failed !== undefined && { [ERRORS]: `countif(${failed})` }),
    ...(latency !== undefined && { [P95]: percentileOf(latency, 95) }),
  }
}

/** @param step the width of the intervals, as a query writes it */
export function vitalsQuery(source: string, vitals: Vitals, step: string): string {
  const columns = Object.entries({ [EVENTS]: 'count()', ...vitals }).map(([name, aggregation]) => `${name} = ${aggregation}`)
  return `${source}\n| summarize ${columns.join(', ')} by bin(_time, ${step})`
}
