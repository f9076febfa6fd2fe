/** Compares the time after an annotation with that before it, and the time of a span, as the judge of the service does. */
import { chooseQueries, compareEach, toMark } from '@deployment-annotations/compare/around'
import type { Ask } from '@deployment-annotations/compare/comparison'
import { JUDGE_DEFAULTS } from '@deployment-annotations/compare/judge'
import type { Report } from '@deployment-annotations/compare/report'
import { toReport } from '@deployment-annotations/compare/to-report'
import { AFTER_MS, BEFORE_TIMES, SEASONS_MS, windowsAround, windowsDuring } from '@deployment-annotations/compare/windows'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { listQueryable } from '../service/datasets.ts'
import { queryTables } from '../service/query.ts'
import { describeError } from '../service/request.ts'
import { may } from '../service/session.ts'
import { spanOf, titleOf } from './annotation-view.ts'
import { listAnnotations } from './list-annotations.ts'

/** @param afterMs of the time after it; `undefined` compares the time during a span */
export async function compareAround(annotation: Annotation, afterMs: number | undefined, signal: AbortSignal): Promise<Report> {
  const { id, datasets } = annotation
  const event = spanOf(annotation)
  const lengthMs = afterMs ?? Math.max(AFTER_MS, event.endMs - event.startMs)
  const options = { afterMs: lengthMs, beforeMs: BEFORE_TIMES * lengthMs, seasonsMs: SEASONS_MS }
  const windows = afterMs === undefined ? windowsDuring(event, options, Date.now()) : windowsAround(event, options, Date.now())
  const near = await listAnnotations({ startMs: windows.before.startMs, endMs: windows.after.endMs }, signal)
  const marks = near
    .filter((one) => one.id !== id && one.datasets.some((name) => datasets.includes(name)))
    .map((one) => toMark(one, Date.now()))
  // A dataset without events has no fields, and its query says so.
  const fieldsOf = async (name: string) => (may('datasets|read') ? listQueryable(name, signal).catch(() => []) : [])
  const ask: Ask = ({ apl }, range) => queryTables({ apl, ...range }, signal)
  const asked = datasets.filter((name) => may('query|read', [name]))
  const queries = await chooseQueries(asked, { ask, windows, afterMs: lengthMs, tags: annotation, fieldsOf })
  const judging = { ...JUDGE_DEFAULTS, windows, event: titleOf(annotation), marks }
  const comparison = await compareEach(ask, queries, judging, (error) => (signal.aborted ? undefined : describeError(error)))
  return toReport(comparison, { judgedMs: Date.now() })
}
