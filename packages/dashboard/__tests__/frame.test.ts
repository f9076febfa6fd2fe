/** Tables that are grouped by time, as a chart draws them. */
import { expect, test } from '@jest/globals'
import { buildFrame, SERIES_MAX, totalOf } from '../src/chart/frame.ts'
import { rangeOfValues } from '../src/chart/panes.ts'
import type { Table } from '../src/service/query.ts'

const range = { startMs: 60_000, endMs: 300_000 }
const iso = (ms: number) => new Date(ms).toISOString()
const table = (agg: string, rows: [number, unknown, unknown?][], groups: string[] = []): Table => ({
  buckets: { field: '_time', size: 60e9 },
  groups: [...groups, '_time'].map((name) => ({ name })),
  order: [],
  fields: [
    { name: '_time', type: 'datetime' },
    ...groups.map((name) => ({ name, type: 'string' })),
    { name: 'value', type: 'float', agg: { name: agg, fields: [] } },
  ],
  columns: [rows.map(([ms]) => iso(ms)), ...groups.map(() => rows.map(([, , group]) => group)), rows.map(([, value]) => value)],
})

test('bins that are not in the table are zero where events are counted', () => {
  const frame = buildFrame(table('count', [[120_000, 7]]), range)
  expect(frame).toEqual({
    times: [60_000, 120_000, 180_000, 240_000],
    stepMs: 60_000,
    series: [{ label: 'value', values: [0, 7, 0, 0], color: 'var(--series-0)' }],
    leftOut: 0,
    panes: [{ name: '', unit: 'none', figure: '' }],
  })
  expect(frame?.series.map(totalOf)).toEqual([7])
})

test('and a gap where something is measured', () => {
  expect(buildFrame(table('avg', [[120_000, 1.5]]), range)?.series).toMatchObject([{ values: [null, 1.5, null, null] }])
})

test('each group is a series, the largest first, and those that would be too many are counted', () => {
  const rows = Array.from({ length: SERIES_MAX + 5 }, (_, n): [number, unknown, unknown] => [120_000, n, `g${n}`])
  const frame = buildFrame(table('count', rows, ['region']), range)
  expect([frame?.series[0]?.label, frame?.series.length, frame?.leftOut]).toEqual([`g${SERIES_MAX + 4}`, SERIES_MAX, 5])
})

test('a group without a value has a name all the same', () => {
  const frame = buildFrame(table('count', [[120_000, 1, null]], ['region']), range)
  expect(frame?.series[0]?.label).toBe('(none)')
})

test('bins that begin elsewhere than the range keep their place', () => {
  expect(buildFrame(table('count', [[90_000, 1]]), range)?.times).toEqual([30_000, 90_000, 150_000, 210_000, 270_000])
})

test('a bin far too narrow for the range does not fill the memory', () => {
  const narrow = table('count', [[90_000, 1]])
  expect(buildFrame({ ...narrow, buckets: { field: '_time', size: 1_000 } }, range)?.times).toEqual([90_000])
})

test('a bin of a year, whose nanoseconds a double does not hold, is drawn', () => {
  const year = { field: '_time', size: 31536000000000000n }
  const frame = buildFrame({ ...table('count', [[0, 1]]), buckets: year }, { startMs: 0, endMs: 800 * 86_400_000 })
  expect(frame).toMatchObject({ stepMs: 365 * 86_400_000, series: [{ values: [1, 0, 0] }] })
})

test('the axis of values has zero in it and all values below it', () => {
  expect([rangeOfValues(-5, -1)[1], rangeOfValues(2, 10)[0], rangeOfValues(null, null)]).toEqual([0, 0, [0, 1.1]])
})

test('a table without time is no chart', () => {
  const { buckets: _, ...plain } = table('count', [])
  expect(buildFrame(plain, range)).toBeUndefined()
})
