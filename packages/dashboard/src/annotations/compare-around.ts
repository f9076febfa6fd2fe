/** Compares what is charted before and after an annotation, as the step and the command do. */
import { type Comparison, compare } from '@deployment-annotations/compare/comparison'
import { JUDGE_DEFAULTS } from '@deployment-annotations/compare/judge'
import { BEFORE_TIMES, windowsAround } from '@deployment-annotations/compare/windows'
import { describeMove } from '@deployment-annotations/compare/words'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatDuration, UNIT_MS } from '@deployment-annotations/contract/duration'
import { queryTables } from '../service/query.ts'

/** A query of what a chart shows, grouped by time. */
export interface Charted {
  /** Of a dataset; '' for a typed query, whose columns have names. */
  name: string
  apl: string
  datasets: readonly string[]
  /** Of its bins. */
  stepMs: number
}

/** A line for each series, and which times were compared. */
interface Compared {
  lines: { word: string; name: string; text: string }[]
  times: string
}

/** So many bins of the chart are looked at after the annotation, and ten minutes at least. */
const BINS_AFTER = 10
const WINDOW_MS_MIN = 10 * UNIT_MS.m

/** The page does not know which way is worse. */
const WORDS = { worse: 'Higher', better: 'Lower', same: 'Much the same', 'too little data': 'Too little data' } as const

export async function compareAround({ time, endTime = time }: Annotation, charted: readonly Charted[], signal: AbortSignal) {
  const windowMs = Math.max(WINDOW_MS_MIN, ...charted.map(({ stepMs }) => BINS_AFTER * stepMs))
  const beforeMs = BEFORE_TIMES * windowMs
  const event = { startMs: Date.parse(time), endMs: Date.parse(endTime) }
  const windows = windowsAround(event, { windowMs, beforeMs }, Date.now())
  const ask = ({ apl }: { apl: string }, range: { startTime: string; endTime: string }) => queryTables({ apl, ...range }, signal)
  const comparison = await compare(ask, charted, { windows, direction: 'higher is worse', ...JUDGE_DEFAULTS })
  const afterMs = windows.after.endMs - windows.after.startMs
  return toLines(comparison, `${formatDuration(afterMs)} after, compared with ${formatDuration(beforeMs)} before`)
}

function toLines({ series, notes }: Comparison, times: string): Compared {
  const lines = series.map((one) => ({
    word: WORDS[one.verdict],
    name: one.name,
    text: one.lack ?? describeMove(one),
  }))
  return { lines, times: [times, ...notes].join('. ') }
}
