/** What a monitor's query would have found, with the threshold beside it. Pure. */

import type { Range } from '../address/range.ts'
import type { Frame } from '../chart/frame.ts'

const MINUTE_MS = 60_000
/** As many as a person can still tell apart. */
const RANGES_SHOWN = 36

/** @returns the last three hours, or so many ranges of the monitor as tell how it usually is */
export function previewRange(rangeMinutes: number, nowMs: number): Range {
  const minutes = Math.max(180, RANGES_SHOWN * rangeMinutes)
  return { startMs: nowMs - minutes * MINUTE_MS, endMs: nowMs }
}

/** @param threshold not a number while nothing is typed: then there is no line */
export function withThreshold(frame: Frame, threshold: number): Frame {
  if (Number.isNaN(threshold)) return frame
  const line = { label: 'threshold', values: frame.times.map(() => threshold), isThreshold: true as const }
  return { ...frame, series: [...frame.series, line] }
}

/** @returns the series of that column alone, where there are some */
export function ofColumn(frame: Frame, column: string): Frame {
  const series = frame.series.filter(({ label }) => label === column)
  return column === '' || series.length === 0 ? frame : { ...frame, series }
}
