/** Ranges of whole days, weeks and months, in the zone that is shown. Pure. */
import type { Times } from './range.ts'
import { startOfDay, startOfMonth, withZone } from './zone.ts'

export interface NamedTimes extends Times {
  name: string
}

/** @returns those that people ask for by name; what is not over yet ends now. Weeks begin on Monday, as in ISO 8601 */
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

/** @returns the range from the start of the earlier one of two days, `2026-01-31`, to the end of the later one */
export function timesOfDays(one: string, other: string, utc: boolean): Times {
  const [first, last] = one <= other ? [one, other] : [other, one]
  return { startTime: withZone(first, utc), endTime: startOfDay(Date.parse(withZone(last, utc)), 1, utc) }
}
