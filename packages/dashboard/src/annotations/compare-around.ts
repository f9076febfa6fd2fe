/** Compares what is charted before an annotation with what it is after it, and during a span, as the step and the command do. */
import { compareEach, examineEvents, toMark } from '@deployment-annotations/compare/around'
import type { Ask, CompareOptions } from '@deployment-annotations/compare/comparison'
import { rateQueries } from '@deployment-annotations/compare/default-queries'
import { JUDGE_DEFAULTS } from '@deployment-annotations/compare/judge'
import type { NamedQuery } from '@deployment-annotations/compare/named-queries'
import type { Mark } from '@deployment-annotations/compare/neighbors'
import type { Report } from '@deployment-annotations/compare/report'
import { toReport } from '@deployment-annotations/compare/to-report'
import {
  AFTER_MS,
  BEFORE_TIMES,
  SEASONS_MS,
  type Span,
  type Windows,
  windowsAround,
  windowsDuring,
} from '@deployment-annotations/compare/windows'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatStep } from '../address/range.ts'
import { listQueryable } from '../service/datasets.ts'
import { queryTables } from '../service/query.ts'
import { describeError } from '../service/request.ts'
import { may } from '../service/session.ts'
import { listAnnotations } from './list-annotations.ts'

/** A query of what a chart shows, grouped by time. */
export interface Charted {
  /** Of the dataset, or of the chart where there are several; '' for a typed query alone, whose columns have names. */
  name: string
  /** The dataset as a query has it; '' for a typed query. */
  source: string
  apl: string
  datasets: readonly string[]
  /** Of its bins. */
  stepMs: number
}

interface ComparedTime {
  when: 'during' | 'after'
  report: Report
}

/** So many bins of the chart are looked at after the annotation, and ten minutes at least. */
const BINS_AFTER = 10
/** Fewer bins of a span say too little to be judged. */
const BINS_DURING = 10

/**
 * @param afterMs of the time after it; by default ten bins of the chart
 * @returns what it was after the annotation, and after that what it was during a span; each is compared with the time before
 */
export async function compareAround(
  annotation: Annotation,
  charted: readonly Charted[],
  afterMs: number | undefined,
  signal: AbortSignal,
): Promise<ComparedTime[]> {
  const { time, endTime = time, title, type } = annotation
  const longestStepMs = Math.max(...charted.map(({ stepMs }) => stepMs))
  const length = afterMs ?? Math.max(AFTER_MS, BINS_AFTER * longestStepMs)
  const beforeMs = BEFORE_TIMES * length
  const event = { startMs: Date.parse(time), endMs: Date.parse(endTime) }
  const marks = await readMarks(annotation, { startMs: event.startMs - beforeMs, endMs: event.endMs + length }, signal)
  const readFields = async ({ name }: NamedQuery) => {
    const one = charted.find((chart) => chart.source !== '' && (name === chart.name || name.startsWith(`${chart.name} `)))
    return one && may('datasets|read') ? listQueryable(one.name, signal) : []
  }
  const ask: Ask = ({ apl }, range) => queryTables({ apl, ...range }, signal)
  const compared: ComparedTime[] = []
  for (const [when, windows] of timesOf(event, { afterMs: length, beforeMs, longestStepMs }, Date.now())) {
    const options: CompareOptions = { windows, direction: 'none', event: title ?? type, marks, readFields, ...JUDGE_DEFAULTS }
    const examined = charted.map((one) => withRates(one, { ask, windows, tags: annotation }, signal))
    const queries = (await Promise.all(examined)).flat()
    const comparison = await compareEach(ask, queries, options, (error) => (signal.aborted ? undefined : describeError(error)))
    compared.push({ when, report: toReport(comparison, { judgedMs: Date.now() }) })
  }
  return compared
}

/** Other marks of the same datasets, near enough to have done it. */
async function readMarks({ id, datasets }: Annotation, range: Span, signal: AbortSignal): Promise<Mark[]> {
  const near = await listAnnotations(range, signal)
  return near
    .filter((one) => one.id !== id && one.datasets.some((name) => datasets.includes(name)))
    .map((one) => toMark(one, Date.now()))
}

/** What matters of a deployment is what is after it; of a span that goes on there is only the time since it began. */
function timesOf(
  event: Span,
  options: { afterMs: number; beforeMs: number; longestStepMs: number },
  nowMs: number,
): [ComparedTime['when'], Windows][] {
  const after: [ComparedTime['when'], Windows] = ['after', windowsAround(event, { ...options, seasonsMs: SEASONS_MS }, nowMs)]
  if (event.endMs === event.startMs) return [after]
  const during: [ComparedTime['when'], Windows] = ['during', windowsDuring(event, options, nowMs)]
  if (event.endMs >= nowMs) return [during]
  return event.endMs - event.startMs >= BINS_DURING * options.longestStepMs ? [after, during] : [after]
}

/** Of a dataset whose fields say so, the share of errors and the latencies are compared, too. */
async function withRates(
  { name, source, apl, stepMs }: Charted,
  options: Parameters<typeof examineEvents>[1],
  signal: AbortSignal,
): Promise<NamedQuery[]> {
  const chart = { name, apl }
  if (source === '' || !may('datasets|read')) return [chart]
  try {
    const fields = await listQueryable(name, signal)
    return [chart, ...rateQueries(await examineEvents({ name, source, fields }, options), formatStep(stepMs))]
  } catch (error) {
    if (signal.aborted) throw error
    return [{ ...chart, note: `Errors and latencies of ${name} are not compared: ${describeError(error)}` }]
  }
}
