/**
 * Worlds as the service sees them: a dataset with requests, failures and durations, today and on other days. Each is judged as the service
 * does it, at 5 and at 10 minutes, by the default queries. Ticks are drawn when they are first asked for.
 */
import { type Chance, createChance } from '../../packages/compare/__tests__/support/random.ts'
import { bucketOf, EARLY_SHARE, FULL_SHARE, STRETCHES, withShare } from '../../packages/compare/src/around.ts'
import { type Answer, type Ask, type CompareOptions, type Comparison, compare } from '../../packages/compare/src/comparison.ts'
import { defaultQueries } from '../../packages/compare/src/default-queries.ts'
import { JUDGE_DEFAULTS } from '../../packages/compare/src/judge.ts'
import { parseBaseline } from '../../packages/compare/src/named-queries.ts'
import { cutAtNeighbors } from '../../packages/compare/src/neighbors.ts'
import { AFTER_MS, BEFORE_TIMES, SEASONS_MS, windowsAround } from '../../packages/compare/src/windows.ts'
import { UNIT_MS } from '../../packages/contract/src/duration.ts'
import { AFTER, drawTraffic, EVENT, keep, list, nextSeed, PAST_DAYS, sumVersions, type Traffic, type UsualAt } from './drawing.ts'
import { from, POWER_WORLDS } from './power-worlds.ts'
import { type Case, canary, trafficOf } from './public-worlds.ts'

const versionOf = (name: string) => ({ name, source: `['web'] | where version == '${name}'` })
const [OLD, NEW] = [versionOf('1.0.0'), versionOf('1.1.0')]

export interface Scene {
  usualAt: UsualAt
  /** The share of the failures that each value of a field has. */
  shares?: Readonly<Record<string, { before: readonly number[]; after: readonly number[] }>>
  /** How late the annotation is. */
  markMs?: number
  hasBeside?: boolean
  options?: Partial<CompareOptions>
  /** How many days of the past are known by minute. */
  pastDays?: number
  /** If an old version runs beside the new one from the event on: until so many minutes after it both are followed. */
  rollOutMinutes?: number | undefined
}

const FIELDS = [
  { name: 'status', type: 'integer' },
  { name: 'duration_ms', type: 'float' },
]

/** @param traffic what the scene says, drawn */
async function judgeScene(chance: Chance, scene: Omit<Scene, 'usualAt'>, traffic: Traffic): Promise<Comparison> {
  const { rollOutMinutes, markMs = 0 } = scene
  const atMs = EVENT + markMs
  const ask = askOf(chance, scene, traffic)
  const look = async (untilMs: number, share: number, fromMs = 0) => {
    const lengths = { afterMs: untilMs, beforeMs: BEFORE_TIMES * AFTER_MS, seasonsMs: SEASONS_MS }
    const windows = windowsAround({ startMs: atMs, endMs: atMs + fromMs }, lengths, atMs + untilMs)
    const { after } = cutAtNeighbors(windows, scene.options?.marks ?? []).windows
    const bucket = bucketOf(untilMs < AFTER_MS ? AFTER_MS : Math.min(AFTER_MS, after.endMs - after.startMs))
    const isSplit = traffic(untilMs - UNIT_MS.m, untilMs, true).requests > 0
    const versions = rollOutMinutes && isSplit ? { began: NEW, beside: OLD } : undefined
    const queries = defaultQueries({ name: 'web', source: "['web']", fields: FIELDS, versions }, bucket)
    const readFields = async () => Object.keys(scene.shares ?? {}).map((name) => ({ name, type: 'string' }))
    const pastMs = (scene.pastDays ?? 0) * UNIT_MS.d
    const options = { ...withShare(JUDGE_DEFAULTS, share), windows, readFields, pastMs, ...scene.options }
    return compare(ask, queries, scene.hasBeside ? { ...options, ...parseBaseline(OLD.source, queries) } : options)
  }
  let found = await look(AFTER_MS / 2, EARLY_SHARE)
  for (const one of rollOutMinutes ? STRETCHES : [{ untilMs: AFTER_MS, share: FULL_SHARE, fromMs: 0 }])
    if (!isBad(found) && one.untilMs <= (rollOutMinutes ?? AFTER) * UNIT_MS.m)
      found = await look(one.untilMs, one.share, one.fromMs)
  return found
}

const AGGREGATIONS: Readonly<Record<string, string>> = {
  ...{ requests: 'count', failed: 'countif' },
  ...{ p50: 'percentile', p95: 'percentile', p99: 'percentile' },
}

function askOf(chance: Chance, { shares = {}, rollOutMinutes }: Omit<Scene, 'usualAt'>, traffic: Traffic): Ask {
  const whole = rollOutMinutes ? sumVersions(traffic) : traffic
  const sumAt = (fromMs: number, toMs: number, version?: string) =>
    (version === undefined ? whole : traffic)(fromMs - EVENT, toMs - EVENT, version === OLD.name)
  const ask: Ask = async ({ apl }, { startTime, endTime }) => {
    const [startMs, endMs] = [Date.parse(startTime), Date.parse(endTime)]
    const [, field] = /tostring\((\w+)\)/.exec(apl) ?? []
    if (field !== undefined) {
      let [left, rest] = [sumAt(startMs, endMs).failed, 1]
      const rows = (shares[field]?.[startMs < EVENT ? 'before' : 'after'] ?? []).map((share, at) => {
        const count = share > rest - 1e-9 ? left : chance.binomial(left, share / rest)
        left -= count
        rest -= share
        return [`${field} ${at + 1}`, count]
      })
      return answer(
        ['value', 'events'],
        [0, 1].map((column) => rows.map((row) => row[column])),
      )
    }
    const [, version] = /version == '(.+?)'/.exec(apl) ?? []
    const [, size = '1', unit] = /bin\(_time, (\d+)(\w)\)/.exec(apl) ?? []
    const bucketMs = Number(size) * (unit === 's' ? UNIT_MS.s : UNIT_MS.m)
    const names = Object.keys(AGGREGATIONS).filter((name) => apl.includes(` ${name} = `))
    const columns: unknown[][] = ['_time', ...names].map(() => [])
    for (const [at, time] of timesOf(startMs, endMs, bucketMs).entries()) {
      const found = sumAt(startMs + at * bucketMs, startMs + (at + 1) * bucketMs, version)
      if (found.requests === 0) continue
      columns[0]?.push(time)
      for (const [index, name] of names.entries()) columns[index + 1]?.push(found[name as 'p50'])
    }
    return answer(['_time', ...names], columns, bucketMs)
  }
  // All looks ask for the same days.
  const answers = keep<ReturnType<Ask>>()
  return (query, range) => answers(`${query.apl} ${range.startTime} ${range.endTime}`, () => ask(query, range))
}

/** The same in all rounds, and slow to write. */
const times = keep<string[]>()
const timesOf = (startMs: number, endMs: number, bucketMs: number) =>
  times(`${startMs} ${endMs} ${bucketMs}`, () =>
    list(Math.floor((endMs - startMs) / bucketMs), (at) => new Date(startMs + at * bucketMs).toISOString()),
  )

function answer(names: readonly string[], columns: readonly (readonly unknown[])[], bucketMs?: number): Answer {
  const fields = names.map((name) => ({ name, ...(AGGREGATIONS[name] && { agg: { name: AGGREGATIONS[name] } }) }))
  const buckets = bucketMs === undefined ? undefined : { field: '_time', size: bucketMs * UNIT_MS.s * UNIT_MS.s }
  return {
    status: { isPartial: false },
    tables: [{ fields, groups: buckets ? [] : [{ name: 'value' }], buckets, columns }],
  }
}

export type Is = (comparison: Comparison) => boolean
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
const thirds = [1 / 3, 1 / 3, 1 / 3]
const routes = (after: readonly number[], times = 3, perMinute = 150) => {
  const shares = { region: { before: [0.5, 0.5], after: [0.5, 0.5] }, route: { before: thirds, after } }
  return { ...from({ failing: times / 100 }, { perMinute }), pastDays: PAST_DAYS, shares }
}
const back = (until: number) => ({ ...from({ slow: 3 }, { until }), options: { marks: [markAt(until)] } })
const fixed = (start: number): Scene => ({
  ...from({ slow: 3 }, { start, until: 0 }),
  options: { marks: [{ ...markAt(start), isHarmful: true }] },
})

export type ServiceWorld = readonly [name: string, scene: Scene | ((chance: Chance) => Scene), bounds: [number, number], is?: Is]
const SMALL = 'errors of a small route'
/** Each with the share of rounds, in per cent, in which a gate fails, or the other thing happens, at least and at most. */
export const SERVICE_WORLDS: readonly ServiceWorld[] = [
  ...POWER_WORLDS,
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
  ['latencies +30 %, 200 a minute', from({ slow: 1.3 }, { perMinute: 200 }), [95, 100]],
  ['an outage after a minute: gone', from({ perMinute: 0 }, { start: 1 }), [99, 100], isGone],
  ['the same 45 minutes before it stops on other days: gone', evening(45, 45, 0), [99, 100], isGone],
  ['health checks left, 1.9 %: gone', from({ perMinute: 2.8 }), [95, 100], isGone],
  ['yesterday errors ×8 at this hour, today ×4', again(4), [95, 100]],
  ['a new canary with errors ×3, 40 a minute', canary(3), [60, 100]],
  ['the annotation is 3 minutes late, errors ×4', { ...from({ failing: 0.04 }), markMs: 180_000 }, [75, 100], isEarlier],
  [
    'errors ×2 on one of three routes, 200 a minute: it carries them',
    routes([1 / 6, 2 / 3, 1 / 6], 2, 200),
    [75, 100],
    isOfRoute,
  ],
  ...[3, 5, 8].map((at): ServiceWorld => [`latencies ×3, rolled back after ${at} minutes`, back(at), [95, 100]]),
]

/** @returns how many of so many rounds are what is counted */
export async function countRounds([, scene, , is = isBad]: ServiceWorld, chance: Chance, rounds: number): Promise<number> {
  let count = 0
  for (let round = 0; round < rounds; round++) {
    const own = createChance(nextSeed(chance))
    const drawn = typeof scene === 'function' ? scene(own) : scene
    count += Number(is(await judgeScene(own, drawn, drawTraffic(nextSeed(own), drawn.usualAt))))
  }
  return count
}

/** @returns whether the judge calls what a case of the public benchmark tells of worse */
export async function isCaseWorse(one: Case): Promise<boolean> {
  const { past, baseline, versions, judgedAtMinute, seed } = one
  const known = { pastDays: past ? PAST_DAYS : 0, hasBeside: baseline !== undefined }
  return isBad(await judgeScene(createChance(seed), { ...known, rollOutMinutes: versions && judgedAtMinute }, trafficOf(one)))
}
