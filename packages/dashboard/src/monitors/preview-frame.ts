/** Builds the chart of what a monitor's query would have found, with its threshold. Pure. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Range } from '../address/range.ts'
import type { Frame } from '../chart/frame.ts'

/** Nobody could tell more of them apart. */
const RANGES_SHOWN = 36

/** @returns the last three hours, or as many of the monitor's ranges as show its usual values */
export function previewRange(rangeMinutes: number, nowMs: number): Range {
  const minutes = Math.max(180, RANGES_SHOWN * rangeMinutes)
  return { startMs: nowMs - minutes * UNIT_MS.m, endMs: nowMs }
}

/** @param threshold NaN while none is typed: then there is no line */
export function withThreshold(frame: Frame, threshold: number): Frame {
  if (Number.isNaN(threshold)) return frame
  const line = { label: 'threshold', values: frame.times.map(() => threshold), isThreshold: true as const }
  return { ...frame, series: [...frame.series, line] }
}

/** @returns the frame with only the series of a column, if there are any */
export function ofColumn(frame: Frame, column: string): Frame {
  const series = frame.series.filter(({ label }) => label === column)
  return column === '' || series.length === 0 ? frame : { ...frame, series }
}
