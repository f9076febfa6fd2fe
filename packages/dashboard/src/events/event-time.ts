/** Formats times of rows, always to the millisecond, so that they are aligned. Pure. */
import { CLOCK, formatIn } from '../address/zone.ts'

const PARTS = { day: '2-digit', month: 'short', ...CLOCK, fractionalSecondDigits: 3 } as const

/** @returns such as `31 Jan, 12:00:00.120`; the year is added if it is not that of `now` */
export function formatEventTime(time: string, zone: string, now = new Date()): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  const yearOf = (at: Date) => formatIn(zone, { year: 'numeric' }).format(at)
  return formatIn(zone, yearOf(date) === yearOf(now) ? PARTS : { ...PARTS, year: 'numeric' }).format(date)
}
