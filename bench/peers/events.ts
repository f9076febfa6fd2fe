/**
 * The events that every system is given: a web server's log of 24 hours, deterministic (`bench/support/events.ts`), a few of them
 * with a rare word. Deliberately not here: what is asked of them.
 */
import { makeBody, makeEvent } from '../support/events.ts'

export const START_MS = Date.parse('2026-11-20T00:00:00Z')
export const END_MS = START_MS + 86_400_000
/** Of a request. */
const BODY_EVENTS = 1_000

/** So many rare words take turns, so that each round asks for another one, and each is in so many events. */
const RARE_WORDS = 10
const RARE_EVENTS = 50
/** @returns a word that is in 50 events, whatever their total */
export const rareWord = (n: number) => `quartz${n % RARE_WORDS}`

/** @param total events there are; the day is shared among them evenly, and no two have the same time */
export function eventAt(i: number, total: number): string {
  const event = makeEvent(i, START_MS, Math.floor((END_MS - START_MS) / total))
  const rareEvery = Math.max(1, Math.floor(total / (RARE_WORDS * RARE_EVENTS)))
  return i % rareEvery === 0 ? `${event.slice(0, -2)} ${rareWord(i / rareEvery)}"}` : event
}

/** @returns requests of 1,000 events, each a JSON array */
export function makeBodies(total: number): Buffer[] {
  return Array.from({ length: Math.ceil(total / BODY_EVENTS) }, (_, body) => {
    const first = body * BODY_EVENTS
    return makeBody(first, Math.min(BODY_EVENTS, total - first), (i) => eventAt(i, total))
  })
}
