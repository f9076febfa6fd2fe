/** The kind of an answer, and the kinds of charts and lists that it can be shown as. Pure. */
import type { RESULT_KINDS } from '@deployment-annotations/contract/saved-view'
import type { Unit } from '@deployment-annotations/contract/unit'
import type { Table, TabularAnswer } from '../service/query.ts'

type AnswerKind = 'series' | 'number' | 'table' | 'rows'

/** @returns `series` for bins of time, `rows` for events, `number` for one row of numbers, and `table` for everything else */
export function kindOf({ tables: [table], matches }: TabularAnswer): AnswerKind {
  if (table?.buckets) return 'series'
  if (matches) return 'rows'
  return table && isFigures(table) ? 'number' : 'table'
}

function isFigures({ fields, columns, groups }: Table): boolean {
  return fields.length > 0 && columns[0]?.length === 1 && groups.length === 0 && fields.every(({ type }) => isNumeric(type))
}

/** @param type such as `integer|float`; a duration is numeric, too, as a number of nanoseconds */
export function isNumeric(type: string): boolean {
  return type.split('|').every((part) => part === 'integer' || part === 'float' || part === 'timespan')
}

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

/** These kinds are drawn over time. */
const DRAWN = ['line', 'area', 'bars', 'stacked'] as const
type DrawnKind = (typeof DRAWN)[number]

/** The kinds of the charts of datasets. */
export const COUNT_KINDS: readonly ResultKind[] = ['line', 'area', 'bars', 'number']
/** Rows with a time are shown as a chart that counts them, or as the rows. */
const ROW_KINDS: readonly ResultKind[] = ['line', 'area', 'bars', 'log', 'table']
/** These values may be added over time; the users of a day, for example, are not the sum of those of each hour. */
const ADDING_UP: ReadonlySet<string> = new Set(['count', 'countif', 'sum', 'sumif'])
/** These values have no unit, whatever they count. */
const COUNTING: ReadonlySet<string> = new Set(['count', 'countif', 'distinct', 'distinctif'])
/** With more columns a list is harder to read than a table. */
const TOP_GROUPS_MAX = 2

/** @returns the possible kinds; unless the answer is a chart over time, the most suitable one comes first */
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

/** @returns the chosen kind if it is possible; otherwise the first one, or `undefined` for a chart, which is drawn as it suits */
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

/** @returns whether the values of all intervals may be added */
export function addsUp(table: Table): boolean {
  const { figures } = columnsOf(table)
  return figures.length > 0 && figures.every((at) => ADDING_UP.has(table.fields[at]?.agg?.name ?? ''))
}

/** @returns whether a value counts something */
export function isCount(field: Table['fields'][number] | undefined): boolean {
  return COUNTING.has(field?.agg?.name ?? '')
}

/** @returns the unit of all values, as they are drawn in one chart; lengths of time are sent in nanoseconds */
export function unitOf(table: Table): Unit {
  const units = columnsOf(table).figures.map((at) => {
    const { type, unit = 'none' } = table.fields[at] ?? {}
    return type === 'timespan' ? 'ns' : unit
  })
  const [first = 'none'] = units
  return units.every((unit) => unit === first) ? first : 'none'
}

/** @returns whether rows have a time, so that they can be charted and listed */
export function hasTime({ tables: [table] }: TabularAnswer): boolean {
  return table?.fields.some(({ name }) => name === '_time') ?? false
}

function kindsOfSeries(table: Table): readonly ResultKind[] {
  if (table.fields.some(({ agg }) => agg?.name.startsWith('histogram'))) return ['heat', 'table']
  return addsUp(table)
    ? ['line', 'area', 'bars', 'stacked', 'top', 'number', 'table']
    : ['line', 'area', 'bars', 'stacked', 'number', 'table']
}
