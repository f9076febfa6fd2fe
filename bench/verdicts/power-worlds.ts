/**
 * Worlds that go on for a fortnight, so that it can be known what is usual: traffic of days and weeks, rates that remember, mornings, and
 * what happens every day.
 */
import type { Chance } from '../../packages/compare/__tests__/support/random.ts'
import { DAY, list, PAST_DAYS, type Usual, wander } from './drawing.ts'
import type { Scene, ServiceWorld } from './service-worlds.ts'

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
  pastDays: PAST_DAYS,
})

/** From the event on, today alone. */
export const from = (changed: Usual, { perMinute = 150, until = 60, start = 0 } = {}): Scene => ({
  usualAt: (minute, daysAgo) => ({ perMinute, ...(daysAgo === 0 && minute >= start && minute < until && changed) }),
})

/** Factors that resemble those a minute before, from the first of the days on. */
function swaying(chance: Chance, memory: number, deviation: number): (minute: number, daysAgo: number) => number {
  const factors = wander(chance, memory, deviation, (PAST_DAYS + 2) * DAY)
  return (minute, daysAgo) => factors[Math.floor((PAST_DAYS + 1 - daysAgo) * DAY + minute)] ?? 1
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
  const sizes = list(PAST_DAYS + 2, () => Math.exp(0.05 * chance.normal()))
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
const inSteps = ({ usualAt, ...scene }: Scene, rollOutMinutes = 60): Scene => ({
  ...scene,
  rollOutMinutes,
  usualAt: (minute, daysAgo, isBeside) => {
    const { perMinute = 150, ...usual } = usualAt(minute, daysAgo, isBeside)
    const part = daysAgo > 0 || minute < 0 ? 0 : newPartAt(minute)
    return { ...usual, perMinute: perMinute * (isBeside ? 1 - part : part) }
  },
})
/** @param minutes from the event on, in which it is found or not */
export const rolling = (changed: Changed, minutes?: number) => (chance: Chance) => inSteps(remembering(changed)(chance), minutes)
const rollingSmall = (changed: Changed) => inSteps(changing(() => ({ perMinute: 150 }), changed))

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
  ['the same, errors ×2: found by 20 minutes', rolling({ errors: 2 }, 20), [65, 100]],
  ['the same: found by 40 minutes', rolling({ errors: 2 }, 40), [97, 100]],
  ['the same, errors ×3: found by 10 minutes', rolling({ errors: 3 }, 10), [75, 100]],
  ['the same: found by 20 minutes', rolling({ errors: 3 }, 20), [96, 100]],
  ['a roll-out, 150 a minute, nothing', rollingSmall({}), [0, 4]],
  ['the same, errors ×2', rollingSmall({ errors: 2 }), [90, 100]],
  ['a job with errors ×5 every day at this time, nothing', daily({}), [0, 5]],
]
