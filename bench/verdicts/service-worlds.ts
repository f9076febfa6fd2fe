/**
 * Worlds as the service sees them: a dataset with requests, failures and durations, today and on other days. Each is judged as the service
 * does it, at 5 and at 10 minutes, by the default queries. Ticks are of 15 s, drawn when they are first asked for.
 */
import type { Chance } from '../../packages/compare/__tests__/support/random.ts'
import { bucketOf, EARLY_SHARE, withShare } from '../../packages/compare/src/around.ts'
import { type Answer, type Ask, type CompareOptions, type Comparison, compare } from '../../packages/compare/src/comparison.ts'
import { defaultQueries } from '../../packages/compare/src/default-queries.ts'
import { JUDGE_DEFAULTS } from '../../packages/compare/src/judge.ts'
import { parseBaseline } from '../../packages/compare/src/named-queries.ts'
import { cutAtNeighbors } from '../../packages/compare/src/neighbors.ts'
import { AFTER_MS, BEFORE_TIMES, SEASONS_MS, windowsAround } from '../../packages/compare/src/windows.ts'
import { UNIT_MS } from '../../packages/contract/src/duration.ts'
import { list } from './worlds.ts'

const TICK_MS = 15_000
const EVENT = Date.parse('2026-01-31T12:00:00Z')
/** The share of the error rate at ten minutes; the service's looks at 5 minutes and at an hour have the rest. */
const FULL_SHARE = 0.8
/** Where canaries are compared with what runs beside them. */
const BESIDE = "['web'] | where version == '1.0.0'"
/** The durations of a tick that are drawn at most; the others are like these. */
const DRAWN_MAX = 60

/** What a minute is like on average; `slow` multiplies durations of about 80 ms. */
interface Usual {
  perMinute?: number
  failing?: number
  slow?: number
}

interface Scene {
  /** @param minute from the event on @param daysAgo 0 for today */
  usualAt: (minute: number, daysAgo: number, isBeside: boolean) => Usual
  /** The share of the failures that each value of a field has. */
  shares?: Readonly<Record<string, { before: readonly number[]; after: readonly number[] }>>
  /** How late the annotation is. */
  markMs?: number
  hasBeside?: boolean
  options?: Partial<CompareOptions>
}

const FIELDS = [
  { name: 'status', type: 'integer' },
  { name: 'duration_ms', type: 'float' },
]

async function judgeScene(chance: Chance, scene: Scene): Promise<Comparison> {
  const atMs = EVENT + (scene.markMs ?? 0)
  const ask = askOf(chance, scene)
  const look = async (afterMs: number, share: number) => {
    const lengths = { afterMs: AFTER_MS, beforeMs: BEFORE_TIMES * AFTER_MS, seasonsMs: SEASONS_MS }
    const windows = windowsAround({ startMs: atMs, endMs: atMs }, lengths, atMs + afterMs)
    const { after } = cutAtNeighbors(windows, scene.options?.marks ?? []).windows
    const bucket = bucketOf(afterMs < AFTER_MS ? AFTER_MS : after.endMs - after.startMs)
    const queries = defaultQueries({ name: 'web', source: "['web']", fields: FIELDS }, bucket)
    const readFields = async () => Object.keys(scene.shares ?? {}).map((name) => ({ name, type: 'string' }))
    const options = { ...withShare(JUDGE_DEFAULTS, share), windows, readFields, ...scene.options }
    return compare(ask, queries, scene.hasBeside ? { ...options, ...parseBaseline(BESIDE, queries) } : options)
  }
  const early = await look(AFTER_MS / 2, EARLY_SHARE)
  return isBad(early) ? early : look(AFTER_MS, FULL_SHARE)
}

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...{ requests: 'count', failed: 'countif' },
  ...{ p50: 'percentile', p95: 'percentile', p99: 'percentile' },
}

function askOf(chance: Chance, { usualAt, shares = {} }: Scene): Ask {
  const ticks = new Map<number, { requests: number; failed: number; durations: number[] }>()
  const draw = (ms: number, isBeside: boolean) => {
    const key = isBeside ? -ms : ms
    const daysAgo = Math.round((EVENT - ms) / UNIT_MS.d)
    const minute = (ms + daysAgo * UNIT_MS.d - EVENT) / UNIT_MS.m
    const { perMinute = 150, failing = 0.01, slow = 1 } = ticks.has(key) ? {} : usualAt(minute, daysAgo, isBeside)
    const requests = ticks.has(key) ? 0 : chance.poisson((perMinute * TICK_MS) / UNIT_MS.m)
    const durations = list(Math.min(DRAWN_MAX, requests), () => 80 * slow * Math.exp(0.5 * chance.normal()))
    const tick = ticks.get(key) ?? { requests, failed: chance.binomial(requests, failing), durations }
    ticks.set(key, tick)
    return tick
  }
  const sumAt = (fromMs: number, toMs: number, isBeside = false) => {
    const drawn = list(Math.round((toMs - fromMs) / TICK_MS), (at) => draw(fromMs + at * TICK_MS, isBeside))
    const sum = (name: 'requests' | 'failed') => drawn.reduce((total, one) => total + one[name], 0)
    const durations = drawn.flatMap((one) => one.durations).sort((a, b) => a - b)
    const rank = (p: number) => durations[Math.floor((durations.length - 1) * p)] ?? 0
    return { requests: sum('requests'), failed: sum('failed'), p50: rank(0.5), p95: rank(0.95), p99: rank(0.99) }
  }
  return async ({ apl }, { startTime, endTime }) => {
    const [startMs, endMs] = [Date.parse(startTime), Date.parse(endTime)]
    const [, field] = /tostring\(\['(\w+)'\]\)/.exec(apl) ?? []
    if (field !== undefined) {
      let [left, rest] = [sumAt(startMs, endMs).failed, 1]
      const rows = (shares[field]?.[startMs < EVENT ? 'before' : 'after'] ?? []).map((share, at) => {
        const count = share > rest - 1e-9 ? left : chance.binomial(left, share / rest)
        left -= count
        rest -= share
        return [`${field} ${at + 1}`, count]
      })
      return answer(['value', 'events'], rows)
    }
    const [, size = '1', unit] = /bin\(_time, (\d+)(\w)\)/.exec(apl) ?? []
    const bucketMs = Number(size) * (unit === 's' ? UNIT_MS.s : UNIT_MS.m)
    const names = Object.keys(AGGREGATIONS).filter((name) => apl.includes(` ${name} = `))
    const rows = list(Math.floor((endMs - startMs) / bucketMs), (at) => startMs + at * bucketMs).flatMap((fromMs) => {
      const found = sumAt(fromMs, fromMs + bucketMs, apl.startsWith(BESIDE))
      return found.requests === 0 ? [] : [[new Date(fromMs).toISOString(), ...names.map((name) => found[name as 'p50'])]]
    })
    return answer(['_time', ...names], rows, bucketMs)
  }
}

function answer(names: readonly string[], rows: readonly (readonly unknown[])[], bucketMs?: number): Answer {
  const fields = names.map((name) => ({ name, ...(AGGREGATIONS[name] && { agg: { name: AGGREGATIONS[name] } }) }))
  const buckets = bucketMs === undefined ? undefined : { field: '_time', size: bucketMs * UNIT_MS.s * UNIT_MS.s }
  return {
    status: { isPartial: false },
    tables: [
      { fields, groups: buckets ? [] : [{ name: 'value' }], buckets, columns: names.map((_, at) => rows.map((row) => row[at])) },
    ],
  }
}

type Is = (comparison: Comparison) => boolean
const isBad: Is = ({ verdict }) => verdict === 'worse' || verdict === 'gone'
const isGone: Is = ({ verdict }) => verdict === 'gone'
const isCarried: Is = ({ series }) => series.some(({ carriers }) => carriers.length > 0)
const isOfRoute: Is = ({ series }) => series.some(({ carriers }) => carriers.some(({ value }) => value === 'route 2'))
const isEarlier: Is = (found) => isBad(found) && found.series.some(({ beganMs = 0 }) => Math.abs(beganMs - EVENT) < 125_000)
/** Whether a rise is ruled out that was there. */
const excludes =
  (rise: number): Is =>
  (found) =>
    !isBad(found) && found.series.some(({ kind, high }) => kind === 'share' && high < rise)

/** From the event on, today alone. */
const from = (changed: Usual, { perMinute = 150, until = 60, start = 0 } = {}): Scene => ({
  usualAt: (minute, daysAgo) => ({ perMinute, ...(daysAgo === 0 && minute >= start && minute < until && changed) }),
})
const markAt = (minute: number) => {
  const atMs = EVENT + minute * UNIT_MS.m
  return { name: 'other', startMs: atMs, endMs: atMs }
}
/** Each day ends some minutes after this hour, but for health checks; other days so many minutes earlier or later than today. */
const evening = (earliest: number, latest: number, left: number) => (chance: Chance) => {
  const ends = list(8, (daysAgo) => 4 + (daysAgo === 0 ? 0 : earliest + (latest - earliest) * chance.uniform()))
  return { usualAt: (minute: number, daysAgo: number) => (minute < (ends[daysAgo] ?? 0) ? {} : { perMinute: left }) }
}
/** Yesterday's release at the same hour had eight times the errors. */
const again = (times: number): Scene => ({
  usualAt: (minute, daysAgo) => (minute >= 0 && daysAgo < 2 ? { failing: daysAgo === 0 ? times / 100 : 0.08 } : {}),
  options: { hurtSpans: [markAt(-24 * 60)] },
})
const client = (chance: Chance) => {
  const start = 70 * chance.uniform() - 60
  return from({ failing: 0.05 + 0.15 * chance.uniform() }, { perMinute: 300, start, until: start + 3 })
}
const canary = (times: number): Scene => ({
  usualAt: (minute, _, isBeside) => (isBeside ? {} : { perMinute: minute < 0 ? 0 : 40, failing: times / 100 }),
  hasBeside: true,
})
const thirds = [1 / 3, 1 / 3, 1 / 3]
const routes = (after: readonly number[]) => {
  const region = { before: [0.5, 0.5], after: [0.5, 0.5] }
  return { ...from({ failing: 0.03 }), shares: { region, route: { before: thirds, after } } }
}
const back = (until: number) => ({ ...from({ slow: 3 }, { until }), options: { marks: [markAt(until)] } })
const fixed = (start: number): Scene => ({
  ...from({ slow: 3 }, { start, until: 0 }),
  options: { marks: [{ ...markAt(start), isHarmful: true }] },
})

type ServiceWorld = readonly [name: string, scene: Scene | ((chance: Chance) => Scene), bounds: [number, number], is?: Is]
const SMALL = 'errors of a small route'
/** Each with the share of rounds, in per cent, in which a gate fails, or the other thing happens, at least and at most. */
export const SERVICE_WORLDS: readonly ServiceWorld[] = [
  ['nothing', from({}), [0, 5]],
  ['it stops at this hour every evening', evening(0, 0, 0), [0, 5]],
  ['the same with health checks left, other days −10 to +30 minutes', evening(-10, 30, 2.8), [0, 5]],
  ['yesterday errors ×8 at this hour, today nothing', again(1), [0, 5]],
  ['a warm-up of two minutes, latencies ×2.5', from({ slow: 2.5 }, { perMinute: 300, until: 2 }), [0, 5]],
  ['a bad client for three minutes of the seventy', client, [0, 5]],
  ['a new canary like the version beside it', canary(1), [0, 5]],
  ['a fix 5 minutes after latencies ×3', fixed(-5), [0, 5]],
  ['errors ×3 everywhere: a value carries them', routes(thirds), [0, 5], isCarried],
  [`${SMALL}, ×1.4 of all: that is ruled out`, from({ failing: 0.014 }), [0, 5], excludes(0.4)],
  [`${SMALL}, ×2.2 of all: that is ruled out`, from({ failing: 0.022 }), [0, 5], excludes(1.2)],
  [`${SMALL}, ×2.2 of all`, from({ failing: 0.022 }), [0, 100]],
  ['errors ×2, 200 a minute', from({ failing: 0.02 }, { perMinute: 200 }), [0, 100]],
  ['errors ×3, 200 a minute', from({ failing: 0.03 }, { perMinute: 200 }), [0, 100]],
  ['latencies +30 %, 200 a minute', from({ slow: 1.3 }, { perMinute: 200 }), [95, 100]],
  ['an outage after a minute: gone', from({ perMinute: 0 }, { start: 1 }), [99, 100], isGone],
  ['the same 45 minutes before it stops on other days: gone', evening(45, 45, 0), [99, 100], isGone],
  ['health checks left, 1.9 %: gone', from({ perMinute: 2.8 }), [95, 100], isGone],
  ['yesterday errors ×8 at this hour, today ×4', again(4), [95, 100]],
  ['a new canary with errors ×3, 40 a minute', canary(3), [60, 100]],
  ['the annotation is 3 minutes late, errors ×4', { ...from({ failing: 0.04 }), markMs: 180_000 }, [75, 100], isEarlier],
  ['errors ×3 on one of three routes: it carries them', routes([1 / 9, 7 / 9, 1 / 9]), [0, 100], isOfRoute],
  ...[3, 5, 8].map((at): ServiceWorld => [`latencies ×3, rolled back after ${at} minutes`, back(at), [95, 100]]),
]

/** @returns how many of so many rounds are what is counted */
export async function countRounds([, scene, , is = isBad]: ServiceWorld, chance: Chance, rounds: number): Promise<number> {
  let count = 0
  for (let round = 0; round < rounds; round++)
    count += Number(is(await judgeScene(chance, typeof scene === 'function' ? scene(chance) : scene)))
  return count
}
