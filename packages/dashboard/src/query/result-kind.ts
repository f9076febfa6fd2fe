/** The kind of an answer. Pure. */
import type { Table, TabularAnswer } from '../service/query.ts'

type ResultKind = 'series' | 'number' | 'table' | 'rows'

/** @returns `series` for bins of time, `rows` for events, `number` for one row of numbers, and `table` for everything else */
export function kindOf({ tables: [table], matches }: TabularAnswer): ResultKind {
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
