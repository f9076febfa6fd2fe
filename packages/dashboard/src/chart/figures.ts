/** Statistics of a series: its last value, bounds, mean and total. Pure. */
import type { Frame, Series } from './frame.ts'
import { isOwn } from './stack.ts'

export interface Figures {
  last: number
  min: number
  max: number
  mean: number
  total: number
}

/** @returns `undefined` for a series without a value */
export function figuresOf({ values }: Series): Figures | undefined {
  const there = values.filter((value) => value !== null)
  const last = there.at(-1)
  if (last === undefined) return undefined
  const total = there.reduce((sum, value) => sum + value, 0)
  return {
    last,
    min: there.reduce((least, value) => Math.min(least, value)),
    max: there.reduce((most, value) => Math.max(most, value)),
    mean: total / there.length,
    total,
  }
}

/**
 * @returns the statistic of every series that has a value, with the index that gives the series its color, and the value at the earlier
 *   time that the frame is compared with
 */
export function eachFigure(frame: Frame, figure: keyof Figures) {
  return frame.series.flatMap((one, at) => {
    const value = isOwn(one) ? figuresOf(one)?.[figure] : undefined
    const earlier = frame.series.find(({ earlierOf }) => earlierOf === at)
    return value === undefined ? [] : [{ label: one.label, at, value, before: earlier && figuresOf(earlier)?.[figure] }]
  })
}
