/** Makes of a comparison what is stored and shown: its sentences and its numbers. */
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { ComparedSeries, Comparison } from './comparison.ts'
import { describeHeadline, describeText, type Told } from './headline.ts'
import type { Report } from './report.ts'
import { drawSparkline } from './sparkline.ts'

interface Judging extends Told {
  judgedMs: number
  isEarly?: boolean
}

/** Writes the sentences, from the numbers that are stored with them. */
export function toReport(comparison: Comparison, { judgedMs, isEarly = false, ...told }: Judging): Report {
  const { verdict, event, windows, neighbors, notes } = comparison
  const series = comparison.series.map(round)
  const [headline, finding] = describeHeadline({ ...comparison, series }, told)
  return {
    verdict,
    event,
    judgedAt: formatMillis(judgedMs),
    isEarly,
    headline,
    ...(finding && { finding }),
    text: describeText({ ...comparison, series }, headline, told),
    windows: { before: windows.before, after: windows.after },
    series: series.map(toStored),
    neighbors: neighbors.map(({ timeMs, ...one }) => ({ ...one, time: formatMillis(timeMs) })),
    notes,
  }
}

/** More digits than anybody reads make every list longer. */
const shorten = (value: number) => Number(value.toPrecision(4))

function round(one: ComparedSeries): ComparedSeries {
  const [before, after, expected] = [one.before, one.after, one.expected].map(shorten) as [number, number, number]
  const [change, low, high] = [one.change, one.low, one.high].map(shorten) as [number, number, number]
  return { ...one, before, after, expected, change, low, high }
}

function toStored({ name, verdict, kind, unit, chance, lack, carriers, failing, chart, ...one }: ComparedSeries) {
  const amount = (value: number) => (Number.isFinite(value) ? value : null)
  const sparkline = drawSparkline(chart)
  return {
    name,
    verdict,
    kind,
    ...(unit !== undefined && { unit }),
    before: amount(one.before),
    after: amount(one.after),
    expected: amount(one.expected),
    seasons: one.seasons,
    change: amount(one.change),
    low: amount(one.low),
    high: amount(one.high),
    ...(one.ofTheRest && { ofTheRest: true }),
    ...(chance !== undefined && { chance: shorten(chance) }),
    ...(lack !== undefined && { lack }),
    ...(sparkline !== '' && { sparkline }),
    ...(failing && { failing }),
    carriers: carriers.map((of) => ({ ...of, before: shorten(of.before), after: shorten(of.after), part: shorten(of.part) })),
  }
}
