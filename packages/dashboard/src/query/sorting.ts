/** By which column a table is sorted, as the address says it, and as a saved view keeps it. Pure. */
import type { SavedView } from '@deployment-annotations/contract/schemas/saved-view'
import type { Table } from '../service/query.ts'

export interface Sorting {
  column: number
  isDescending: boolean
}

/** What sorts one of the results on the page. */
export interface SortedBy {
  /** `path desc`; empty for the order of the answer. */
  sort: string
  onSort: (sort: string) => void
}

const FORM = /^(.+) (asc|desc)$/s

/** @returns how a table is sorted; `undefined` where it has no such column */
export function readSorting(sort: string, { fields }: Pick<Table, 'fields'>): Sorting | undefined {
  const [, name, direction] = FORM.exec(sort) ?? []
  const column = fields.findIndex((field) => field.name === name)
  return column < 0 ? undefined : { column, isDescending: direction === 'desc' }
}

export function writeSorting(name: string, isDescending: boolean): string {
  return `${name} ${isDescending ? 'desc' : 'asc'}`
}

/** @returns what a saved view keeps; nothing of a text that an address says wrongly */
export function toOrder(sort = ''): SavedView['order'] {
  const [, field, direction] = FORM.exec(sort) ?? []
  return field === undefined ? [] : [{ field, desc: direction === 'desc' }]
}

export function fromOrder([first]: SavedView['order'] = []): string {
  return first ? writeSorting(first.field, first.desc) : ''
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
