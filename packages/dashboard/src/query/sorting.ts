/** By which column a table is sorted, as the address says it. Pure. */
import type { Table } from '../service/query.ts'

export interface Sorting {
  column: number
  isDescending: boolean
}

/** @returns how a table is sorted; `undefined` where it has no such column */
export function readSorting(sort: string, { fields }: Pick<Table, 'fields'>): Sorting | undefined {
  const [, name, direction] = /^(.+) (asc|desc)$/s.exec(sort) ?? []
  const column = fields.findIndex((field) => field.name === name)
  return column < 0 ? undefined : { column, isDescending: direction === 'desc' }
}

export function writeSorting(name: string, isDescending: boolean): string {
  return `${name} ${isDescending ? 'desc' : 'asc'}`
}

/** Ascending, then descending, then as the query has it. */
export function nextSorting(sorting: Sorting | undefined, column: number, name: string): string {
  if (sorting?.column !== column) return writeSorting(name, false)
  return sorting.isDescending ? '' : writeSorting(name, true)
}

/** For `aria-sort`. */
export function sortOf(sorting: Sorting | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (sorting?.column !== column) return 'none'
  return sorting.isDescending ? 'descending' : 'ascending'
}
