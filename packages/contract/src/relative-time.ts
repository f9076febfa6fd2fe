/**
 * Times relative to now, as queries and parameters take them: `now`, `now-1h`, `now + 20s`. One reader for the service, for the
 * client (which takes them once for all pages of a query) and for the page.
 * Deliberately not here: the clock, absolute times (timestamp.ts), and what a query's own text says of now.
 */
import { UNIT_NS } from './duration.ts'
import { schemaOf, text, time } from './schema.ts'

/** The accepted forms, for messages about a rejected time. */
export const RELATIVE_FORMS = 'now, now-1h, now-1d (s m h d w)'

/** Its groups have no names, so that the generators that read it in `/openapi.json` know its syntax. */
const RELATIVE_TIME_PATTERN = /^now(?:\s*([+-])\s*(\d{1,9})([smhdw]))?$/

/** A time as queries and views take it, for the document: RFC 3339, or relative to now. */
export const TIME_OR_RELATIVE = [time(), text('', { pattern: RELATIVE_TIME_PATTERN })]

/** Such a time as a parameter, of which an empty one counts as not given. */
export const timeParameter = (description: string) =>
  schemaOf<string>({ anyOf: [...TIME_OR_RELATIVE, text('', { maxLength: 0 })], description })

/** The starts of the years 1 and 9999: a time beyond them could not be written again, and nothing is stored there. */
const FIRST_NS = -62_135_596_800n * UNIT_NS.s
const LAST_NS = 253_370_764_800n * UNIT_NS.s

/**
 * @param nowNs what "now" stands for, in nanoseconds since the epoch; see {@link endOfMillisecond}
 * @returns nanoseconds since the epoch, or `undefined` if the text is not a relative time
 */
export function parseRelativeTime(text: string, nowNs: bigint): bigint | undefined {
  const found = RELATIVE_TIME_PATTERN.exec(text)
  if (!found) return undefined
  const [, sign, count = '0', unit = 's'] = found
  const distanceNs = BigInt(count) * UNIT_NS[unit as keyof typeof UNIT_NS]
  return withinYears(sign === '-' ? nowNs - distanceNs : nowNs + distanceNs)
}

/**
 * The instant that "now" stands for: the end of this millisecond, because events that were stored with this millisecond
 * as their time are there, and an interval up to now has to hold them.
 */
export function endOfMillisecond(nowMs: number): bigint {
  return (BigInt(nowMs) + 1n) * UNIT_NS.ms
}

/** @returns the nearest instant that can be written as a timestamp */
export function withinYears(ns: bigint): bigint {
  return ns < FIRST_NS ? FIRST_NS : ns > LAST_NS ? LAST_NS : ns
}
