/**
 * A comparison from beginning to end, for the step and the command: read when the event was, wait for the time after it to be over,
 * ask, judge. The requests go through clients that are handed in.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOptions } from '@deployment-annotations/client/calls'
import type { Client } from '@deployment-annotations/client/client'
import { ClientError } from '@deployment-annotations/client/errors'
import {
  chooseQueries,
  datasetsOf,
  EARLY_SHARE,
  hurtSpansOf,
  lookUntil,
  toMark,
  withShare,
} from '@deployment-annotations/compare/around'
import { type Ask, ComparisonError, compare, MissingEventsError } from '@deployment-annotations/compare/comparison'
import { JUDGE_DEFAULTS } from '@deployment-annotations/compare/judge'
import { describeLag, type Lag, Lags, notesOfLag, UNKNOWN_LAG } from '@deployment-annotations/compare/lag'
import type { NamedQuery } from '@deployment-annotations/compare/named-queries'
import type { Report } from '@deployment-annotations/compare/report'
import { withVirtual } from '@deployment-annotations/compare/signs'
import type { Source } from '@deployment-annotations/compare/sources/source'
import { SOURCES } from '@deployment-annotations/compare/sources/sources'
import { toReport } from '@deployment-annotations/compare/to-report'
import {
  AFTER_MS,
  BEFORE_TIMES,
  formatSpan,
  looksBefore,
  SEASONS_MS,
  type Span,
  shift,
  waitBefore,
} from '@deployment-annotations/compare/windows'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatDuration, UNIT_MS } from '@deployment-annotations/contract/duration'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { collectHints } from './collect-hints.ts'
import { type ComparisonInputs, toMs } from './comparison.ts'
import { openSource, type SourceOptions } from './comparison-source.ts'
import type { Door } from './door.ts'
import { explain, isOutage, type Operation } from './explain.ts'
import { readVerdict } from './read-verdict.ts'
import { quote, toLog } from './text.ts'

/** What is compared around: as people call it, and when it was. */
interface Event extends Span {
  title: string
  /** Of the annotation; absent where only a time is given. */
  id?: string
  /** The address of the page that shows it, if the service says it. */
  page?: string | undefined
  datasets: readonly string[]
  /** Where it was, if the annotation says so. */
  tags?: Pick<Annotation, 'service' | 'environment'>
  /** What the service has found by itself. */
  kept?: Report | undefined
}

/** The clients, how they call, and where lines for people go. */
interface ComparisonCaller {
  client: Pick<Client, 'datasets' | 'query'> & { annotations: Pick<Client['annotations'], 'get' | 'list'> }
  options: CallOptions
  /** How a source is reached that is asked in the place of the service's datasets. */
  reach: Omit<SourceOptions, 'afterMs' | 'calls'>
  tell: (line: string) => void
  /** What people should look at, though nothing is wrong. */
  notice: (line: string) => void
  /** Called before each call with what it is for, for the message if it fails. */
  begin: (operation: Operation) => void
  door: Door
}

type SourceCaller = ComparisonCaller & { source: Source | undefined; ask: Ask; lags: Lags }

/** @throws ClientError, ComparisonError */
export async function runComparison(inputs: ComparisonInputs, options: ComparisonCaller): Promise<Report> {
  const { afterMs } = inputs.windows
  await using source = inputs.source && openSource(inputs.source, { ...options.reach, afterMs, calls: options.options })
  const said = new Set<string>()
  const tell = (line: string) => {
    if (!said.has(line)) options.tell(line)
    said.add(line)
  }
  const ask: Ask = (asked, range) => {
    const what = inputs.source ? (`${SOURCES[inputs.source.kind].title} for` as const) : 'the query'
    options.begin(`ask ${what} ${quote(asked.name)}`)
    return source ? source.ask(asked, range) : options.client.query(asked.apl, { ...range, ...options.options })
  }
  const caller: SourceCaller = { ...options, source, ask, lags: new Lags(), tell }
  caller.begin('read the annotation')
  const event = await readEvent(inputs, caller)
  if (event.kept && isAsService(inputs)) {
    caller.notice('The service has judged it already: its verdict is taken.')
    return event.kept
  }
  const wanted = { ...inputs, queries: await readQueries(event, inputs, caller) }
  const first = await readLag(event, wanted, caller)
  const waiting = { afterMs, nowMs: Date.now(), untilMs: Date.now() + inputs.waitMs, lagMs: first.ms }
  const ms = waitBefore(event, waiting)
  const until = new Date(waiting.nowMs + ms).toISOString()
  if (ms > 0)
    tell(`Waiting ${formatDuration(ms)}, until ${until}, for the window after the event to be over${describeLag(first)}`)
  const looks = looksBefore(event, waiting)
  const early = await lookEarly(event, looks, wanted, caller)
  if (early) return early
  const lag = await readLag(event, wanted, caller)
  await sleep(waitBefore(event, { ...waiting, nowMs: Date.now(), lagMs: lag.ms }))
  const last = looks.length === 0 ? wanted : { ...wanted, judge: withShare(wanted.judge, 1 - EARLY_SHARE) }
  return compareAround(event, last, { ...caller, lag })
}

/** @returns what went wrong, and what to do, for people */
export function explainComparison(error: unknown, operation: Operation, door: Door): string {
  return error instanceof ComparisonError ? toLog(error.message) : explain(error, operation, door)
}

/** As `isOutage`, also of an answer that lacks events: `onOutage` decides what it does to the job. */
export function isComparisonOutage(error: unknown): boolean {
  return error instanceof MissingEventsError || isOutage(error)
}

async function readEvent({ event, queries }: ComparisonInputs, { client, options }: SourceCaller): Promise<Event> {
  if (!('id' in event)) {
    const startMs = toMs(event.time, Date.now())
    const endMs = event.endTime ? toMs(event.endTime, Date.now()) : startMs
    const title = `${new Date(startMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    return { title, startMs, endMs, datasets: queries.flatMap(({ apl }) => datasetsOf(apl)) }
  }
  const { hints, collecting } = collectHints({ ...options, include: 'all' })
  const annotation = await client.annotations.get(event.id, collecting)
  const { id, type, title = type, time, endTime = time, datasets } = annotation
  const span = { startMs: Date.parse(time), endMs: Date.parse(endTime) }
  return { ...span, title, id, page: hints.page, datasets, tags: annotation, kept: readVerdict(annotation, hints.page) }
}

/** Whether nothing else is asked than what the service asks itself. */
function isAsService({ queries, source, direction, windows, judge }: ComparisonInputs): boolean {
  const usual = { afterMs: AFTER_MS, beforeMs: BEFORE_TIMES * AFTER_MS, seasonsMs: SEASONS_MS, ...JUDGE_DEFAULTS }
  const isUsual = JSON.stringify({ ...windows, ...judge }) === JSON.stringify(usual)
  return queries.length === 0 && !source && direction === undefined && isUsual
}

/** Those that were given, or what a source has of the service; none where the datasets say at each look what to compare. */
async function readQueries({ startMs, datasets }: Event, inputs: ComparisonInputs, caller: SourceCaller): Promise<NamedQuery[]> {
  const { client, options, source, begin, tell } = caller
  const { queries, source: wanted } = inputs
  // What cannot be read is said before anybody waits.
  for (const dataset of queries.length > 0 || source ? [] : datasets) {
    begin(`read the fields of the dataset ${quote(dataset)}`)
    await client.datasets.fields(dataset, options)
  }
  if (queries.length > 0 || !source || !wanted) return queries
  begin(`ask ${SOURCES[wanted.kind].title} for the metrics of ${quote(wanted.service)}`)
  const chosen = await source.chooseQueries(startMs)
  tellQueries(chosen, tell)
  return chosen
}

function tellQueries(chosen: readonly NamedQuery[], tell: SourceCaller['tell']): void {
  for (const { name, apl } of chosen) tell(`Looking at ${toLog(name)}: ${toLog(apl.replaceAll('\n', ' '))}`)
}

/**
 * Looks while the window after the event is still open, because a service that is gone should not wait for ten minutes. Each of these
 * looks takes a part of the error rate, so that many looks do not find by chance what one would not.
 */
async function lookEarly(event: Event, looks: readonly number[], inputs: ComparisonInputs, caller: SourceCaller) {
  const early = { ...inputs, judge: withShare(inputs.judge, EARLY_SHARE / looks.length) }
  for (const lookMs of looks) {
    await sleep(Math.max(0, lookMs - Date.now()))
    const lag = await readLag(event, inputs, caller)
    const report = await compareAround(event, early, { ...caller, lag, notice: () => {} })
    // What seems to be gone may only be late, where nobody knows how late events are.
    if (!isWorse(report.verdict) || (report.verdict === 'gone' && !lag.isKnown)) continue
    caller.notice('Found before the window after the event was over.')
    return report
  }
  return undefined
}

/** How late events are, where that can be asked; a source has its own times. */
function readLag({ endMs, datasets }: Event, { queries, windows }: ComparisonInputs, caller: SourceCaller): Promise<Lag> {
  const { ask, lags, source } = caller
  const queried = queries.length > 0 ? queries.flatMap(({ apl }) => datasetsOf(apl)) : datasets
  return lags.longest(ask, source ? [] : queried, endMs + windows.afterMs, Date.now()).catch((error) => {
    if (!(error instanceof ClientError) || isOutage(error)) throw error
    return UNKNOWN_LAG
  })
}

async function compareAround(event: Event, inputs: ComparisonInputs, caller: SourceCaller & { lag: Lag }): Promise<Report> {
  const { client, options, source, ask, lag, notice, begin, tell, door } = caller
  const { baselines, windows, direction, judge } = inputs
  const whole = { startMs: event.startMs - windows.beforeMs, endMs: event.endMs + windows.afterMs }
  const [near = [], ...days] = await readMarks(event, [whole, ...windows.seasonsMs.map((ago) => shift(whole, -ago))], caller)
  const marks = near.map((one) => toMark(one, Date.now()))
  // A timer may end some milliseconds early.
  const horizonMs = Math.ceil((Date.now() - lag.ms) / UNIT_MS.s) * UNIT_MS.s
  const look = lookUntil(event, windows, marks, horizonMs)
  if (!look.isOver) {
    const passed = formatDuration(look.windows.after.endMs - look.windows.after.startMs)
    const missing = `Only ${passed} of the ${formatDuration(windows.afterMs)} after the event have arrived`
    notice(`${missing}${describeLag(lag)}; ${door.mention('wait')} says how long to wait for them.`)
  }
  const fieldsOf = async (dataset: string) => {
    begin(`read the fields of the dataset ${quote(dataset)}`)
    const stored = await client.datasets.fields(dataset, options)
    // A token may be refused the list with the virtual fields, without which the stored ones are compared.
    const all = await client.datasets.allFields(options).catch(() => [])
    return withVirtual(stored, all.find(({ datasetName }) => datasetName === dataset)?.fields)
  }
  const readFields = ({ apl }: NamedQuery) => client.datasets.fields(datasetsOf(apl)[0] ?? '', options)
  const choosing = { ask, windows: look.windows, afterMs: look.after.endMs - look.after.startMs, tags: event.tags, fieldsOf }
  const queries = inputs.queries.length > 0 ? inputs.queries : await chooseQueries(event.datasets, choosing)
  if (inputs.queries.length === 0) tellQueries(queries, tell)
  const hurtSpans = hurtSpansOf(days.flat(), Date.now())
  const judging = { windows: look.windows, direction, event: event.title, marks, hurtSpans, baselines, ...judge }
  const comparison = await compare(ask, queries, source ? judging : { ...judging, readFields })
  comparison.notes.push(...notesOfLag(lag))
  return { ...toReport(comparison, { judgedMs: Date.now(), isEarly: !look.isOver, own: event.tags?.service }), page: event.page }
}

/** A mark of the same moment is the one that the time was taken from. */
const SAME_MS = 1_000

/** The other marks of each of these times. What may not, or cannot, be read takes nothing away from the comparison. */
async function readMarks(event: Event, spans: readonly Span[], caller: SourceCaller): Promise<Annotation[][]> {
  const { client, options, notice, begin } = caller
  const isOther = ({ id, time }: Annotation) =>
    event.id === undefined ? Math.abs(Date.parse(time) - event.startMs) > SAME_MS : id !== event.id
  const found: Annotation[][] = []
  begin('list the annotations')
  try {
    for (const { startTime: start, endTime: end } of event.datasets.length === 0 ? [] : spans.map(formatSpan))
      found.push((await client.annotations.list({ start, end, datasets: event.datasets }, options)).filter(isOther))
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    notice(`Whether other deployments were near could not be looked up: ${toLog(error.message)}`)
  }
  return found
}
