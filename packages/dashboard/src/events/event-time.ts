/** Formats times of rows, always to the millisecond, so that they are aligned. Pure. */
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
// The formats are created once, because thousands of rows use them.
const LOCAL = formatsOf({})
const UTC = formatsOf({ timeZone: 'UTC' })

function formatsOf(zone: Intl.DateTimeFormatOptions) {
  const { year: _, ...withoutYear } = PARTS
  const make = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...parts, ...zone })
  return { whole: make(PARTS), ofThisYear: make(withoutYear) }
}

/** @returns such as `31 Jan, 12:00:00.120`; the year is added if it is not that of `now` */
export function formatEventTime(time: string, utc: boolean, now = new Date()): string {
  const date = new Date(cutToMs(time))
  if (Number.isNaN(date.getTime())) return time
  const isOfThisYear = utc ? date.getUTCFullYear() === now.getUTCFullYear() : date.getFullYear() === now.getFullYear()
  const { whole, ofThisYear } = utc ? UTC : LOCAL
  return (isOfThisYear ? ofThisYear : whole).format(date)
}
