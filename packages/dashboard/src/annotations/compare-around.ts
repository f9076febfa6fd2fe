/** Compares what is charted before an annotation with what it is after it, and during a span, as the step and the command do. */
import { type CompareOptions, type Comparison, compare } from '@deployment-annotations/compare/comparison'
import { JUDGE_DEFAULTS } from '@deployment-annotations/compare/judge'
import type { NamedQuery } from '@deployment-annotations/compare/named-queries'
import { BEFORE_TIMES, type Span, type Windows, windowsAround, windowsDuring } from '@deployment-annotations/compare/windows'
import { describeFigures, describeSureChange } from '@deployment-annotations/compare/words'
import { formatDuration, UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import { formatStep } from '../address/range.ts'
import { listFields } from '../service/datasets.ts'
import { queryTables } from '../service/query.ts'
import { describeError } from '../service/request.ts'
import { may } from '../service/session.ts'

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

export interface ComparedLine {
  word: string
  name: string
  /** From what to what; empty with too little data. */
  move: string
  /** How much that is and how sure, or why it cannot be told. */
  text: string
  /** More of it is worse, so that a word can say which way it went. */
  isError: boolean
  /** There is too little data to tell. */
  isLacking: boolean
  /** What has changed is read first. */
  rank: number
  chart: { before: readonly (number | null)[]; after: readonly (number | null)[] }
}

/** A line for each series, and which times were compared. */
export interface ComparedTime {
  when: 'during' | 'after'
  lines: ComparedLine[]
  /** In words. */
  times: string
}

/** So many bins of the chart are looked at after the annotation, and ten minutes at least. */
const BINS_AFTER = 10
const WINDOW_MS_MIN = 10 * UNIT_MS.m
/** Of the answers of HTTP servers. */
const ERROR_FIELD = 'status'
const ERROR_FROM = 500
const ERRORS = 'server errors'

/** Of a chart, nothing tells which way is worse. */
const WORDS = { worse: 'Higher', better: 'Lower', same: 'Much the same', 'too little data': 'Too little data' } as const
/** Errors before anything else that went the same way: of those it is known which way is worse. */
const RANKS = { worse: 0, better: 0, same: 2, 'too little data': 4 } as const
const ERROR_WORDS = { ...WORDS, worse: 'Worse', better: 'Better' } as const

/**
 * @param windowMs of the time after it; by default ten bins of the chart
 * @returns of a span what it was during it first, then what it was after it, if it is over; each is compared with the same time before
 */
export async function compareAround(
  { time, endTime = time }: Annotation,
  charted: readonly Charted[],
  windowMs: number | undefined,
  signal: AbortSignal,
): Promise<ComparedTime[]> {
  const length = windowMs ?? Math.max(WINDOW_MS_MIN, ...charted.map(({ stepMs }) => BINS_AFTER * stepMs))
  const beforeMs = BEFORE_TIMES * length
  const event = { startMs: Date.parse(time), endMs: Date.parse(endTime) }
  const queries = (await Promise.all(charted.map((one) => withErrors(one, signal)))).flat()
  const compared: ComparedTime[] = []
  for (const [when, windows] of timesOf(event, { windowMs: length, beforeMs }, Date.now())) {
    const comparison = await compareAll(queries, { windows, direction: 'higher is worse', ...JUDGE_DEFAULTS }, signal)
    const { startMs, endMs } = windows.after
    const times = `${formatDuration(endMs - startMs)} ${when}, compared with ${formatDuration(beforeMs)} before`
    compared.push({ when, ...toLines(comparison, times) })
  }
  return compared
}

/** What is compared with the time before, in the order of time. */
function timesOf(event: Span, options: { windowMs: number; beforeMs: number }, nowMs: number): [ComparedTime['when'], Windows][] {
  const after: [ComparedTime['when'], Windows] = ['after', windowsAround(event, options, nowMs)]
  if (event.endMs === event.startMs) return [after]
  const during: [ComparedTime['when'], Windows] = ['during', windowsDuring(event, options, nowMs)]
  return event.endMs < nowMs ? [during, after] : [during]
}

/** Of several charts, one that cannot be compared takes nothing away from the others: it is a note. */
async function compareAll(queries: readonly NamedQuery[], options: CompareOptions, signal: AbortSignal): Promise<Comparison> {
  let asked = queries[0]
  const ask = (query: NamedQuery, range: { startTime: string; endTime: string }) => {
    asked = query
    return queryTables({ apl: query.apl, ...range }, signal)
  }
  try {
    return await compare(ask, queries, options)
  } catch (error) {
    const others = queries.filter((query) => query !== asked)
    if (signal.aborted || others.length === 0) throw error
    const { notes, ...comparison } = await compareAll(others, options, signal)
    return { ...comparison, notes: [...notes, `${asked?.name} is not compared: ${describeError(error)}`] }
  }
}

/** Of a dataset with the status of answers, the share of those that are errors of the server is compared, too. */
async function withErrors({ name, source, apl, stepMs }: Charted, signal: AbortSignal): Promise<NamedQuery[]> {
  const chart = { name, apl }
  if (source === '' || !may('datasets|read')) return [chart]
  const fields = await listFields(name, signal)
  const isNumber = fields.some((field) => field.name === ERROR_FIELD && /integer|float/.test(field.type))
  if (!isNumber) return [chart]
  const errors = `${source}
| summarize failed = countif(${ERROR_FIELD} >= ${ERROR_FROM}), all = count() by bin(_time, ${formatStep(stepMs)})`
  return [chart, { name: `${name} ${ERRORS}`, apl: errors }]
}

function toLines({ series, notes }: Comparison, times: string): Omit<ComparedTime, 'when'> {
  const lines = series.map((one) => {
    const isError = one.query.endsWith(` ${ERRORS}`)
    return {
      word: (isError ? ERROR_WORDS : WORDS)[one.verdict],
      name: one.name,
      move: one.lack === undefined ? describeFigures(one) : '',
      text: one.lack ?? describeSureChange(one),
      isError,
      isLacking: one.verdict === 'too little data',
      rank: isError ? RANKS[one.verdict] : RANKS[one.verdict] + 1,
      chart: one.chart,
    }
  })
  return { lines: lines.sort((a, b) => a.rank - b.rank), times: [times, ...notes].join('. ') }
}
