/**
 * Timestamps of the wire contract: text to nanoseconds since the Unix epoch and back.
 * One reader for the step, the client and the service, so that all three agree on every spelling.
 * Deliberately not here: the clock, and spellings that only one interface takes (`now`, epoch numbers, `now-1h`).
 */

import { UNIT_NS } from './duration.ts'

/** The accepted forms, for messages about a rejected timestamp. */
export const TIMESTAMP_FORMS =
  'an RFC 3339 / ISO 8601 time such as 2026-01-31T12:00:00Z, 2026-01-31T13:00:00.123456789+01:00 or 2026-01-31'

/** First and last instant the service can hold: the range of a 64-bit nanosecond column (DateTime64(9)). */
export const STORABLE_FIRST_NS = BigInt(Date.UTC(1900, 0, 1)) * UNIT_NS.ms
export const STORABLE_LAST_NS = 9_223_372_036_854_775_807n

/*
 * date [ (T|t|space) hour:minute[:second[(.|,)1–9 digits]] [ Z|z | ±hh[[:]mm] ] ]
 * The basic form without separators (20260131T120000Z, what `date +%Y%m%dT%H%M%SZ` prints) is ISO 8601 too;
 * the back references make a text use one form throughout.
 */
const SHAPE =
  /^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?:[Tt ](?<hour>\d\d)(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?:[Zz]|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)?)?$/

/**
 * Reads a timestamp. No zone means UTC, a date alone means its midnight, and a leap second counts as the second before it.
 * @returns nanoseconds since 1970-01-01T00:00:00Z, or `undefined` where the text is not one of {@link TIMESTAMP_FORMS}
 *   (a day that does not exist, ten fraction digits, spaces around it). The year may lie outside of what the service stores.
 */
export function parseTimestamp(text: string): bigint | undefined {
  const part = SHAPE.exec(text)?.groups
  if (!part || (part.dash === '' && part.hour === undefined)) return undefined
  const [year, month, day] = [Number(part.year), Number(part.month), Number(part.day)]
  const [hour, minute, second] = [Number(part.hour ?? 0), Number(part.minute ?? 0), Number(part.second ?? 0)]
  const [offsetHour, offsetMinute] = [Number(part.offsetHour ?? 0), Number(part.offsetMinute ?? 0)]
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined

  const offsetMinutes = (part.sign === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  const leap = second === 60
  const utcMs = utcMillis(year, month, day, hour, minute, leap ? 59 : second) - offsetMinutes * 60_000
  // Leap seconds are only ever inserted at 23:59:60 UTC.
  if (leap && !new Date(utcMs).toISOString().endsWith('T23:59:59.000Z')) return undefined
  return BigInt(utcMs) * UNIT_NS.ms + BigInt((part.fraction ?? '').padEnd(9, '0'))
}

const LAST_ZEROS = /(?<!0)0+$/

/**
 * Writes a timestamp as the service does: RFC 3339, UTC with `Z`, the fraction without trailing zeros.
 * @param ns nanoseconds since the epoch, years 0000 to 9999
 */
export function formatTimestamp(ns: bigint): string {
  // Each calculation with a bigint costs as much as all of those with numbers; lists have thousands of times.
  const rest = Number(ns % UNIT_NS.s)
  const fraction = rest < 0 ? rest + 1e9 : rest
  const whole = new Date((Number(ns / UNIT_NS.s) - (rest < 0 ? 1 : 0)) * 1_000).toISOString().slice(0, 19)
  return fraction === 0 ? `${whole}Z` : `${whole}.${String(fraction).padStart(9, '0').replace(LAST_ZEROS, '')}Z`
}

/** Writes an instant in milliseconds since the epoch as {@link formatTimestamp} does. */
export function formatMillis(ms: number): string {
  return formatTimestamp(BigInt(ms) * UNIT_NS.ms)
}

/** Whether the service can hold this instant. */
export function isStorable(ns: bigint): boolean {
  return ns >= STORABLE_FIRST_NS && ns <= STORABLE_LAST_NS
}

/** @returns the nearest instant that the store can compare: any year may be asked for, and nothing is stored outside of its range */
export function clampStorable(ns: bigint): bigint {
  if (ns < STORABLE_FIRST_NS) return STORABLE_FIRST_NS - 1n
  return ns > STORABLE_LAST_NS ? STORABLE_LAST_NS : ns
}

function daysOf(year: number, month: number): number {
  return new Date(utcMillis(year, month + 1, 0, 0, 0, 0)).getUTCDate()
}

/** Like Date.UTC, which reads the years 0 to 99 as 1900 to 1999. */
function utcMillis(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second, 0)
}
