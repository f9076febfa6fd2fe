/** The changes of the page's filters by a click on a value. */
import { navigate, view } from '../address/navigation.ts'
import { invertFilter, withFilter } from './filter.ts'

export function addFilter(predicate: string): void {
  navigate({ filters: withFilter(view.value.filters, predicate) })
}

export function removeFilter(predicate: string): void {
  navigate({ filters: view.value.filters.filter((one) => one !== predicate) })
}

/** @param predicate a filter of the page that can be inverted */
export function turnFilter(predicate: string): void {
  navigate({ filters: view.value.filters.map((one) => (one === predicate ? (invertFilter(one) ?? one) : one)) })
}
