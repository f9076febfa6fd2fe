/** The column by which a table is sorted, as addresses and saved views store it. Pure. */
import type { SavedView } from '@deployment-annotations/contract/saved-view'
import type { Table } from '../service/query.ts'

export interface Sorting {
  column: number
  isDescending: boolean
}

/** The sorting of one result on the page. */
export interface SortedBy {
  /** Such as `path desc`; empty for the order of the answer. */
  sort: string
  onSort: (sort: string) => void
}

const FORM = /^(.+) (asc|desc)$/s

/** @returns the sorting of a table; `undefined` if it has no such column */
export function readSorting(sort: string, { fields }: Pick<Table, 'fields'>): Sorting | undefined {
  const [, name, direction] = FORM.exec(sort) ?? []
  const column = fields.findIndex((field) => field.name === name)
  return column < 0 ? undefined : { column, isDescending: direction === 'desc' }
}

function writeSorting(name: string, isDescending: boolean): string {
  return `${name} ${isDescending ? 'desc' : 'asc'}`
}

/** @returns the sorting as a saved view stores it; empty if the text is invalid */
export function toOrder(sort = ''): SavedView['order'] {
  const [, field, direction] = FORM.exec(sort) ?? []
  return field === undefined ? [] : [{ field, desc: direction === 'desc' }]
}

export function fromOrder([first]: SavedView['order'] = []): string {
  return first ? writeSorting(first.field, first.desc) : ''
}

/** @returns the sorting after a click on the head of a column: ascending, and descending after that */
export function nextSorting(sorting: Sorting | undefined, column: number, name: string): string {
  return writeSorting(name, sorting?.column === column && !sorting.isDescending)
}

/** Returns the value of `aria-sort`. */
export function sortOf(sorting: Sorting | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (sorting?.column !== column) return 'none'
  return sorting.isDescending ? 'descending' : 'ascending'
}
