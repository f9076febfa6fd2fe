/**
 * What matters of a dataset, over time: traffic, and where its fields tell them the share of errors and the 95th percentile of how long
 * it took. Pure. Which fields tell it is the rule by which releases are judged.
 */
import { ERRORS, EVENTS, P95, REQUESTS, type Vitals } from '@deployment-annotations/compare/vitals'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Range } from '../address/range.ts'
import { formatInUnit, type Unit } from '../address/unit.ts'
import { buildFrame, type Frame, type Pane, type Series, type Values } from '../chart/frame.ts'
import type { Table } from '../service/query.ts'
import { type Binned, type Cut, joinBins, latestOf, spansOf } from './points.ts'

/** Errors are what most harm is of, so they come first. */
const ORDER = [ERRORS, EVENTS, P95]
const NAMES: Readonly<Record<string, string>> = { [ERRORS]: 'Errors', [EVENTS]: 'Traffic', [P95]: 'p95' }
/** More points on a line are noise. */
const POINTS_MAX = 40

/** @returns a series in a pane of its own */
function inPane(label: string, pane: number, values: (number | null)[], points: Series['points'] = []): Series {
  return { label, pane, values, points, color: 'var(--today)' }
}

/** A frame without values still shows annotations. */
export function emptyFrame({ startMs, endMs }: Range, vitals: Vitals = {}): Frame {
  const labels = ORDER.filter((label) => label === EVENTS || vitals[label] !== undefined)
  const panes = labels.map((label): Pane => ({ name: NAMES[label] ?? label, unit: 'none', figure: '' }))
  const series = labels.map((label, pane) => inPane(label, pane, [null]))
  return { times: [startMs], stepMs: endMs - startMs, series, leftOut: 0, panes }
}

/** What the answer has of each metric, by its label. */
type Metrics = Partial<Record<string, Binned & { unit: Unit; isCount: boolean }>>

interface DrawnAs {
  /** The releases on the chart. */
  cuts?: readonly Cut[]
  /** Whether somebody chose the width of its intervals. */
  isChosen?: boolean
}

/** @returns the answer of `vitalsQuery` as a frame */
export function buildVitals(table: Table, range: Range, { cuts = [], isChosen = false }: DrawnAs = {}): Frame | undefined {
  const frame = buildFrame(table, range)
  if (!frame?.series.some(({ label }) => label === EVENTS)) return frame
  const metrics = readMetrics(table, frame)
  const labels = ORDER.filter((label) => metrics[label])
  const spans = spansOf(frame, range, cuts)
  const binsMin = isChosen ? 1 : Math.ceil(frame.times.length / POINTS_MAX)
  const drawn = labels.flatMap((label, pane) => {
    const metric = metrics[label]
    if (!metric) return []
    const { unit, isCount, values } = metric
    const latest = latestOf(metric, spans, frame.stepMs)
    const rate = isCount ? rateOf(latest, frame.stepMs) : undefined
    const figure =
      latest === undefined
        ? ''
        : rate
          ? `${formatRate(latest * rate.factor)}/${rate.name}`
          : formatInUnit(Number(latest.toPrecision(2)), unit)
    const series = inPane(label, pane, [...values], joinBins(metric, spans, binsMin))
    return [{ series, pane: { name: NAMES[label] ?? label, unit, figure, ...(rate && { factor: rate.factor }) } }]
  })
  return { ...frame, series: drawn.map(({ series }) => series), panes: drawn.map(({ pane }) => pane) }
}

function readMetrics({ fields }: Table, { series, times }: Frame): Metrics {
  const none = times.map(() => null)
  const valuesOf = (label: string): Values | undefined =>
    fields.some(({ name }) => name === label) ? (series.find((one) => one.label === label)?.values ?? none) : undefined
  const [events = none, failed, requests, p95] = [EVENTS, ERRORS, REQUESTS, P95].map(valuesOf)
  const { type, unit = 'none' } = fields.find(({ name }) => name === P95) ?? {}
  const share = requests && failed?.map((value, bin) => (requests[bin] ? (value ?? 0) / requests[bin] : null))
  return {
    [EVENTS]: { values: events, unit: 'none', isCount: true },
    ...(failed && {
      [ERRORS]: share
        ? { values: share, weights: requests, counts: failed, unit: 'fraction', isCount: false }
        : { values: failed, counts: failed, unit: 'none', isCount: true },
    }),
    ...(p95 && {
      [P95]: { values: p95, weights: events, counts: events, unit: type === 'timespan' ? 'ns' : unit, isCount: false },
    }),
  }
}

const RATE_DIGITS = 2

/** @returns such as `1.5`, `40` and `312` */
const formatRate = (rate: number) => formatInUnit(rate < 10 ? Number(rate.toPrecision(RATE_DIGITS)) : Math.round(rate), 'none')

const RATES = [
  ['min', UNIT_MS.m],
  ['h', UNIT_MS.h],
  ['d', UNIT_MS.d],
] as const

/** @returns the shortest time in which there is one, and by what a count of a bin is multiplied to be one of that time */
function rateOf(mean = 0, stepMs: number) {
  const [name, ms] = RATES.find(([, unitMs]) => (mean / stepMs) * unitMs >= 1) ?? RATES[2]
  return { name, factor: ms / stepMs }
}
