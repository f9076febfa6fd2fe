/**
 * The story of a comparison: run each query over the windows, make series of the answers, and judge them together. It sends nothing
 * itself; the caller passes `ask`. It is one file because it is read from top to bottom.
 */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Unit } from '@deployment-annotations/contract/unit'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { type Carrier, findCarriers } from './carriers.ts'
import { type AnsweredTable, toNumber } from './columns.ts'
import { isGone, isUsualEnd } from './gone.ts'
import { type Candidate, examine, type JudgeOptions, judge, type SeriesVerdict } from './judge.ts'
import { findCounted, type NamedQuery, splitAtSummarize } from './named-queries.ts'
import { cutAtNeighbors, findOwner, type Mark, mainCarriers, type Neighbor } from './neighbors.ts'
import { findOnset } from './onset.ts'
import { withoutHarm } from './past.ts'
import type { Direction, JudgedSeries, Series } from './series.ts'
import { type KnownField, quoteField, quoteText } from './signs.ts'
import { type AnsweredSpan, type AnsweredWindows, type NamedSeries, readBucketMs, readSeries } from './tables.ts'
import { medianOf, presentOf } from './values.ts'
import { summarizeVerdicts } from './verdict.ts'
import { formatSpan, type Span, shift, type TimeRange, type Windows, withoutHurt } from './windows.ts'
import { formatTime } from './words.ts'

/** The members of a service's answer that are read. */
export interface Answer {
  readonly tables: readonly AnsweredTable[]
  /** The messages of a partial answer say why; the hosted service may leave them out. */
  readonly status: { readonly isPartial: boolean; readonly messages?: readonly { readonly code: string; readonly msg: string }[] }
}

/** Runs a query over `[startTime, endTime)`. */
export type Ask = (query: NamedQuery, range: TimeRange) => Promise<Answer>

export interface CompareOptions extends JudgeOptions {
  windows: Windows
  /**
   * The direction for queries without their own; `none` means that nobody knows it. By default higher is worse, and a bare `count()` has
   * no direction.
   */
  direction?: Direction | 'none' | undefined
  /** The title of the event, for the text. */
  event?: string
  /** Other annotations of the same datasets. */
  marks?: readonly Mark[]
  /** Times of other days at which something hurt: a release that did harm, a rollback, an incident. Such a day is not compared with. */
  hurtSpans?: readonly Span[]
  /** The baseline that ran at the same time, by the name of the query that is compared with it. */
  baselines?: ReadonlyMap<string, NamedQuery>
  /** How long before the event is looked at earlier moments; without it at none. */
  pastMs?: number
  /** Is awaited after some milliseconds of work, so that a service can answer others meanwhile. */
  pause?: <T>(result: T) => Promise<T>
  /** Reads the fields of a query's events, to find the values that carry a change. Without it, none are searched. */
  readFields?: (query: NamedQuery) => Promise<readonly KnownField[]>
}

/** One line of the comparison. */
export interface ComparedSeries extends SeriesVerdict {
  /** The name of the query with its group, and with its column if there are several or the query has no name. */
  name: string
  query: string
  /** Absent if the direction is unknown. */
  direction?: Direction
  kind: Series['kind']
  /** The unit of a measurement, if the name of its field says it. */
  unit?: Unit
  /** The version that it is compared with, in the same minutes. */
  beside?: string
  /** The values that explain most of the change. */
  carriers: Carrier[]
  /** The annotation whose title contains a carrying value, such as the version. `isOwn` if it is the annotation that is compared. */
  carriedBy?: { name: string; isOwn: boolean }
  /** If more failed: a query of what failed after the event, how much that is, and how much of it the main carriers have in common. */
  failing?: { apl: string; count: number; carried?: number }
  /** When the change began, in milliseconds since the epoch, if that was before the event. */
  beganMs?: number
  /** The value of each bucket, for a chart. */
  chart: { before: (number | null)[]; after: (number | null)[] }
}

export interface Comparison {
  verdict: Verdict
  /** The compared times, as queries take them. `seasons` are the windows after the event at the same hour of other days. */
  windows: { before: TimeRange; after: TimeRange; seasons: TimeRange[] }
  series: ComparedSeries[]
  /** The title of the event; '' if it is unknown. */
  event: string
  /** Other annotations within the compared times, or at their ends. */
  neighbors: Neighbor[]
  /** What a reader should know, such as groups that were left out. */
  notes: string[]
}

/** The answer cannot be compared, or is partial. The message says what to change. */
export class ComparisonError extends Error {
  override name = 'ComparisonError'
}

/** The service cannot find some events at the moment, such as with a full disk. That is an outage and no mistake of the caller. */
export class MissingEventsError extends ComparisonError {
  override name = 'MissingEventsError'
}

/** How many groups of a query are compared: those with most events. Each further group makes every test stricter. */
const SERIES_PER_QUERY_MAX = 20

/**
 * @param explain describes an error: a query that cannot be compared becomes a note if there is another one. `undefined` for an error that
 *   concerns all queries, which is thrown
 * @throws ComparisonError, and whatever `ask` throws
 */
export async function compare(
  ask: Ask,
  queries: readonly NamedQuery[],
  options: CompareOptions,
  explain: (error: unknown) => string | undefined = () => undefined,
): Promise<Comparison> {
  const { event = '', hurtSpans = [], marks = [], pause = async (result) => result } = options
  const { windows, neighbors, harmful } = cutAtNeighbors(withoutHurt(options.windows, hurtSpans), marks)
  const notes: string[] = []
  const all: FoundSeries[] = []
  const usable = new Set(queries)
  // Queries run one after the other, to spare a service that is busy after a deployment.
  for (const query of queries) {
    const asking = askWindows(ask, query, { ...windows, pastMs: options.pastMs }, options.baselines?.get(query.name))
    const answered = await asking.catch((error) => {
      const why = usable.size > 1 ? explain(error) : undefined
      if (why === undefined) throw error
      usable.delete(query)
      notes.push(`${query.name} is not compared: ${why}`)
    })
    if (!answered) continue
    const found = await pause(readSeries(answered))
    notes.push(...notesOf(query, answered, found.length).filter((note) => !notes.includes(note)))
    all.push(...toFound(query, found.slice(0, SERIES_PER_QUERY_MAX), { ...options, windows }))
  }
  const gone = all.filter(({ series }) => isGone(series))
  for (const one of gone) if (await endsDaily(ask, one, windows)) one.series.lack ??= 'it stops at this hour on other days, too'
  const judgedSeries = all.map((one) => one.series)
  const candidates: Candidate[] = []
  for (const one of judgedSeries) candidates.push(await pause(examine(one, options)))
  const judged = judge(judgedSeries, options, candidates)
  const around = { all, neighbors, windows }
  const series = all.map((one, at) => describe(one, judgeLeft(one, judged[at] as SeriesVerdict, gone), around))
  for (const one of series) explainReplaced(one, series)
  const asked: Asked = { ...options, windows, queries }
  await addCarriers(ask, series, asked)
  for (const one of series) {
    nameOwner(one, event, neighbors)
    if (harmful) nameHarmful(one, harmful)
    await addFailing(ask, one, asked)
  }
  const [before, after] = [formatSpan(windows.before), formatSpan(windows.after)]
  const seasons = windows.seasonsMs.map((ago) => formatSpan(shift(windows.after, -ago)))
  const verdict = summarizeVerdicts(series.map((one) => one.verdict))
  return { verdict, windows: { before, after, seasons }, series, event, neighbors, notes }
}

/** @returns what a reader of the result should know of an answer */
function notesOf({ name, note }: NamedQuery, { after: { table } }: AnsweredWindows, count: number): string[] {
  const notes = [
    note,
    count === 0 && `The query “${name}” answered nothing in either window.`,
    count > SERIES_PER_QUERY_MAX &&
      `The query “${name}” has ${count} series; the ${SERIES_PER_QUERY_MAX} with most in them were judged.`,
    table.unseen?.size &&
      `Nothing was collected in ${table.unseen.size} of the buckets of the query “${name}”; they are left out.`,
  ]
  return notes.filter((one) => typeof one === 'string')
}

/** @returns the series of a query with what decides how they are judged */
function toFound(query: NamedQuery, found: readonly NamedSeries[], options: CompareOptions): FoundSeries[] {
  const lack = query.lack ?? describeUnitChange(found)
  return found.map((one) => {
    const direction = directionOf(query, one.isBareCount, options.direction)
    const { before, after } = options.windows
    const gap = Math.floor((after.startMs - before.endMs) / (one.bucketMs ?? Number.POSITIVE_INFINITY))
    const judged = { direction, bucketMs: one.bucketMs, gap, lack, question: query.question ?? query.name }
    return { ...one, query, series: withoutHarm({ ...one.series, ...judged }, before.endMs, options.hurtSpans ?? []) }
  })
}

type FoundSeries = NamedSeries & { query: NamedQuery; series: JudgedSeries }

/** So much earlier or later other days may end: at most this, and at most this part of the time before, of which enough has to be left. */
const END_MS = 30 * UNIT_MS.m
const END_PART = 0.25

/** @returns whether it ends around this time on all other days, too */
async function endsDaily(ask: Ask, { query, group, column, series }: FoundSeries, windows: Windows): Promise<boolean> {
  const { before, after, seasonsMs } = windows
  const edgeMs = before.endMs - Math.min(END_MS, END_PART * (before.endMs - before.startMs))
  const around = { before: { ...before, endMs: edgeMs }, after: { startMs: edgeMs, endMs: after.endMs + END_MS } }
  const days: JudgedSeries[] = []
  for (const ago of series.bucketMs === undefined ? [] : seasonsMs) {
    const day = { before: shift(around.before, -ago), after: shift(around.after, -ago), seasonsMs: [] }
    // Whatever is wrong with another day, the comparison works without it.
    const answered = await askWindows(ask, query, day, undefined).catch(() => undefined)
    const isSame = (one: NamedSeries) => one.column === column && String(one.group) === String(group)
    const same = answered && readSeries(answered).find(isSame)
    if (same) days.push({ ...same.series, direction: series.direction, bucketMs: same.bucketMs })
  }
  return isUsualEnd(series, days)
}

/** How far a change may be from a thousandfold, as a share of a power of thousand, if it is one of the unit. */
const UNIT_TOLERANCE = 0.06

/** @returns what to say if all percentiles of a query changed thousandfold, which no slowness does to all of them alike */
function describeUnitChange(percentiles: readonly NamedSeries[]): string | undefined {
  const powers = percentiles.map(({ series }) => {
    if (series.kind !== 'measurement') return 0
    const power = Math.log10(medianOf(presentOf(series.after)) / medianOf(presentOf(series.before))) / 3
    return Math.abs(power - Math.round(power)) < UNIT_TOLERANCE ? Math.round(power) : 0
  })
  const [first = 0] = powers
  if (powers.length < 2 || first === 0 || powers.some((power) => power !== first)) return undefined
  const times = (1_000 ** Math.abs(first)).toLocaleString('en')
  return `all percentiles are ${times} times ${first < 0 ? 'smaller' : 'larger'} since the release, as if the unit had changed`
}

type Asked = CompareOptions & { queries: readonly NamedQuery[] }

/** For how many changed series the carrying values are searched, the most serious first. Each takes two queries a field. */
const CARRIED_MAX = 2

/** An error while searching carrying values is ignored; they stay unknown. */
async function addCarriers(ask: Ask, series: readonly ComparedSeries[], { queries, windows, readFields }: Asked): Promise<void> {
  const changed = series.filter(
    ({ verdict, kind, isBeside }) => ['worse', 'higher', 'lower'].includes(verdict) && kind !== 'measurement' && !isBeside,
  )
  for (const one of readFields ? changed.slice(0, CARRIED_MAX) : []) {
    const query = queries.find(({ name }) => name === one.query)
    if (!query || !readFields) continue
    const askTable = async (apl: string, span: Span) => (await ask({ ...query, apl }, formatSpan(span))).tables[0]
    one.carriers = await readFields(query)
      .then((fields) => findCarriers(askTable, query, fields, windows))
      .catch(() => [])
  }
}

/**
 * Counts what failed once more, because the buckets may leave out a part of the window. An error is ignored, as one while searching
 * carrying values is.
 */
async function addFailing(ask: Ask, one: ComparedSeries, { queries, windows, event = '' }: Asked): Promise<void> {
  const { name, verdict, direction, ofTheRest } = one
  // A group of a query has another name, and is not all that its condition counts; neither is the rest to 100 %.
  const query = queries.find((asked) => asked.name === name)
  const isOfErrors = verdict === 'worse' && direction === 'higher-is-worse' && !ofTheRest
  const apl = query && isOfErrors && findCounted(query.apl)
  if (!apl) return
  const countRows = async (filters: readonly string[]) => {
    const counting = { name, apl: `${[apl, ...filters].join('\n| where ')}\n| summarize count()` }
    const answer = await ask(counting, formatSpan(windows.after)).catch(() => undefined)
    return answer?.status.isPartial ? undefined : toNumber(answer?.tables[0]?.columns[0]?.[0])
  }
  const count = await countRows([])
  if (!count) return
  const main = mainCarriers(one.carriers, event).map(
    ({ field, value }) => `tostring(${quoteField(field)}) == ${quoteText(value)}`,
  )
  const carried = main.length > 0 ? await countRows(main) : undefined
  one.failing = { apl, count, ...(carried && { carried }) }
}

/**
 * If several annotations may be the cause, and the title of one of them has a carrying value, such as the version, that one is the
 * cause.
 */
function nameOwner(one: ComparedSeries, event: string, neighbors: readonly Neighbor[]): void {
  const owner = findOwner(one.carriers, event, neighbors)
  if (!owner || !['worse', 'higher', 'lower'].includes(one.verdict)) return
  const { name, isOwn, carrier } = owner
  one.carriedBy = { name, isOwn }
  if (!isOwn) doubt(one, `cannot be told apart from “${name}”: ${carrier.field} ${carrier.value}`)
}

/** What hurts still after a harmful annotation, and did so before this one, is the doing of the other. */
function nameHarmful(one: ComparedSeries, { name }: Mark): void {
  if (!['worse', 'gone', 'higher', 'lower'].includes(one.verdict)) return
  doubt(one, `it began with “${name}”`)
  one.carriedBy = { name, isOwn: false }
}

const doubt = (one: ComparedSeries, lack: string) => Object.assign(one, { verdict: 'inconclusive', lack })

function directionOf({ direction }: NamedQuery, isBareCount: boolean, usual: CompareOptions['direction']): Direction | undefined {
  if (usual === 'none') return direction
  return direction ?? usual ?? (isBareCount ? undefined : 'higher-is-worse')
}

/** Runs one query over all windows if it is grouped by time, so that all buckets have the same size; otherwise one for each window. */
async function askWindows(
  ask: Ask,
  query: NamedQuery,
  { before, after: late, seasonsMs, pastMs = 0 }: Windows & { pastMs?: number | undefined },
  given: NamedQuery | undefined,
): Promise<AnsweredWindows> {
  const baseline = query.beside ?? given
  // Versions run beside each other since the event began.
  const after = query.beside ? { startMs: before.endMs, endMs: late.endMs } : late
  const tableOf = async (span: Span, asked = query) => readTable(asked, await ask(asked, formatSpan(span)))
  const whole = { startMs: before.startMs, endMs: after.endMs }
  const table = await tableOf(whole)
  const of = (span: Span, answered: AnsweredTable): AnsweredSpan => ({ table: answered, span })
  if (readBucketMs(table) === undefined)
    return { before: of(before, await tableOf(before)), after: of(after, await tableOf(after)), seasons: [] }
  const past = baseline ? [] : await askPast(tableOf, { before, after, pastMs }, readBucketMs(table))
  const seasons: AnsweredWindows['seasons'][number][] = []
  // A baseline says more than other days, so these are not queried.
  for (const ago of baseline ? [] : seasonsMs) {
    const other = shift(whole, -ago)
    const day = past.find(({ span, table: { unseen } }) => span.startMs <= other.startMs && other.endMs <= span.endMs && !unseen)
    const answered = day?.table ?? (await tableOf(other).catch(ignorePart))
    // A time without events says nothing, and its buckets would have no size.
    if (answered && readBucketMs(answered) !== undefined && (answered.columns[0]?.length ?? 0) > 0)
      seasons.push({ before: of(shift(before, -ago), answered), after: of(shift(after, -ago), answered) })
  }
  const beside = baseline && (await tableOf(whole, baseline))
  return {
    before: of(before, table),
    after: of(after, table),
    seasons,
    past,
    ...(beside && { baseline: { before: of(before, beside), after: of(after, beside) } }),
  }
}

/** Shorter buckets have too little in them, and a fortnight has too many of them. */
const PAST_BUCKET_MS_MIN = UNIT_MS.m

/** Asks for finished days of UTC as a whole, so that whoever answers can keep them for the next release. */
async function askPast(
  tableOf: (span: Span) => Promise<AnsweredTable>,
  { before, after, pastMs }: Pick<Windows, 'before' | 'after'> & { pastMs: number },
  bucketMs = 0,
): Promise<AnsweredSpan[]> {
  const days: AnsweredSpan[] = []
  if (bucketMs < PAST_BUCKET_MS_MIN || pastMs === 0) return days
  let startMs = Math.floor((before.endMs - pastMs) / UNIT_MS.d) * UNIT_MS.d
  for (; startMs + UNIT_MS.d <= after.endMs && startMs < before.endMs; startMs += UNIT_MS.d) {
    const endMs = startMs + UNIT_MS.d
    // Whatever is wrong with a day of the past, the comparison works without it.
    const table = await tableOf({ startMs, endMs }).catch(() => undefined)
    const size = table && readBucketMs(table)
    // With `bin_auto` a day has other buckets than some minutes.
    if (size !== undefined && size !== bucketMs) return []
    if (table && size) days.push({ table, span: { startMs, endMs: Math.min(endMs, before.endMs) } })
  }
  return days
}

/** A partial answer for another day is ignored, because the comparison works without it. */
function ignorePart(error: unknown): undefined {
  if (!(error instanceof ComparisonError)) throw error
}

function readTable({ name }: NamedQuery, { tables: [table], status }: Answer): AnsweredTable {
  if (status.isPartial) throw partialError(name, status)
  const rows = table?.columns[0]?.length ?? 0
  if (!table || (rows > 1 && table.groups.length === 0 && readBucketMs(table) === undefined))
    throw new ComparisonError(
      `The query “${name}” answers single events. End it with a summarize, such as "| summarize count() by bin(_time, 1m)".`,
    )
  return table
}

function partialError(name: string, { messages = [] }: Answer['status']): ComparisonError {
  const missing = messages.find(({ code }) => code === 'missing_events')
  if (missing)
    return new MissingEventsError(
      `The query “${name}” may have been answered without some events: ${missing.msg}. Compare again when that is over.`,
    )
  const why =
    messages.length > 0
      ? `The service said: ${messages.map(({ msg }) => msg).join('; ')}.`
      : 'The service did not say why. Where it is too much to read, a filter or a shorter window helps.'
  return new ComparisonError(`The query “${name}” was answered in part only. ${why}`)
}

function describe(
  { query, group, column, series, unit = query.unit, bucketMs }: FoundSeries,
  result: SeriesVerdict,
  { all, neighbors, windows }: { all: readonly FoundSeries[]; neighbors: readonly Neighbor[]; windows: Windows },
): ComparedSeries {
  const columns = new Set(all.filter((one) => one.query === query).map((one) => one.column))
  const parts = [query.name, ...group, ...(columns.size > 1 || query.name === '' ? [column] : [])]
  const name = parts.filter((part) => part !== '').join(' · ')
  const within = neighbors.find(({ side, isCutOff }) => side === 'before' && !isCutOff)
  const because = result.isUneven && within ? `, with ${within.name} at ${formatTime(within.timeMs)} in it` : ''
  const isAlone = bucketMs === undefined && series.kind !== 'share'
  const lack = isAlone ? 'one number says nothing of chance: add "by bin(_time, 1m)"' : result.lack
  const isChanged = bucketMs !== undefined && ['worse', 'better', 'higher', 'lower'].includes(result.verdict)
  const onset = isChanged && !result.isBeside ? findOnset({ ...series, bucketMs }, result) : 0
  const { why, ...rest } = result
  return {
    ...rest,
    ...(lack !== undefined && { lack: lack + because }),
    ...(why && !isAlone && { why }),
    ...(bucketMs !== undefined && onset > 0 && { beganMs: windows.before.endMs - onset * bucketMs }),
    name,
    query: query.name,
    ...(series.direction && { direction: series.direction }),
    kind: series.kind,
    ...(unit && { unit }),
    ...(query.beside && result.isBeside && { beside: query.beside.name }),
    carriers: [],
    chart: bucketMs === undefined ? { before: [], after: [] } : chartOf(series),
  }
}

/** If another group of the query began, such as a new version, a group that disappeared was replaced and is not gone. */
function explainReplaced(one: ComparedSeries, all: readonly ComparedSeries[]): void {
  const isEmpty = (values: readonly (number | null)[]) => values.every((value) => value === null || value === 0)
  const isNew = ({ query, name, chart }: ComparedSeries) =>
    query === one.query && name !== one.name && isEmpty(chart.before) && !isEmpty(chart.after)
  const other = one.verdict === 'gone' && one.chart.before.length > 1 ? all.find(isNew) : undefined
  if (other) doubt(one, `replaced by ${other.name}`)
}

/** What is left when nearly all of a dataset's events are gone, such as health checks, says nothing of the others. */
function judgeLeft({ query }: FoundSeries, result: SeriesVerdict, gone: readonly FoundSeries[]): SeriesVerdict {
  const isOfThese = (other: FoundSeries) =>
    other.isBareCount && other.group.length === 0 && query.apl.startsWith(splitAtSummarize(other.query.apl)[0])
  if (!['better', 'lower', 'higher'].includes(result.verdict) || !gone.some(isOfThese)) return result
  return { ...result, verdict: 'inconclusive', lack: 'nearly all events are gone' }
}

function chartOf(series: NamedSeries['series']): ComparedSeries['chart'] {
  if (series.kind === 'measurement') return { before: [...series.before], after: [...series.after] }
  const rates = (window: typeof series.before) => window.map(({ events, outOf }) => (outOf > 0 ? events / outOf : null))
  return { before: rates(series.before), after: rates(series.after) }
}
