/** Single verdicts: what is needed, which way is worse, and what is said where they are inconclusive. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { JUDGE_DEFAULTS, judge } from '../src/judge.ts'
import { adjust } from '../src/questions.ts'
import type { CountedSeries, Direction, JudgedSeries, Series } from '../src/series.ts'
import { isFailing, summarizeVerdicts } from '../src/verdict.ts'
import { createChance } from './support/random.ts'

const judgeOne = (series: Series, direction: Direction = 'higher-is-worse', options = JUDGE_DEFAULTS) =>
  judge([{ ...series, direction }], options)[0]
const share = (before: readonly [number, number], after: readonly [number, number]): CountedSeries => ({
  kind: 'share',
  before: [{ events: before[0], outOf: before[1] }],
  after: [{ events: after[0], outOf: after[1] }],
})
const values = (before: readonly number[], after: readonly number[]): Series => ({ kind: 'measurement', before, after })
const around = (middle: number, count: number) => Array.from({ length: count }, (_, at) => middle * (1 + ((at * 7) % 11) / 100))

test('a change has its size, its interval and how often chance would do it', () => {
  expect(judgeOne(share([120, 12_000], [40, 2_000]))).toEqual({
    verdict: 'worse',
    before: 0.01,
    after: 0.02,
    change: 1,
    events: 40,
    low: expect.closeTo(0.47, 1),
    high: expect.closeTo(1.7, 1),
    expected: 0.01,
    chance: expect.closeTo(0.0001, 4),
    ofTheRest: false,
    isUneven: false,
    volume: { before: 12_000, after: 2_000 },
    seasons: 0,
  })
})

test('what is over after three minutes of ten, such as a warm-up or the retries of one client, is no change', () => {
  const errors = (after: readonly number[]): Series => ({
    kind: 'share',
    before: Array.from({ length: 60 }, (_, at) => ({ events: 2 + (at % 3), outOf: 300 })),
    after: after.map((events) => ({ events, outOf: 300 })),
  })
  expect(judgeOne(errors([3, 40, 50, 45, 2, 4, 3, 2, 4, 3]))).toMatchObject({
    verdict: 'inconclusive',
    lack: 'only 3 of the 10 buckets after differ',
  })
  expect(judgeOne(errors([3, 3, 40, 50, 45]))?.verdict).toBe('inconclusive')
  expect(judgeOne(errors([12, 15, 11, 13, 16]))?.verdict).toBe('worse')
})

test('which way is worse is the direction’s to say', () => {
  expect(judgeOne(share([120, 12_000], [40, 2_000]), 'lower-is-worse')?.verdict).toBe('better')
  expect(judgeOne(values(around(100, 30), around(150, 10)))?.verdict).toBe('worse')
  expect(judgeOne(values(around(100, 30), around(150, 10)), 'lower-is-worse')?.verdict).toBe('better')
})

test('a share of successes is judged by what failed', () => {
  expect(judgeOne(share([11_880, 12_000], [1_940, 2_000]), 'lower-is-worse')).toMatchObject({
    verdict: 'worse',
    before: 0.99,
    after: 0.97,
    change: expect.closeTo(2, 5),
    ofTheRest: true,
  })
})

test('a change below minChange is no matter, however sure it is', () => {
  const series = share([100_000, 1_000_000], [105_000, 1_000_000])
  expect(judgeOne(series)?.verdict).toBe('same')
  expect(judgeOne(series, 'higher-is-worse', { ...JUDGE_DEFAULTS, minChange: 0.01 })?.verdict).toBe('worse')
})

type Counts = [events: number, outOf: number]
const LACKING = JSON.parse(readFileSync(new URL('lacking.json', import.meta.url), 'utf8')) as [string, Counts, Counts, string][]

test.each<[string, Series, string]>([
  ...LACKING.map(([name, before, after, lack]): [string, Series, string] => [name, share(before, after), lack]),
  ['seven values after', values(around(1, 60), around(9, 7)), '7 values after, needs 8'],
])('%s are inconclusive, and it is said why', (_name, series, lack) => {
  expect(judgeOne(series)).toMatchObject({ verdict: 'inconclusive', lack })
})

test('5 errors where there were none are worse', () => {
  expect(judgeOne(share([0, 600], [5, 100]))).toMatchObject({ verdict: 'worse', change: Number.POSITIVE_INFINITY })
})

test('values that never vary are the same, and buckets without a value are left out', () => {
  expect(judgeOne(values(Array(20).fill(5), Array(10).fill(5)))?.verdict).toBe('same')
  expect(judgeOne({ kind: 'measurement', before: [...around(1, 20), null], after: [null, ...around(1, 9)] })).toMatchObject({
    verdict: 'same',
    volume: { before: 20, after: 9 },
  })
})

test('what another day had at this hour is to be expected', () => {
  const series = { ...values(around(100, 30), around(150, 10)) }
  const day = (after: number) => ({ before: around(100, 30), after: around(after, 10) })
  expect(judgeOne({ ...series, seasons: [day(150)] } as Series)?.verdict).not.toBe('worse')
  expect(judgeOne({ ...series, seasons: [day(100)] } as Series)?.verdict).toBe('worse')
  // A day on which the service was not there yet says nothing.
  const empty = { before: Array(30).fill(null), after: Array(10).fill(null) }
  expect(judgeOne({ ...series, seasons: [empty] } as Series)).toMatchObject({ verdict: 'worse', seasons: 0 })
})

const DAY = 24 * 60

/** A fortnight by minute, with yesterday and a week ago; `levelAt` of minutes from the event on. */
function fortnight(kind: 'share' | 'measurement', levelAt: (minute: number) => number | undefined): JudgedSeries {
  const chance = createChance(20_261_128)
  const bucketAt = (level: number | undefined) => {
    if (kind === 'measurement') return level === undefined ? null : 100 * level * Math.exp(0.1 * chance.normal())
    return level === undefined ? { events: 0, outOf: 0 } : { events: chance.poisson(2 * level), outOf: 200 }
  }
  const line = Array.from({ length: 14 * DAY + 10 }, (_, at) => bucketAt(levelAt(at - 14 * DAY)))
  const sidesAt = (ago: number) => ({ before: line.slice(-70 - ago, -10 - ago), after: line.slice(-10 - ago, line.length - ago) })
  const common = { kind, bucketMs: 60_000, direction: 'higher-is-worse', past: line.slice(0, -10), ...sidesAt(0) }
  return { ...common, seasons: [DAY, 7 * DAY].map(sidesAt) } as JudgedSeries
}

/** A job at this time, yesterday and a week ago, too. */
const isJob = (minute: number) => [0, DAY, 7 * DAY].some((ago) => minute + ago >= 0 && minute + ago < 15)
const from0 = (times: number) => (minute: number) => (minute < 0 ? 1 : times)

test.each<[string, JudgedSeries, string | undefined, number | undefined]>([
  ['nothing', fortnight('share', from0(1)), undefined, 300],
  ['errors ×2.5', fortnight('share', from0(2.5)), 'worse', 300],
  ['a job that the other days had, too', fortnight('share', (minute) => (isJob(minute) ? 5 : 1)), undefined, 300],
  ['errors ×2.5 of a week', fortnight('share', (at) => (at < -7 * DAY ? undefined : from0(2.5)(at))), 'worse', undefined],
  ['values +40 % with gaps', fortnight('measurement', (at) => (at % DAY < -900 ? undefined : from0(1.4)(at))), 'worse', 300],
  ['values +40 %, once 0', fortnight('measurement', (at) => (at % DAY === -99 ? 0 : from0(1.4)(at))), 'worse', 300],
  ['values +40 %, 0 today', fortnight('measurement', (at) => (at === -30 ? 0 : from0(1.4)(at))), 'worse', undefined],
])('with a fortnight of its own past, %s', (_name, series, verdict, moments) => {
  const [one] = judge([series], JUDGE_DEFAULTS)
  expect([one?.verdict === 'worse' ? one.verdict : undefined, one?.earlier?.moments]).toEqual([verdict, moments])
})

test('percentiles of one query share its part of the error rate, and the rarest of them needs no more than the commonest', () => {
  expect(adjust([0.01, 0.03, 0.02], ['errors', 'slow', 'slow'], [1, 1, 1])).toEqual([0.02, 0.06, 0.06])
  expect(adjust([0.01, 0.02, 0.9], ['errors', 'slow', 'slow'], [1, 1, 1])).toEqual([0.02, 0.08, 1])
})

test('a day on which something else happened at this hour blames nobody for an hour that is as usual', () => {
  const flat = values(around(100, 30), around(100, 10))
  const dip = { before: around(100, 30), after: around(40, 10) }
  expect(judgeOne({ ...flat, seasons: [dip] } as Series)?.verdict).not.toBe('worse')
})

const perMinute = (sizes: readonly number[]) => sizes.map((size) => ({ events: size, outOf: 1 }))
const requests = (sizes: readonly number[]) => sizes.map((size) => ({ events: Math.round(size / 100), outOf: size }))
const minutes = (count: number, size: number) => Array<number>(count).fill(size)

test.each<[string, Series, Direction | undefined]>([
  ['a share at once', { kind: 'share', before: requests(minutes(60, 100)), after: requests(minutes(10, 0)) }, 'higher-is-worse'],
  [
    'a share after a minute',
    { kind: 'share', before: requests(minutes(60, 100)), after: requests([100, ...minutes(9, 0)]) },
    'higher-is-worse',
  ],
  ['a count', { kind: 'count', before: perMinute(minutes(60, 100)), after: perMinute([100, ...minutes(9, 0)]) }, undefined],
  [
    'traffic of which health checks are left, 3 % at most of all and more in some minutes',
    { kind: 'count', before: perMinute(minutes(60, 100)), after: perMinute([2, 4, 2, 1, 5, 3, 2, 4, 1, 2]) },
    'lower-is-worse',
  ],
  ['a percentile', { kind: 'measurement', before: minutes(60, 80), after: Array<null>(10).fill(null) }, 'higher-is-worse'],
])('what was there always and is not any more is gone: %s', (_name, series, direction) => {
  const [one] = judge([{ ...series, direction }], JUDGE_DEFAULTS)
  expect(one?.verdict).toBe('gone')
  expect(isFailing('gone', ['worse'])).toBe(true)
})

test('errors that stop are better, and what comes in bursts is not gone between two of them', () => {
  const errors = { kind: 'count', before: perMinute(minutes(60, 20)), after: perMinute(minutes(10, 0)) } as const
  expect(judgeOne(errors)?.verdict).toBe('better')
  const bursts = perMinute(Array.from({ length: 60 }, (_, at) => (at % 10 < 4 ? 50 : 0)))
  expect(judge([{ kind: 'count', before: bursts, after: perMinute(minutes(6, 0)) }], JUDGE_DEFAULTS)[0]?.verdict).not.toBe('gone')
})

test('the more series are looked at, the surer each has to be', () => {
  const doubtful = { ...share([120, 12_000], [30, 2_000]), direction: 'higher-is-worse' as const }
  const harmless = { ...share([120, 12_000], [20, 2_000]), direction: 'higher-is-worse' as const }
  expect(judge([doubtful], JUDGE_DEFAULTS)[0]?.verdict).toBe('worse')
  expect(judge([doubtful, ...Array(9).fill(harmless)], JUDGE_DEFAULTS)[0]?.verdict).not.toBe('worse')
})

test('the gravest decides, and all have to be the same for that to be said', () => {
  expect(summarizeVerdicts(['same', 'better', 'worse', 'inconclusive'])).toBe('worse')
  expect(summarizeVerdicts(['same', 'gone', 'worse'])).toBe('gone')
  expect(summarizeVerdicts(['better', 'lower'])).toBe('lower')
  expect(summarizeVerdicts(['inconclusive', 'same'])).toBe('inconclusive')
  expect(summarizeVerdicts([])).toBe('inconclusive')
})
