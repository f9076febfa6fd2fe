/**
 * The worlds of the public benchmark, and what is known of each of their cases. Some are beyond this judge, and perhaps beyond any.
 * Deliberately not here: how anything is judged, because `generate.mjs` is made of this.
 */
import { type Chance, createChance } from '../../packages/compare/__tests__/support/random.ts'
import { UNIT_MS } from '../../packages/contract/src/duration.ts'
import {
  AFTER,
  BEFORE,
  DAY,
  type Drawn,
  drawTraffic,
  EVENT,
  list,
  nextSeed,
  PAST_DAYS,
  sumVersions,
  type Traffic,
} from './drawing.ts'
import { changing, daily, from, morning, plain, remembering, rolling } from './power-worlds.ts'
import type { Scene } from './service-worlds.ts'

const COLUMNS = ['requests', 'failed', 'p50', 'p95', 'p99'] as const
/** By minute. A percentile is in milliseconds, and `null` if there was no request. */
type Columns = Record<(typeof COLUMNS)[number], (number | null)[]>

type Sides = Record<'before' | 'after', Columns>

type Truth = 'same' | 'worse'

export interface Case extends Sides {
  id: string
  world: string
  seed: number
  truth: Truth
  /** What changed with the event, in times. */
  changed: Readonly<Record<string, number>>
  eventTime: string
  bucketSeconds: number
  judgedAtMinute: number
  series: readonly object[]
  otherDays: (Sides & { daysAgo: number })[]
  past?: Columns
  baseline?: Sides
  /** Of a roll-out: what each version has of the time after. */
  versions?: Record<'old' | 'new', Columns>
}

const SERIES = [
  { name: 'errors', kind: 'share', events: 'failed', outOf: 'requests', direction: 'higher-is-worse' },
  { name: 'traffic', kind: 'count', events: 'requests' },
  ...['p50', 'p95', 'p99'].map((name) => ({ name, kind: 'measurement', values: name, direction: 'higher-is-worse' })),
]

type World = readonly [truth: Truth, changed: Case['changed'], scene: Scene | ((chance: Chance) => Scene)]

/** A client that fails for three minutes of each hour. */
const badClient = (errors: number) => (chance: Chance) => {
  const starts = list(400, () => 57 * chance.uniform())
  return changing(
    (minute, daysAgo) => {
      const at = minute + DAY * (16 - daysAgo)
      const past = (at % 60) - (starts[Math.floor(at / 60)] ?? 0)
      return { failing: past >= 0 && past < 3 ? 0.15 : 0.01 }
    },
    { errors },
  )
}
export const canary = (times: number): Scene => ({
  usualAt: (minute, _, isBeside) => (isBeside ? {} : { perMinute: minute < 0 ? 0 : 40, failing: times / 100 }),
  hasBeside: true,
})
/** Yesterday it was eight times as much for an hour, and nobody said that this was harm. */
const yesterday = (errors: number) =>
  changing((minute, daysAgo) => ({ failing: daysAgo === 1 && minute >= 0 && minute < 60 ? 0.08 : 0.01 }), { errors })
const leaking = changing((minute, daysAgo) => ({ slow: daysAgo ? 1 : 1 + Math.max(0, minute) / 150 }), {})
const few = (errors: number) => changing(() => ({ perMinute: 4, failing: 0.05 }), { errors })

export const PUBLIC_WORLDS: Readonly<Record<string, World>> = {
  steady: ['same', {}, plain({})],
  'steady-errors-1.5': ['worse', { errors: 1.5 }, plain({ errors: 1.5 })],
  'steady-errors-2': ['worse', { errors: 2 }, plain({ errors: 2 })],
  'steady-errors-3': ['worse', { errors: 3 }, plain({ errors: 3 })],
  'steady-latencies-1.3': ['worse', { latencies: 1.3 }, plain({ slow: 1.3 })],
  outage: ['worse', { requests: 0 }, plain({ traffic: 0 })],
  memory: ['same', {}, remembering({})],
  'memory-errors-2': ['worse', { errors: 2 }, remembering({ errors: 2 })],
  monday: ['same', {}, morning({}, true)],
  'monday-latencies-1.3': ['worse', { latencies: 1.3 }, morning({ slow: 1.3 }, true)],
  morning: ['same', {}, morning({}, false)],
  'morning-errors-2': ['worse', { errors: 2 }, morning({ errors: 2 }, false)],
  'morning-latencies-1.3': ['worse', { latencies: 1.3 }, morning({ slow: 1.3 }, false)],
  'daily-job': ['same', {}, daily({})],
  'daily-job-errors-2': ['worse', { errors: 2 }, daily({ errors: 2 })],
  evening: ['same', {}, changing((minute) => (minute >= 4 && minute < 600 ? { perMinute: 0 } : {}), {})],
  'warm-up': ['same', {}, { ...from({ slow: 2.5 }, { perMinute: 200, until: 2 }), pastDays: PAST_DAYS }],
  'yesterday-8': ['same', {}, yesterday(1)],
  'yesterday-8-errors-4': ['worse', { errors: 4 }, yesterday(4)],
  canary: ['same', {}, canary(1)],
  'canary-errors-3': ['worse', { errors: 3 }, canary(3)],
  rollout: ['same', {}, rolling({})],
  'rollout-errors-2': ['worse', { errors: 2 }, rolling({ errors: 2 })],
  'rollout-errors-2-early': ['worse', { errors: 2 }, rolling({ errors: 2 }, 20)],
  young: ['same', {}, { ...plain({}), pastDays: 0 }],
  'young-errors-2': ['worse', { errors: 2 }, { ...plain({ errors: 2 }), pastDays: 0 }],
  'bad-client': ['same', {}, badClient(1)],
  'bad-client-errors-2': ['worse', { errors: 2 }, badClient(2)],
  few: ['same', {}, few(1)],
  'few-errors-2': ['worse', { errors: 2 }, few(2)],
  leak: ['worse', { 'latencies, in an hour': 1.4 }, leaking],
}

/** The first day is whole. */
const PAST = PAST_DAYS * DAY + (EVENT % UNIT_MS.d) / UNIT_MS.m

/** @returns so many cases of a world; the same for the same seed */
export function* drawCases(name: string, seed: number, rounds: number): Generator<Case> {
  const [truth, changed, scene] = PUBLIC_WORLDS[name] ?? []
  if (!truth || !changed || !scene) throw new Error(`there is no world ${JSON.stringify(name)}`)
  const chance = createChance(seed)
  for (let round = 0; round < rounds; round++) {
    const own = nextSeed(chance)
    const drawn = createChance(own)
    const { usualAt, hasBeside, pastDays, rollOutMinutes } = typeof scene === 'function' ? scene(drawn) : scene
    const judgedAtMinute = rollOutMinutes ?? AFTER
    const traffic = drawTraffic(nextSeed(drawn), usualAt)
    const whole = rollOutMinutes ? sumVersions(traffic) : traffic
    const sidesAt = (minute: number, isBeside = false): Sides => ({
      before: readColumns(whole, minute - BEFORE, minute, isBeside),
      after: readColumns(whole, minute, minute + judgedAtMinute, isBeside),
    })
    const versionOf = (isBeside: boolean) => readColumns(traffic, 0, judgedAtMinute, isBeside)
    yield {
      ...{ id: `${name}/${own}`, world: name, seed: own, truth, changed },
      ...{ eventTime: new Date(EVENT).toISOString(), bucketSeconds: 60, judgedAtMinute, series: SERIES },
      ...sidesAt(0),
      otherDays: [1, 7].map((daysAgo) => ({ daysAgo, ...sidesAt(-daysAgo * DAY) })),
      ...(pastDays && { past: readColumns(whole, -PAST, 0, false) }),
      ...(hasBeside && { baseline: sidesAt(0, true) }),
      ...(rollOutMinutes && { versions: { old: versionOf(true), new: versionOf(false) } }),
    }
  }
}

function readColumns(traffic: Traffic, from: number, to: number, isBeside: boolean): Columns {
  const minutes = list(to - from, (at) => traffic((from + at) * UNIT_MS.m, (from + at + 1) * UNIT_MS.m, isBeside))
  const readOne = (drawn: Drawn, name: keyof Columns) => (name.startsWith('p') && drawn.requests === 0 ? null : drawn[name])
  return Object.fromEntries(COLUMNS.map((name) => [name, minutes.map((one) => readOne(one, name))])) as Columns
}

/** @returns the traffic that a case tells of; of other times there is none */
export function trafficOf({ before, after, otherDays, past, baseline, versions }: Case): Traffic {
  const partsOf = (sides: Sides, at: number) => [[at - BEFORE, sides.before] as const, [at, sides.after] as const]
  const days = otherDays.flatMap((day) => partsOf(day, -day.daysAgo * DAY))
  const whole = [...partsOf({ before, after }, 0), ...(past ? [[-PAST, past] as const] : days)]
  // What was before a roll-out was of the old version.
  const [own, beside] = versions
    ? [[[0, versions.new] as const], [[0, versions.old] as const, ...whole]]
    : [whole, baseline ? partsOf(baseline, 0) : []]
  return (fromMs, toMs, isBeside = false) => {
    const sum = { requests: 0, failed: 0, p50: 0, p95: 0, p99: 0 }
    for (let minute = fromMs / UNIT_MS.m; minute < toMs / UNIT_MS.m; minute++) {
      const [from = 0, part] =
        (isBeside ? beside : own).find(([at, { requests }]) => minute >= at && minute < at + requests.length) ?? []
      // Percentiles are asked for by minute, of which the sum is the percentile itself.
      for (const name of COLUMNS) sum[name] += part?.[name][minute - from] ?? 0
    }
    return sum
  }
}
