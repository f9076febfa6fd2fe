/** Draws the same chart of an earlier time behind the current one. Pure. */
import { parseStep, type Range } from '../address/range.ts'
import type { Frame } from '../chart/frame.ts'

/** The choices, by how much earlier; the first is no comparison. */
export const EARLIER: readonly [string, string][] = [
  ['', 'nothing'],
  ['1h', 'an hour earlier'],
  ['1d', 'a day earlier'],
  ['7d', 'a week earlier'],
]

/** @returns such as `a day earlier`; empty without a comparison */
export function whenOf(compare: string): string {
  return EARLIER.slice(1).find(([value]) => value === compare)?.[1] ?? ''
}

export function earlierRange({ startMs, endMs }: Range, compare: string): Range | undefined {
  const shiftMs = whenOf(compare) === '' ? undefined : parseStep(compare)
  return shiftMs === undefined ? undefined : { startMs: startMs - shiftMs, endMs: endMs - shiftMs }
}

/**
 * @param earlier the frame of the earlier range; its series have no values until it is loaded
 * @returns the frame with an earlier series for each
 */
export function withEarlier(frame: Frame, earlier: Frame | undefined, compare: string): Frame {
  const words = whenOf(compare)
  if (words === '') return frame
  const endOf = ({ times, stepMs }: Frame) => [...times, (times.at(-1) ?? 0) + stepMs]
  const binOf = new Map(earlier && endOf(earlier).map((time, bin) => [time + (parseStep(compare) ?? 0), bin]))
  const shifted = frame.series.map(({ label, pane = 0, points, color }) => {
    const one = earlier?.series.find((other) => other.label === label)
    return {
      ...{ label: `${label}, ${words}`, pane, isDashed: true as const, color: points ? 'var(--before)' : color },
      values: frame.times.map((time) => one?.values[binOf.get(time) ?? -1] ?? null),
      ...(points && { points: endOf(frame).map((time) => one?.points?.[binOf.get(time) ?? -1]) }),
    }
  })
  return { ...frame, series: [...frame.series, ...shifted] }
}
