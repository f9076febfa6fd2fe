/** Times of rows, always to the millisecond, so that they stand below each other. Pure. */
import { cutToMs } from './event-query.ts'

const PARTS: Intl.DateTimeFormatOptions = {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
}
// Made once: thousands of rows use them.
const LOCAL = new Intl.DateTimeFormat('en-GB', PARTS)
const UTC = new Intl.DateTimeFormat('en-GB', { ...PARTS, timeZone: 'UTC' })

/** @returns such as `31 Jan 2026, 12:00:00.120` */
export function formatEventTime(time: string, utc: boolean): string {
  const date = new Date(cutToMs(time))
  return Number.isNaN(date.getTime()) ? time : (utc ? UTC : LOCAL).format(date)
}
