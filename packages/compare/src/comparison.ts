/**
 * The story of a comparison, for whoever can ask a service: ask each query over the windows, make series of the answers, judge
 * them together. It does no I/O of its own: `ask` is given.
 */
import type { AnsweredTable } from './columns.ts'
import { type Judgement, type JudgeOptions, judge } from './judge.ts'
import type { NamedQuery } from './named-queries.ts'
import type { Direction } from './series.ts'
import { type AnsweredWindows, isByTime, type NamedSeries, readSeries } from './tables.ts'
import { summarizeVerdicts, type Verdict } from './verdict.ts'
import { formatSpan, type Span, shift, type Windows } from './windows.ts'

/** What a service answers, as far as it is read. */
export interface Answer {
  readonly tables: readonly AnsweredTable[]
  /** The messages of a partial answer say why; the hosted service may leave them out. */
  readonly status: { readonly isPartial: boolean; readonly messages?: readonly { readonly code: string; readonly msg: string }[] }
}

/** Runs a query over `[startTime, endTime)`. */
export type Ask = (query: NamedQuery, range: { startTime: string; endTime: string }) => Promise<Answer>

export interface CompareOptions extends JudgeOptions {
  windows: Windows
  /** For queries that do not say it themselves. */
  direction: Direction
}

/** One line of the comparison. */
export interface ComparedSeries extends Judgement {
  /** The query's name, its group, and its column where there are several, or where the query has no name. */
  name: string
  query: string
  direction: Direction
  kind: 'share' | 'count' | 'measurement'
  /** What was seen in each bucket, for a chart. */
  chart: { before: (number | null)[]; after: (number | null)[] }
}

export interface Comparison {
  verdict: Verdict
  /** Times as queries take them. */
  windows: Record<keyof Windows, { startTime: string; endTime: string } | undefined>
  series: ComparedSeries[]
  /** What a reader should know, such as groups that were left out. */
  notes: string[]
}

/** A query whose answer cannot be compared, or that answered a part only. The message says what to change. */
export class ComparisonError extends Error {
  override name = 'ComparisonError'
}

/** The service cannot find some events at the moment, such as with a full disk: an outage, which is nobody's mistake. */
export class MissingEventsError extends ComparisonError {
  override name = 'MissingEventsError'
}

/** So many groups of a query are judged, those with most in them; each more makes all harder to judge. */
const SERIES_PER_QUERY_MAX = 20

/** @throws ComparisonError, and whatever `ask` throws */
export async function compare(ask: Ask, queries: readonly NamedQuery[], options: CompareOptions): Promise<Comparison> {
  const notes: string[] = []
  const named: (NamedSeries & { query: NamedQuery; isByTime: boolean })[] = []
  // One after the other: a service under load after a deployment is not asked ten things at once.
  for (const query of queries) {
    const answered = await askWindows(ask, query, options.windows)
    const found = readSeries(answered)
    if (found.length === 0) notes.push(`The query “${query.name}” answered nothing in either window.`)
    if (found.length > SERIES_PER_QUERY_MAX)
      notes.push(
        `The query “${query.name}” has ${found.length} series; the ${SERIES_PER_QUERY_MAX} with most in them were judged.`,
      )
    const byTime = isByTime(answered.after.table)
    named.push(...found.slice(0, SERIES_PER_QUERY_MAX).map((one) => ({ ...one, query, isByTime: byTime })))
  }
  const judged = judge(
    named.map(({ series, query }) => ({ ...series, direction: query.direction ?? options.direction })),
    options,
  )
  const series = named.map((one, at) => describe(one, judged[at] as Judgement, named, options.direction))
  const { before, after, season } = options.windows
  return {
    verdict: summarizeVerdicts(judged.map(({ verdict }) => verdict)),
    windows: { before: formatSpan(before), after: formatSpan(after), season: season && formatSpan(season) },
    series,
    notes,
  }
}

/** One question for a query by time, so that its buckets are of one size whatever chooses it; otherwise one for each window. */
async function askWindows(ask: Ask, query: NamedQuery, { before, after, season }: Windows): Promise<AnsweredWindows> {
  const tableOf = async (span: Span) => readTable(query, await ask(query, formatSpan(span)))
  const whole = { startMs: before.startMs, endMs: after.endMs }
  const table = await tableOf(whole)
  const of = (span: Span, answered: AnsweredTable) => ({ table: answered, span })
  if (isByTime(table)) {
    const earlier = season && (await tableOf(shift(whole, season.startMs - after.startMs)))
    return { before: of(before, table), after: of(after, table), ...(season && earlier && { season: of(season, earlier) }) }
  }
  return {
    before: of(before, await tableOf(before)),
    after: of(after, await tableOf(after)),
    ...(season && { season: of(season, await tableOf(season)) }),
  }
}

function readTable({ name }: NamedQuery, { tables: [table], status }: Answer): AnsweredTable {
  if (status.isPartial) throw partialError(name, status)
  const rows = table?.columns[0]?.length ?? 0
  if (!table || (rows > 1 && table.groups.length === 0 && !isByTime(table)))
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
  { query, group, column, series, isByTime: byTime }: NamedSeries & { query: NamedQuery; isByTime: boolean },
  judgement: Judgement,
  all: readonly { query: NamedQuery; column: string }[],
  direction: Direction,
): ComparedSeries {
  const columns = new Set(all.filter((one) => one.query === query).map((one) => one.column))
  const parts = [query.name, ...group, ...(columns.size > 1 || query.name === '' ? [column] : [])]
  const name = parts.filter((part) => part !== '').join(' · ')
  const lack = byTime || series.kind === 'share' ? judgement.lack : 'one number says nothing of chance: add "by bin(_time, 1m)"'
  return {
    ...judgement,
    ...(lack !== undefined && { lack }),
    name,
    query: query.name,
    direction: query.direction ?? direction,
    kind: series.kind,
    chart: byTime ? chartOf(series) : { before: [], after: [] },
  }
}

function chartOf(series: NamedSeries['series']): ComparedSeries['chart'] {
  if (series.kind === 'measurement') return { before: [...series.before], after: [...series.after] }
  const rates = (window: typeof series.before) => window.map(({ events, outOf }) => (outOf > 0 ? events / outOf : null))
  return { before: rates(series.before), after: rates(series.after) }
}
