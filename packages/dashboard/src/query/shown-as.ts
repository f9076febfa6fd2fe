/** The kind of an answer, and the kinds of charts and lists that it can be shown as. Pure. */
import type { Unit } from '@deployment-annotations/contract/unit'
import type { Table, TabularAnswer } from '../service/query.ts'

/** @returns `series` for bins of time, `rows` for events, `number` for one row of numbers, and `table` for everything else */
export function kindOf({ tables: [table], matches }: TabularAnswer): 'series' | 'number' | 'table' | 'rows' {
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

/** What an answer is drawn as. Views and links may name others of before, which are drawn as what suits the answer. */
export type ResultKind = 'line' | 'number' | 'table'
/** The most suitable one comes first. */
export type ResultKinds = readonly [ResultKind, ...ResultKind[]]

export const KIND_NAMES: Readonly<Record<ResultKind, string>> = {
  line: 'Lines',
  number: 'Single numbers',
  table: 'Table',
}

/** These values have no unit, whatever they count. */
const COUNTING: ReadonlySet<string> = new Set(['count', 'countif', 'distinct', 'distinctif'])

/** @returns the kinds that say something about an answer */
export function kindsOf(answer: TabularAnswer): ResultKinds {
  const kind = kindOf(answer)
  if (kind === 'number') return ['number', 'table']
  return kind === 'series' || (kind === 'rows' && hasTime(answer)) ? ['line', 'table'] : ['table']
}

/** @returns the chosen kind if it is possible, and the most suitable one otherwise */
export function chooseKind(chosen: string, kinds: ResultKinds): ResultKind {
  return kinds.find((kind) => kind === chosen) ?? kinds[0]
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
