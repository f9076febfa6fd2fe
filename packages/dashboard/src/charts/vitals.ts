/**
 * What matters of a dataset, over time: traffic, and where its fields tell them the share of errors and the 95th percentile of how long
 * it took. Pure. Which fields tell it is the rule by which releases are judged.
 */
import { ERRORS, EVENTS, P95, REQUESTS, type Vitals } from '@deployment-annotations/compare/vitals'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Unit } from '@deployment-annotations/contract/unit'
import { describeDuration } from '../address/format-time.ts'
import type { Range } from '../address/range.ts'
import { formatInUnit } from '../address/unit.ts'
import { buildFrame, type Frame, type Pane, type Series } from '../chart/frame.ts'
import type { Table } from '../service/query.ts'

/** A frame without series still shows annotations. */
export function emptyFrame({ startMs, endMs }: Range, vitals: Vitals = {}): Frame {
  const names = [EVENTS, ...Object.keys(vitals)].filter((name) => name !== REQUESTS)
  const series = names.map((label) => ({ label, values: [null] }))
  return withPanes(
    { times: [startMs], stepMs: endMs - startMs, series, leftOut: 0 },
    'none',
    vitals[REQUESTS] === undefined ? undefined : [],
  )
}

/** @returns the answer of `vitalsQuery` as a frame, whose first series counts the events */
export function buildVitals(table: Table, range: Range): Frame | undefined {
  const frame = buildFrame(table, range)
  if (!frame) return undefined
  const seriesOf = (label: string) => frame.series.find((one) => one.label === label)
  const [events, errors, requests, p95] = [EVENTS, ERRORS, REQUESTS, P95].map(seriesOf)
  if (!events) return frame
  const asked = new Set(table.fields.map(({ name }) => name))
  const absent = (label: string): Series => ({ label, values: frame.times.map(() => null) })
  const failed = errors ?? absent(ERRORS)
  const outOf = asked.has(REQUESTS) ? (requests ?? absent(REQUESTS)) : undefined
  const series = [
    events,
    ...(asked.has(ERRORS) ? [outOf ? shareOf(failed, outOf) : failed] : []),
    ...(asked.has(P95) ? [p95 ?? absent(P95)] : []),
  ]
  const { type, unit = 'none' } = table.fields.find(({ name }) => name === P95) ?? {}
  return withPanes({ ...frame, series }, type === 'timespan' ? 'ns' : unit, outOf?.values)
}

function shareOf({ label, values }: Series, { values: all }: Series): Series {
  return { label, values: values.map((failed, bin) => (all[bin] ? (failed ?? 0) / all[bin] : null)) }
}

/** @param requests of which errors are a share. Where only the events are counted there is one chart of them */
function withPanes(frame: Frame, latencyUnit: Unit, requests: Values | undefined): Frame {
  if (frame.series.length < 2) return frame
  const panes = frame.series.map(({ label, values }): Pane => {
    if (label === EVENTS) return { name: 'Traffic', unit: 'none', figure: trafficOf(frame, values) }
    if (label === ERRORS && !requests) return { name: 'Errors', unit: 'none', figure: trafficOf(frame, values) }
    const unit = label === ERRORS ? 'fraction' : latencyUnit
    const latest = latestOf(values, label === ERRORS ? requests : undefined)
    return {
      name: label === ERRORS ? 'Errors' : label,
      unit,
      figure: latest === undefined ? '' : formatInUnit(Number(latest.toPrecision(2)), unit),
    }
  })
  return { ...frame, panes, series: frame.series.map((one, pane) => ({ ...one, pane })) }
}

/** A figure is that of the last intervals: of so many, as one alone is noise, and without the one that is not over. */
const LATEST_BINS = 10

type Values = readonly (number | null)[]

function latest(values: Values): Values {
  return values.slice(-LATEST_BINS - 1, -1)
}

/** @param weights of the values; each counts the same without them */
function latestOf(values: Values, weights?: Values): number | undefined {
  let [sum, of] = [0, 0]
  const all = latest(values)
  for (const [bin, weight] of latest(weights ?? values.map(() => 1)).entries()) {
    const value = all[bin] ?? null
    if (value === null || weight === null) continue
    sum += value * weight
    of += weight
  }
  return of === 0 ? undefined : sum / of
}

/** @returns such as `313/min`, in the shortest time in which there is one */
function trafficOf({ stepMs }: Frame, values: Values): string {
  const mean = latestOf(values)
  if (mean === undefined) return ''
  const perMs = mean / stepMs
  const [name, ms] = RATES.find(([, unitMs]) => perMs * unitMs >= 1) ?? RATES[2]
  return `${formatInUnit(Number((perMs * ms).toPrecision(3)), 'none')}/${name}`
}

const RATES = [
  ['min', UNIT_MS.m],
  ['h', UNIT_MS.h],
  ['d', UNIT_MS.d],
] as const

/** @returns the time that the metrics of panes cover, such as `last 10 min` */
export function describeLatest({ stepMs, times }: Frame): string {
  return `last ${describeDuration(Math.min(LATEST_BINS, Math.max(1, times.length - 1)) * stepMs)}`
}
