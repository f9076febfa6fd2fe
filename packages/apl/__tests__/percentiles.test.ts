/**
 * How far percentiles are from the true ones: not at all where there are few values, and by a thousandth of the value where
 * there are many, far out at the tail too.
 */
import { expect, test } from '@jest/globals'
import { compile } from '../src/compile.ts'
import { fieldsOf, readRows, type StoredEvent } from './support/engine.ts'
import { engineForTests } from './support/test-engine.ts'

const START = 1_767_225_600_000_000_000n
const MANY = 20_000

/** Values spread as durations are: a log-normal distribution, by the quantiles of the normal one. */
function logNormal(count: number): number[] {
  const random = Array.from({ length: count }, (_, at) => ({ u: ((at * 2_654_435_761) % 4_294_967_296) / 4_294_967_296 + 1e-12 }))
  return random.map(({ u }, at) => {
    const v = ((at * 40_503 + 7) % 65_536) / 65_536
    return Math.exp(3 + 1.2 * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v)) + 0.001
  })
}

const durations = logNormal(MANY)
const events: StoredEvent[] = durations.map((duration, at) => ({
  timeNs: START + BigInt(at),
  data: {
    duration,
    loss: -duration,
    status: at % 10 === 0 ? 503 : at % 10 === 1 ? 100 : 404,
    few: at < 1_000 ? duration : null,
    share: 0.7,
  },
}))
const dataset = { name: 'many', table: 'ds_many', fields: fieldsOf(events) }
const engine = engineForTests((engine) => engine.load(dataset, events))

function ask(aggregations: string): Record<string, number | number[]> {
  const range = { startNs: START, endNs: START + BigInt(MANY) }
  const plan = compile(`many | summarize ${aggregations}`, { datasets: new Map([['many', dataset]]), range, nowNs: range.endNs })
  return readRows(plan, engine.query(plan))[0] as Record<string, number>
}

/** Between the two values that are nearest to the rank. */
function exact(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (percent / 100) * (sorted.length - 1)
  const low = sorted[Math.floor(rank)] as number
  return low + (rank - Math.floor(rank)) * ((sorted[Math.ceil(rank)] as number) - low)
}

/** The share of values below one. */
const rankOf = (values: readonly number[], value: number) => values.filter((one) => one < value).length / values.length

test.each([50, 90, 95, 99, 99.9, 99.99])('of many values p%d is within a thousandth of its rank and of a neighbor', (percent) => {
  const { p, q } = ask(`p = percentile(duration, ${percent}), q = percentile(loss, ${100 - percent})`) as {
    p: number
    q: number
  }
  expect(Math.abs(rankOf(durations, p) - percent / 100)).toBeLessThan(0.001)
  const nearest = (value: number) => Math.min(...durations.map((one) => Math.abs(one - value) / one))
  expect(nearest(p)).toBeLessThan(0.002)
  expect(nearest(-q)).toBeLessThan(0.002)
})

test('of few values a percentile is exact', () => {
  const { p, all } = ask('p = percentile(few, 95), all = percentiles_array(few, 50, 99.9)') as { p: number; all: number[] }
  const few = durations.slice(0, 1_000)
  expect(p).toBeCloseTo(exact(few, 95), 9)
  expect(all[0]).toBeCloseTo(exact(few, 50), 9)
  expect(all[1]).toBeCloseTo(exact(few, 99.9), 9)
})

test('whole numbers stay whole, equal values stay what they are, and the ends are the smallest and largest value', () => {
  expect(
    ask(
      'a = percentile(status, 50), b = percentile(status, 95), c = percentile(share, 50), d = percentile(duration, 0), e = percentile(duration, 100)',
    ),
  ).toEqual({ a: 404, b: 503, c: 0.7, d: Math.min(...durations), e: Math.max(...durations) })
})
