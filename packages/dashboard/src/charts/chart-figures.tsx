/** What a chart of counts comes to: how many there are, how many at most in a bin, and how that is against an earlier time. */

import { describeDuration } from '../address/format-time.ts'
import { type Frame, totalOf } from '../chart/frame.ts'
import { type ChartStyle, shapeOf } from '../chart/style.ts'

export function ChartFigures({ frame, style }: { frame: Frame; style: ChartStyle }) {
  const [counts, ...others] = frame.series
  const values = counts?.values.filter((value) => value !== null) ?? []
  // It is not known: no answer is not the answer that there are none, which has no series.
  if (counts && values.length === 0) return null
  const total = counts ? totalOf(counts) : 0
  const earlier = others.find(({ earlierOf }) => earlierOf === 0)
  const change = counts && earlier && describeChange(counts.values, earlier.values)
  return (
    <>
      <span>
        <strong class="figure">{total.toLocaleString('en')}</strong> {total === 1 ? 'event' : 'events'}
      </span>
      {change && <span class="change">{change}</span>}
      <span class="hint">
        {binText(frame, style)}
        {total > 0 && `, at most ${Math.max(...values).toLocaleString('en')}`}
      </span>
    </>
  )
}

/** @returns such as `per 5 min`, or `bars of 5 min` */
export function binText(frame: Frame, style: ChartStyle): string {
  const width = describeDuration(frame.stepMs)
  return !frame.heat && shapeOf(style, frame) === 'bars' ? `bars of ${width}` : `per ${width}`
}

/** @returns nothing where there is nothing to compare with; bins that one of the two does not have say nothing */
function describeChange(now: readonly (number | null)[], before: readonly (number | null)[]): string | undefined {
  let [sum, earlier] = [0, 0]
  for (const [bin, value] of now.entries()) {
    const other = before[bin] ?? null
    if (value === null || other === null) continue
    sum += value
    earlier += other
  }
  if (earlier === 0) return undefined
  const percent = Math.round((sum / earlier - 1) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent).toLocaleString('en')} % against the earlier time`
}
