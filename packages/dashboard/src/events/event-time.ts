/** Formats times of rows, always to the millisecond, so that they are aligned. Pure. */
import { CLOCK, dayOf, formatIn } from '../address/zone.ts'
import { cutToMs } from './event-query.ts'

const PARTS = { day: '2-digit', month: 'short', ...CLOCK, fractionalSecondDigits: 3 } as const

/** @returns such as `31 Jan, 12:00:00.120`; the year is added if it is not that of `now` */
export function formatEventTime(time: string, zone: string, now = new Date()): string {
  const date = new Date(cutToMs(time))
  if (Number.isNaN(date.getTime())) return time
  const isOfThisYear = dayOf(date.getTime(), zone).slice(0, 4) === dayOf(now.getTime(), zone).slice(0, 4)
  return formatIn(zone, isOfThisYear ? PARTS : { ...PARTS, year: 'numeric' }).format(date)
}
