/** When messages are held back, on the clocks of a zone. Pure. */
import type { QuietHours } from '@deployment-annotations/contract/notifier'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/** @returns whether there is such a zone */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone })
    return zone !== ''
  } catch {
    return false
  }
}

/** @returns when the quiet hours of now are over; `undefined` where it is not quiet. Clocks that are put forward or back are followed. */
export function quietUntilMs({ start, end, zone }: QuietHours, nowMs: number): number | undefined {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const isQuiet = (ms: number) => {
    const time = format.format(ms)
    return start < end ? time >= start && time < end : time >= start || time < end
  }
  if (!isQuiet(nowMs)) return undefined
  const minuteMs = nowMs - (nowMs % MINUTE_MS)
  for (let minute = 1; minute <= 2 * DAY_MINUTES; minute++) {
    if (!isQuiet(minuteMs + minute * MINUTE_MS)) return minuteMs + minute * MINUTE_MS
  }
  return undefined
}
