/** Formats times, durations and numbers for people. Pure. */
import { formatDuration, UNIT_MS } from '@deployment-annotations/contract/duration'
import { CLOCK, formatIn } from './zone.ts'

/** @returns such as `31 Jan 2026, 12:00:00.123`; a fraction of zero is left out */
export function formatTime(time: string | number, zone: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return String(time)
  return formatIn(zone, {
    ...{ day: 'numeric', month: 'short', year: 'numeric', ...CLOCK },
    ...(date.getMilliseconds() !== 0 && { fractionalSecondDigits: 3 }),
    // The browser's zone needs no name.
    ...(zone !== '' && { timeZoneName: 'short' }),
  }).format(date)
}

/** @returns such as `31 Jan 2026, 12:00:00 – 13:00:00`; the end has a date only if it is on another day than the start */
export function formatTimes(start: number, end: number, zone: string): string {
  const [first, second] = [formatTime(start, zone), formatTime(end, zone)]
  const [date, time] = second.split(', ')
  return `${first} – ${first.startsWith(`${date},`) ? time : second}`
}

/** @returns such as `4 min 12 s`; less than a second is `120 ms` */
export function describeDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : formatDuration(ms)
}

/** @returns `12:00` for a time of the last day, and otherwise `30 Jan, 12:00` */
export function formatClock(time: string | number, zone: string, nowMs: number): string {
  const date = new Date(time)
  const isRecent = Math.abs(nowMs - date.getTime()) < UNIT_MS.d
  const day = isRecent ? {} : ({ day: 'numeric', month: 'short' } as const)
  return formatIn(zone, { ...day, hour: '2-digit', minute: '2-digit' }).format(date)
}

/** @returns such as `1.2M`, or `0.0012`; a small number keeps its significant digits */
export function formatCompact(count: number): string {
  const size = Math.abs(count)
  const digits = size < 0.1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 }
  return new Intl.NumberFormat('en', { notation: size >= 100_000 ? 'compact' : 'standard', ...digits }).format(count)
}
