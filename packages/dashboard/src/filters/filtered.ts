/**
 * Queries with filters in them: of datasets, and of what somebody wrote. Pure.
 */
import { quoteName, quoteText } from '../query/name.ts'
import { readFilter } from './filter.ts'
import { stepsOf } from './pipeline.ts'

/** @returns a line for each filter, each after the end of the line before it: a query may end in a comment */
function writeWhere(filters: readonly string[]): string {
  return filters.map((predicate) => `\n| where ${predicate}`).join('')
}

/**
 * @returns the events of a dataset that pass
 * @param mayLack the dataset may have none of the fields, which would be a mistake in a query
 */
export function filterDataset(dataset: string, filters: readonly string[], mayLack: boolean): string {
  return quoteName(dataset) + writeWhere(mayLack ? filters.map(withoutMistake) : filters)
}

/** A dataset without the field has no event with the value. */
function withoutMistake(predicate: string): string {
  const filter = readFilter(predicate)
  if (!filter) return predicate
  return `ensure_field(${quoteText(filter.field)}, typeof(string)) ${filter.isExcluded ? '!=' : '=='} ${filter.literal}`
}

/** Operators behind which there are the same events still, with the fields that they had. */
export const OF_EVENTS: ReadonlySet<string> = new Set(
  'where filter search extend extend-valid parse parse-where parse-kv redact mv-expand mvexpand sort order'.split(' '),
)

/** @returns where the part of a query ends that says which events it is about; what is behind it groups, cuts or renames */
function endOfEvents(apl: string): number {
  return stepsOf(apl).find(({ operator }) => !OF_EVENTS.has(operator))?.start ?? apl.length
}

/** @returns the events that a query is about, without what it makes of them */
export function eventsOfQuery(apl: string): string {
  return apl.slice(0, endOfEvents(apl))
}

/** @returns the query over the events that pass */
export function filterQuery(apl: string, filters: readonly string[]): string {
  if (filters.length === 0) return apl
  const end = endOfEvents(apl)
  return apl.slice(0, end) + insertion(apl, end, filters) + apl.slice(end)
}

function insertion(apl: string, end: number, filters: readonly string[]): string {
  const where = writeWhere(filters)
  return end < apl.length ? `${where}\n` : where
}

/** A place in a text, as errors tell it; both count from 1. */
interface Place {
  line: number
  column: number
}

/**
 * @param place in the query with the filters
 * @returns the place in the query itself; `undefined` for one in a filter
 */
export function placeWithoutFilters(apl: string, filters: readonly string[], { line, column }: Place): Place | undefined {
  const end = endOfEvents(apl)
  const inserted = insertion(apl, end, filters).length
  const whole = filterQuery(apl, filters).split('\n')
  const at = whole.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1
  if (at >= end && at < end + inserted) return undefined
  const before = apl.slice(0, at < end ? at : at - inserted).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
