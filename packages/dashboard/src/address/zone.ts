/** The zone in which times are shown and typed, and its calendar of days, weeks and months. */
import type { Times } from './range.ts'

/** @returns such as `Europe/Berlin` */
export function zoneName(utc: boolean): string {
  return utc ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Matches a time without a zone: `2026-01-31`, `2026-01-31 12:00`, `2026-01-31T12:00:00.5`. */
const WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?$/

/** @returns a time without a zone as RFC 3339 in UTC, read in the zone that is shown; any other text is returned unchanged */
export function withZone(text: string, utc: boolean): string {
  const [, date, time = '00:00'] = WITHOUT_ZONE.exec(text.trim()) ?? []
  if (date === undefined) return text
  const read = new Date(`${date}T${time}${utc ? 'Z' : ''}`)
  return Number.isNaN(read.getTime()) ? text : read.toISOString()
}

/** @returns a time in the form in which it is typed, `2026-01-31 12:00:00`; a text relative to now is returned unchanged */
export function withoutZone(text: string, utc: boolean): string {
  const ms = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) return text
  const offsetMs = utc ? 0 : new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs)
    .toISOString()
    .slice(0, -1)
    .replace('T', ' ')
    .replace(/\.000$/, '')
}

/** @returns the date in that zone, such as `2026-01-31` */
export function dayOf(ms: number, utc: boolean): string {
  return withoutZone(new Date(ms).toISOString(), utc).slice(0, 10)
}

/** @returns the start of the day that is `days` days from that of `ms`; some days start at one o'clock */
function startOfDay(ms: number, days: number, utc: boolean): string {
  const at = new Date(ms)
  const start = utc
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + days)
    : new Date(at.getFullYear(), at.getMonth(), at.getDate() + days)
  return new Date(start).toISOString()
}

/** @returns the start of the month that is `months` months from that of `ms` */
function startOfMonth(ms: number, months: number, utc: boolean): string {
  const at = new Date(ms)
  const start = utc
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months)
    : new Date(at.getFullYear(), at.getMonth() + months)
  return new Date(start).toISOString()
}

export interface NamedTimes extends Times {
  name: string
}

/** @returns the ranges that people name, such as today; one that is not over ends now. Weeks start on Monday, as in ISO 8601 */
export function listCalendarTimes(nowMs: number, utc: boolean): NamedTimes[] {
  const now = new Date(nowMs)
  const sinceMonday = ((utc ? now.getUTCDay() : now.getDay()) + 6) % 7
  const day = (days: number) => startOfDay(nowMs, days, utc)
  const week = (weeks: number) => day(7 * weeks - sinceMonday)
  const month = (months: number) => startOfMonth(nowMs, months, utc)
  return [
    { name: 'Today', startTime: day(0), endTime: 'now' },
    { name: 'Yesterday', startTime: day(-1), endTime: day(0) },
    { name: 'This week', startTime: week(0), endTime: 'now' },
    { name: 'Previous week', startTime: week(-1), endTime: week(0) },
    { name: 'This month', startTime: month(0), endTime: 'now' },
    { name: 'Previous month', startTime: month(-1), endTime: month(0) },
  ]
}

/** @returns the range from the start of the earlier of two dates to the end of the later one */
export function timesOfDays(one: string, other: string, utc: boolean): Times {
  const [first, last] = one <= other ? [one, other] : [other, one]
  return { startTime: withZone(first, utc), endTime: startOfDay(Date.parse(withZone(last, utc)), 1, utc) }
}
