/** What matters of a dataset as panes of one chart: what becomes of the answer, and where its values are drawn. */
import { expect, test } from '@jest/globals'
import { firstPane } from '../../src/chart/frame.ts'
import { heightOf, splitsOf, spreadRange } from '../../src/chart/panes.ts'
import { buildVitals, describeLatest, emptyFrame } from '../../src/charts/vitals.ts'
import type { Table } from '../../src/service/query.ts'

const MINUTE = 60_000
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

test('errors are a share of the events, and nothing where there are none', () => {
  const frame = buildVitals(
    table([
      [0, 100, 0, 80],
      [1, 200, 3, 90],
      [3, 100, 2, null],
    ]),
    range,
  )
  expect(frame?.series).toEqual([
    { label: 'events', pane: 0, values: [100, 200, 0, 100] },
    { label: 'errors', pane: 1, values: [0, 0.015, null, 0.02] },
    { label: 'p95', pane: 2, values: [80, 90, null, null] },
  ])
  // Of the intervals before the last, which may not be over: 300 events in three minutes, 3 of which failed.
  expect(frame?.panes).toEqual([
    { name: 'Traffic', unit: 'none', figure: '100/min' },
    { name: 'Errors', unit: 'fraction', figure: '1 %' },
    { name: 'p95', unit: 'ms', figure: '85 ms' },
  ])
  expect(frame && describeLatest(frame)).toBe('last 3 min')
  // Where only a level says what failed there is nothing of which it is a share.
  const counted = buildVitals(table([[0, 100, 3, 80]], false), range)
  expect(counted?.series[1]).toMatchObject({ label: 'errors', values: [3, 0, 0, 0] })
  expect(frame && firstPane(frame)).not.toHaveProperty('panes')
})

test('a dataset of which nothing is known but its events has one chart', () => {
  expect(emptyFrame(range)).not.toHaveProperty('panes')
  expect(emptyFrame(range, { errors: 'countif(ok == false)' }).panes).toHaveLength(2)
  expect(heightOf(emptyFrame(range))).toBeLessThan(heightOf(emptyFrame(range, { errors: '', p95: '' })))
})

test('the values of a pane keep to it, on a linear scale and on a logarithmic one', () => {
  const at = (value: number, [low, high]: readonly [number, number]) => (value - low) / (high - low)
  const linear = spreadRange([0, 90], 1, 3, false)
  expect(at(0, linear)).toBeCloseTo(1 / 3)
  expect(at(90, linear)).toBeLessThan(2 / 3)
  expect(at(90, linear)).toBeGreaterThan(0.5)
  const logarithmic = spreadRange([1, 1_000], 0, 2, true).map(Math.log10) as [number, number]
  expect(at(0, logarithmic)).toBeCloseTo(1 / 2)
  expect(at(3, logarithmic)).toBeLessThan(1)
  expect(splitsOf([0, 0.05], 0.02, false)).toEqual([0, 0.02, 0.04])
  expect(splitsOf([0.5, 2_000], 1, true)).toEqual([1, 10, 100, 1_000])
})
