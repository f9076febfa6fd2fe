/** Which kinds of pictures and lists an answer can be shown as. Pure. */
import type { RESULT_KINDS } from '@deployment-annotations/contract/saved-view'
import type { Table, TabularAnswer } from '../service/query.ts'
import { isNumeric, kindOf } from './result-kind.ts'

export type ResultKind = (typeof RESULT_KINDS)[number]

export const KIND_NAMES: Readonly<Record<ResultKind, string>> = {
  line: 'Lines',
  area: 'Areas',
  bars: 'Bars',
  stacked: 'Stacked areas',
  top: 'Top list',
  number: 'Single numbers',
  heat: 'Heat map',
  table: 'Table',
  log: 'Events alone',
}

/** Kinds that are drawn over time. */
const DRAWN = ['line', 'area', 'bars', 'stacked'] as const
type DrawnKind = (typeof DRAWN)[number]

/** Of the charts of datasets. */
export const COUNT_KINDS: readonly ResultKind[] = ['line', 'area', 'bars', 'number']
/** Of rows that have their time: a chart that counts them, and the rows. */
const ROW_KINDS: readonly ResultKind[] = ['line', 'area', 'bars', 'log', 'table']
/** What adds up over time: how many users there were in a day is not how many there were in each hour. */
const ADDING_UP: ReadonlySet<string> = new Set(['count', 'countif', 'sum', 'sumif'])
/** What has no unit, whatever is counted. */
const COUNTING: ReadonlySet<string> = new Set(['count', 'countif', 'dcount', 'dcountif'])
/** With more groups or figures a list says less than a table. */
const TOP_GROUPS_MAX = 2

/** @returns those that make sense, where it is no chart over time the one that suits it best first */
export function kindsOf(answer: TabularAnswer): readonly ResultKind[] {
  const [table] = answer.tables
  const kind = kindOf(answer)
  if (kind === 'rows') return hasTime(answer) ? ROW_KINDS : ['table']
  if (kind === 'number') return ['number', 'table']
  if (!table) return ['table']
  if (kind === 'series') return kindsOfSeries(table)
  const { groups, figures } = columnsOf(table)
  if (groups.length === 0 || figures.length === 0) return ['table']
  return groups.length <= TOP_GROUPS_MAX && figures.length === 1 && groups.length + 1 === table.fields.length
    ? ['top', 'table']
    : ['table', 'top']
}

/** @returns what was chosen where that is among them; `undefined` for a chart that is drawn as it suits, or what comes first */
export function chooseKind(chosen: string, kinds: readonly ResultKind[]): ResultKind | undefined {
  const [first] = kinds
  return kinds.find((kind) => kind === chosen) ?? (first !== undefined && isDrawn(first) ? undefined : first)
}

export function isDrawn(kind: ResultKind | undefined): kind is DrawnKind {
  return DRAWN.some((drawn) => drawn === kind)
}

/** @returns indexes of the columns that rows are grouped by, and of those that were computed */
export function columnsOf({ fields, groups }: Table): { groups: number[]; figures: number[] } {
  const names = new Set(groups.map(({ name }) => name))
  const indexes = fields.map((_, at) => at)
  return {
    groups: indexes.filter((at) => names.has(fields[at]?.name ?? '')),
    figures: indexes.filter((at) => !names.has(fields[at]?.name ?? '') && isNumeric(fields[at]?.type ?? '')),
  }
}

/** @returns whether the sum of all intervals says something */
export function addsUp(table: Table): boolean {
  const { figures } = columnsOf(table)
  return figures.length > 0 && figures.every((at) => ADDING_UP.has(table.fields[at]?.agg?.name ?? ''))
}

/** @returns whether a figure says how many there are of something */
export function isCount(field: Table['fields'][number] | undefined): boolean {
  return COUNTING.has(field?.agg?.name ?? '')
}

/** @returns whether every value is a duration, which the service counts in nanoseconds */
export function isDuration(table: Table): boolean {
  const { figures } = columnsOf(table)
  return figures.length > 0 && figures.every((at) => table.fields[at]?.type === 'timespan')
}

/** @returns whether rows have their time, so that they can be charted and listed by it */
export function hasTime({ tables: [table] }: TabularAnswer): boolean {
  return table?.fields.some(({ name }) => name === '_time') ?? false
}

function kindsOfSeries(table: Table): readonly ResultKind[] {
  if (table.fields.some(({ agg }) => agg?.name.startsWith('histogram'))) return ['heat', 'table']
  return addsUp(table)
    ? ['line', 'area', 'bars', 'stacked', 'top', 'number', 'table']
    : ['line', 'area', 'bars', 'stacked', 'number', 'table']
}
