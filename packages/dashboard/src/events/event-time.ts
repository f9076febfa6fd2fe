/** Formats times of rows, always to the millisecond, so that they are aligned. Pure. */
import { dayOf, zoneOption } from '../address/zone.ts'
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
const formats = new Map<string, ReturnType<typeof makeFormats>>()

function formatsOf(zone: string) {
  const known = formats.get(zone) ?? makeFormats(zone)
  formats.set(zone, known)
  return known
}

function makeFormats(zone: string) {
  const { year: _, ...withoutYear } = PARTS
  const make = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...parts, ...zoneOption(zone) })
  return { whole: make(PARTS), ofThisYear: make(withoutYear) }
}

/** @returns such as `31 Jan, 12:00:00.120`; the year is added if it is not that of `now` */
export function formatEventTime(time: string, zone: string, now = new Date()): string {
  const date = new Date(cutToMs(time))
  if (Number.isNaN(date.getTime())) return time
  const isOfThisYear = dayOf(date.getTime(), zone).slice(0, 4) === dayOf(now.getTime(), zone).slice(0, 4)
  const { whole, ofThisYear } = formatsOf(zone)
  return (isOfThisYear ? ofThisYear : whole).format(date)
}
