/** Single verdicts: what is needed, which way is worse, and what is said where it cannot be told. */
import { expect, test } from '@jest/globals'
import { JUDGE_DEFAULTS, judge } from '../src/judge.ts'
import type { CountedSeries, Direction, Series } from '../src/series.ts'
import { summarizeVerdicts } from '../src/verdict.ts'

const judgeOne = (series: Series, direction: Direction = 'higher is worse', options = JUDGE_DEFAULTS) =>
  judge([{ ...series, direction }], options)[0]
const share = (before: readonly [number, number], after: readonly [number, number]): CountedSeries => ({
  kind: 'share',
  before: [{ events: before[0], outOf: before[1] }],
  after: [{ events: after[0], outOf: after[1] }],
})
const values = (before: readonly number[], after: readonly number[]): Series => ({ kind: 'measurement', before, after })
const around = (middle: number, count: number) => Array.from({ length: count }, (_, at) => middle * (1 + ((at * 7) % 11) / 100))

test('a change is told with its size, its interval and how sure it is', () => {
  expect(judgeOne(share([120, 12_000], [40, 2_000]))).toEqual({
    verdict: 'worse',
    before: 0.01,
    after: 0.02,
    change: 1,
    low: expect.closeTo(0.47, 1),
    high: expect.closeTo(1.7, 1),
    confidence: expect.closeTo(0.9998, 3),
    ofTheRest: false,
    volume: { before: 12_000, after: 2_000 },
  })
})

test('which way is worse is the direction’s to say', () => {
  expect(judgeOne(share([120, 12_000], [40, 2_000]), 'lower is worse')?.verdict).toBe('better')
  expect(judgeOne(values(around(100, 30), around(150, 10)))?.verdict).toBe('worse')
  expect(judgeOne(values(around(100, 30), around(150, 10)), 'lower is worse')?.verdict).toBe('better')
})

test('a share of successes is judged by what failed', () => {
  expect(judgeOne(share([11_880, 12_000], [1_940, 2_000]), 'lower is worse')).toMatchObject({
    verdict: 'worse',
    before: 0.99,
    after: 0.97,
    change: expect.closeTo(2, 5),
    ofTheRest: true,
  })
})

test('a change below the tolerance is no matter, however sure it is', () => {
  const series = share([100_000, 1_000_000], [105_000, 1_000_000])
  expect(judgeOne(series)?.verdict).toBe('same')
  expect(judgeOne(series, 'higher is worse', { ...JUDGE_DEFAULTS, tolerance: 0.01 })?.verdict).toBe('worse')
})

test.each([
  ['19 requests after', share([100, 10_000], [19, 19]), 'counted out of 19 in the window after, at least 20 are needed'],
  ['19 requests before', share([0, 19], [50, 100]), 'counted out of 19 in the window before, at least 20 are needed'],
  ['seven values after', values(around(1, 60), around(9, 7)), '7 buckets in the window after, at least 8 are needed'],
  ['4 errors where there were none', share([0, 600], [4, 100]), 'with so few a doubling or halving cannot be ruled out'],
])('%s are too little data, and it is said why', (_name, series, lack) => {
  expect(judgeOne(series)).toMatchObject({ verdict: 'too little data', lack })
})

test('5 errors where there were none are worse', () => {
  expect(judgeOne(share([0, 600], [5, 100]))).toMatchObject({ verdict: 'worse', change: Number.POSITIVE_INFINITY })
})

test('no errors on either side are the same where there were requests enough to see one of a hundred', () => {
  expect(judgeOne(share([0, 6_000], [0, 1_000]))?.verdict).toBe('same')
  expect(judgeOne(share([0, 600], [0, 100]))?.verdict).toBe('too little data')
})

test('values that never vary are the same, and buckets without a value are left out', () => {
  expect(judgeOne(values(Array(20).fill(5), Array(10).fill(5)))?.verdict).toBe('same')
  expect(judgeOne({ kind: 'measurement', before: [...around(1, 20), null], after: [null, ...around(1, 9)] })).toMatchObject({
    verdict: 'same',
    volume: { before: 20, after: 9 },
  })
})

test('worse than before is not enough where the season before was the same', () => {
  const series = { ...values(around(100, 30), around(150, 10)), season: around(150, 10) } as Series
  expect(judgeOne(series)?.verdict).not.toBe('worse')
  expect(judgeOne({ ...series, season: around(100, 10) } as Series)?.verdict).toBe('worse')
  expect(judgeOne({ ...series, season: [] } as Series)?.lack).toBe('0 buckets in the season before, at least 8 are needed')
})

test('the more series are looked at, the surer each has to be', () => {
  const doubtful = { ...share([120, 12_000], [30, 2_000]), direction: 'higher is worse' as const }
  const harmless = { ...share([120, 12_000], [20, 2_000]), direction: 'higher is worse' as const }
  expect(judge([doubtful], JUDGE_DEFAULTS)[0]?.verdict).toBe('worse')
  expect(judge([doubtful, ...Array(9).fill(harmless)], JUDGE_DEFAULTS)[0]?.verdict).not.toBe('worse')
})

test('one that got worse decides; what had too little data says nothing unless all had', () => {
  expect(summarizeVerdicts(['same', 'better', 'worse', 'too little data'])).toBe('worse')
  expect(summarizeVerdicts(['too little data', 'same'])).toBe('same')
  expect(summarizeVerdicts([])).toBe('too little data')
})
