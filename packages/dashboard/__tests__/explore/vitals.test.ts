/** What matters of a dataset as panes of one chart: what becomes of the answer, which bins a point stands for, and where it is drawn. */
import { expect, test } from '@jest/globals'
import { heightOf, spreadRange, ticksOf } from '../../src/chart/panes.ts'
import { withEarlier } from '../../src/charts/earlier.ts'
import { joinBins, latestOf, spansOf } from '../../src/charts/points.ts'
import { buildVitals, emptyFrame } from '../../src/charts/vitals.ts'
import type { Table } from '../../src/service/query.ts'

const MINUTE = 60_000
const DAY = 1_440
const range = { startMs: 0, endMs: 4 * MINUTE }
const iso = (minute: number) => new Date(minute * MINUTE).toISOString()

const table = (rows: [minute: number, events: number, errors: number, p95: number | null][], isShare = true): Table =>
  ({
    buckets: { field: '_time', size: 60e9 },
    groups: [{ name: '_time' }],
    fields: [
      { name: '_time', type: 'datetime' },
      { name: 'events', type: 'integer', agg: { name: 'count', fields: [] } },
      { name: 'errors', type: 'integer', agg: { name: 'countif', fields: [] } },
      { name: 'p95', type: 'float', unit: 'ms', agg: { name: 'percentile', fields: ['duration_ms'] } },
      ...(isShare ? [{ name: 'requests', type: 'integer', agg: { name: 'countif', fields: [] } }] : []),
    ],
    columns: [rows.map(([minute]) => iso(minute)), ...[1, 2, 3, 1].map((at) => rows.map((row) => row[at]))],
  }) as Table

test('errors are a share of the events and come first; there are none where there are no events', () => {
  const frame = buildVitals(
    table([
      [0, 100, 0, 80],
      [1, 200, 3, 90],
      [3, 100, 2, null],
    ]),
    range,
  )
  expect(frame?.series).toMatchObject([
    { label: 'errors', pane: 0, values: [0, 0.015, null, 0.02], color: 'var(--today)' },
    { label: 'events', pane: 1, values: [100, 200, 0, 100], points: [100, 200, 0, 100, 100] },
    { label: 'p95', pane: 2, values: [80, 90, null, null] },
  ])
  // 400 events in four minutes, 5 of which failed.
  expect(frame?.panes).toEqual([
    { name: 'Errors', unit: 'fraction', figure: '1.3 %' },
    { name: 'Traffic', unit: 'none', figure: '100/min', factor: 1 },
    { name: 'p95', unit: 'ms', figure: '87 ms' },
  ])
  // Where only a level says what failed there is nothing of which it is a share.
  const counted = buildVitals(table([[0, 100, 3, 80]], false), range)
  expect(counted?.series[0]).toMatchObject({ label: 'errors', values: [3, 0, 0, 0] })
})

test('a point stands for thirty errors and spans no release; what is not over is in none', () => {
  const times = Array.from({ length: 12 }, (_, bin) => bin * MINUTE)
  const frame = { times, stepMs: MINUTE, series: [], leftOut: 0, panes: [] }
  const cut = { ms: 6.5 * MINUTE, isChange: true }
  const shown = { startMs: 30_000, endMs: 11.5 * MINUTE }
  const spans = spansOf(frame, shown, [cut])
  expect(spans).toEqual([
    [1, 6, true],
    [7, 11, true],
  ])
  // Of more releases than one in eight bins, only those that changed something cut.
  expect(spansOf(frame, shown, [cut, { ms: 3 * MINUTE, isChange: false }])).toEqual(spans)
  const weights = times.map(() => 1_000)
  const values = times.map((_, bin) => (bin > 6 ? 0.02 : 0.01))
  const binned = (perBin: number) => ({ values, weights, counts: times.map((_, bin) => (bin > 6 ? 2 * perBin : perBin)) })
  const placed = (points: readonly unknown[]) => points.flatMap((value, at) => (value === undefined ? [] : [[at, value]]))
  expect(placed(joinBins(binned(10), spans, 1))).toEqual([
    ...[1, 3, 6].map((at) => [at, expect.closeTo(0.01)]),
    ...[7, 8, 10, 11].map((at) => [at, expect.closeTo(0.02)]),
  ])
  // Too few draw a flat line.
  const placesOf = (isChange: boolean) =>
    placed(joinBins(binned(1), spansOf(frame, shown, [{ ...cut, isChange }]), 1)).map(([at]) => at)
  expect([placesOf(true), placesOf(false)]).toEqual([
    [1, 3, 6, 7, 9, 11],
    [1, 6, 11],
  ])
  expect(latestOf(binned(10), spans, MINUTE)).toBeCloseTo(0.02)
  expect(latestOf(binned(10), spansOf(frame, shown, [{ ...cut, isChange: false }]), MINUTE)).toBeCloseTo(0.0144, 3)
})

test('the same time of an earlier day is drawn at the same places', () => {
  const rows = [0, 1, 2, 3].map((minute): [number, number, number, number] => [minute, 100, 40, 80])
  const earlier = rows.map(([minute, ...rest]): [number, number, number, number] => [minute - DAY, ...rest])
  const before = { startMs: -DAY * MINUTE, endMs: (4 - DAY) * MINUTE }
  const now = buildVitals(table(rows), range)
  const frame = now && withEarlier(now, buildVitals(table(earlier), before), '1d')
  expect(frame?.series[3]).toMatchObject({ label: 'errors, a day earlier', isDashed: true, points: [0.4, 0.4, 0.4, 0.4, 0.4] })
})

test('a dataset of which nothing is known but its events has one pane, which is less high than several', () => {
  expect([emptyFrame(range), emptyFrame(range, { errors: '' })].map(({ panes }) => panes.length)).toEqual([1, 2])
  expect(heightOf(emptyFrame(range), 900)).toBeLessThan(heightOf(emptyFrame(range, { errors: '', p95: '' }), 900))
})

test('the values of a pane keep to it, and the first one is the tallest', () => {
  const at = (value: number, [low, high]: readonly [number, number]) => (value - low) / (high - low)
  const places = [0, 1, 2].map((pane) => [0, 90].map((value) => at(value, spreadRange([0, 90], pane, 3, 900))))
  expect(places.map(([floor]) => floor)).toEqual([120 / 216, 60 / 216, 0].map((place) => expect.closeTo(place)))
  for (const [pane, [, top = 1]] of places.entries()) expect(top).toBeLessThan([1, 120 / 216, 60 / 216][pane] ?? 0)
  const ticks = [ticksOf([0, 0.022], 0, 3, 'fraction'), ticksOf([0, 345], 1, 3, 'none'), ticksOf([-84, 0], 2, 3, 'ms')]
  expect(ticks).toEqual([
    [0, 0.01, 0.02],
    [0, 300],
    [-50, 0],
  ])
})
