/**
 * Turns a verdict that the service stored with an annotation into a comparison, so that reports show both alike. Only the charts are
 * missing, because the values of the buckets are not stored.
 */
import type { VerdictDetails } from '@deployment-annotations/contract/annotation'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import type { ComparedSeries, Comparison } from './comparison.ts'

/** @param event the title of the annotation */
export function fromKept(
  verdict: Verdict,
  { windows, series, neighbors, notes, judgedAt }: VerdictDetails,
  event: string,
): Comparison {
  return {
    verdict,
    windows: { ...windows, seasons: [] },
    series: series.map(toSeries),
    event,
    neighbors: neighbors.map(({ time, ...one }) => ({ ...one, timeMs: Date.parse(time) })),
    notes: [`The service judged it at ${judgedAt}.`, ...notes],
  }
}

function toSeries({
  name,
  verdict,
  kind,
  carriers,
  chance,
  lack,
  unit,
  ofTheRest = false,
  ...one
}: VerdictDetails['series'][number]): ComparedSeries {
  const number = (value: number | null | undefined) => value ?? Number.NaN
  return {
    name,
    query: name,
    verdict,
    kind,
    before: number(one.before),
    after: number(one.after),
    expected: number(one.expected ?? one.before),
    change: number(one.change),
    low: number(one.low),
    high: one.high ?? Number.POSITIVE_INFINITY,
    ...(chance !== undefined && { chance }),
    ...(lack !== undefined && { lack }),
    ...(unit !== undefined && { unit }),
    ofTheRest,
    carriers,
    volume: { before: Number.NaN, after: Number.NaN },
    isUneven: false,
    seasons: one.seasons ?? 0,
    chart: { before: [], after: [] },
  }
}
