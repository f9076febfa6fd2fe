/**
 * Worlds that go on for a fortnight, so that it can be known what is usual: traffic of days and weeks, rates that remember, mornings, and
 * what happens every day.
 */
import type { Chance } from '../../packages/compare/__tests__/support/random.ts'
import { UNIT_MS } from '../../packages/contract/src/duration.ts'
import { EVENT } from './drawing.ts'
import type { Is, Scene, ServiceWorld } from './service-worlds.ts'

const DAYS = 14
const DAY = 24 * 60

/** What changes with the event, in times. */
interface Changed {
  traffic?: number
  errors?: number
  slow?: number
}

export const changing = (usualAt: Scene['usualAt'], { traffic = 1, errors = 1, slow = 1 }: Changed): Scene => ({
  usualAt: (minute, daysAgo, isBeside) => {
    const { perMinute = 200, failing = 0.01, slow: usually = 1 } = usualAt(minute, daysAgo, isBeside)
    if (daysAgo > 0 || minute < 0 || isBeside) return { perMinute, failing, slow: usually }
    return { perMinute: perMinute * traffic, failing: failing * errors, slow: usually * slow }
  },
  pastDays: DAYS,
})

/** Factors that resemble those a minute before, from the first of the days on. */
function swaying(chance: Chance, memory: number, deviation: number): (minute: number, daysAgo: number) => number {
  const levels = new Float64Array((DAYS + 2) * DAY)
  for (let at = 0, level = chance.normal(); at < levels.length; at++) {
    levels[at] = Math.exp(deviation * level)
    level = memory * level + Math.sqrt(1 - memory ** 2) * chance.normal()
  }
  return (minute, daysAgo) => levels[Math.floor((DAYS + 1 - daysAgo) * DAY + minute)] ?? 1
}

/** The event is at the height of a day, before two days with less. */
const isWeekend = (daysAgo: number) => daysAgo % 7 === 1 || daysAgo % 7 === 2

export const remembering = (changed: Changed) => (chance: Chance) => {
  const swayAt = swaying(chance, 0.9, 0.42)
  return changing((minute, daysAgo) => {
    const perMinute = (400 + 200 * Math.cos((2 * Math.PI * minute) / DAY)) * (isWeekend(daysAgo) ? 0.6 : 1)
    return { perMinute, failing: 0.01 * swayAt(minute, daysAgo) }
  }, changed)
}

/** Traffic that rises around the event, and with it the durations; on a Monday it did not the day before. */
export const morning = (changed: Changed, isMonday: boolean) => (chance: Chance) => {
  const sizes = Array.from({ length: DAYS + 2 }, () => Math.exp(0.05 * chance.normal()))
  const middle = 60 * (chance.uniform() - 0.5)
  const swayAt = swaying(chance, 0.9, 0.06)
  return changing((minute, daysAgo) => {
    const risen = isMonday && isWeekend(daysAgo) ? 0 : 1 / (1 + Math.exp((middle - minute) / 25))
    const load = (0.3 + 0.7 * risen) * (sizes[daysAgo] ?? 1)
    return { perMinute: 600 * load, slow: (0.7 + 0.5 * load) * swayAt(minute, daysAgo) }
  }, changed)
}

/** A job of a quarter of an hour, every day from the hour of the event on. */
export const daily = (changed: Changed) => changing((minute) => ({ failing: minute >= 0 && minute < 15 ? 0.05 : 0.01 }), changed)
export const plain = (changed: Changed) => changing(() => ({}), changed)
const young = (errors: number): Scene => ({ ...plain({ errors }), pastDays: 7 })

/** A tenth of the requests go to the new version, then half, then all. */
const newPartAt = (minute: number) => (minute < 20 ? 0.1 : minute < 40 ? 0.5 : 1)
const inSteps = ({ usualAt, ...scene }: Scene): Scene => ({
  ...scene,
  newPartAt,
  usualAt: (minute, daysAgo, isBeside) => {
    const { perMinute = 150, ...usual } = usualAt(minute, daysAgo, isBeside)
    const part = daysAgo > 0 || minute < 0 ? 0 : newPartAt(minute)
    return { ...usual, perMinute: perMinute * (isBeside ? 1 - part : part) }
  },
})
const rolling = (changed: Changed) => (chance: Chance) => inSteps(remembering(changed)(chance))
const rollingSmall = (changed: Changed) => inSteps(changing(() => ({ perMinute: 150 }), changed))
const isFoundBy =
  (minutes: number): Is =>
  ({ verdict, windows: { after } }) =>
    verdict === 'worse' && Date.parse(after.endTime) <= EVENT + minutes * UNIT_MS.m

export const POWER_WORLDS: readonly ServiceWorld[] = [
  ['200 a minute, nothing', plain({}), [0, 5]],
  ['the same, errors ×1.5', plain({ errors: 1.5 }), [30, 100]],
  ['the same, errors ×2', plain({ errors: 2 }), [78, 100]],
  ['the same, errors ×3', plain({ errors: 3 }), [97, 100]],
  ['before there are eight days, errors ×1.5', young(1.5), [22, 100]],
  ['the same, errors ×2', young(2), [62, 100]],
  ['the same, errors ×3', young(3), [90, 100]],
  ['errors with memory 0.9, 600 a minute in a season, nothing', remembering({}), [0, 5]],
  ['the same, errors ×2', remembering({ errors: 2 }), [40, 100]],
  ['a Monday morning, nothing', morning({}, true), [0, 3]],
  ['the same, latencies +30 %', morning({ slow: 1.3 }, true), [75, 100]],
  ['any morning, nothing', morning({}, false), [0, 5]],
  ['the same, errors ×2', morning({ errors: 2 }, false), [92, 100]],
  ['the same, latencies +30 %', morning({ slow: 1.3 }, false), [75, 100]],
  ['a roll-out of 10, 50 and 100 %, 600 a minute with memory 0.9, nothing', rolling({}), [0, 3]],
  ['the same, errors ×2: found by 20 minutes', rolling({ errors: 2 }), [65, 100], isFoundBy(20)],
  ['the same: found by 40 minutes', rolling({ errors: 2 }), [97, 100], isFoundBy(40)],
  ['the same, errors ×3: found by 10 minutes', rolling({ errors: 3 }), [75, 100], isFoundBy(10)],
  ['the same: found by 20 minutes', rolling({ errors: 3 }), [96, 100], isFoundBy(20)],
  ['a roll-out, 150 a minute, nothing', rollingSmall({}), [0, 4]],
  ['the same, errors ×2', rollingSmall({ errors: 2 }), [90, 100]],
  ['a job with errors ×5 every day at this time, nothing', daily({}), [0, 5]],
]
