/** Inserts the filters of the page into queries, before the first operator that counts, cuts or renames. */
import { quoteName, quoteText } from '../query/name.ts'
import { readField, readSteps, splitItems, type Word } from '../query/words.ts'
import { readFilter } from './filter.ts'

/** Columns are unchanged by these operators. */
const LEAVING = new Set(
  'where filter search sort order limit take top sample project-away project-keep project-reorder'.split(' '),
)
/** The range of the page filters these fields. */
const TIMES = new Set(['_time', '_sysTime'])

/** @returns whether a column has the values of a field, so that a filter finds them; false for every column if that is unknown */
export function readFilterable(apl: string): (column: string) => boolean {
  const changing = readSteps(apl).filter(({ operator }) => !LEAVING.has(operator))
  const at = changing.findIndex(({ operator }) => !OF_EVENTS.has(operator))
  if (at < 0) return (column) => !TIMES.has(column)
  const [making, ...more] = changing.slice(at)
  const fields = new Set(making && more.length === 0 ? fieldsOf(making.operator, making.words) : [])
  return (column) => fields.has(column) && !TIMES.has(column)
}

/** @returns the columns that an operator passes on under their own names */
function fieldsOf(operator: string, words: readonly Word[]): string[] {
  const by = words.findLastIndex(({ kind, text }) => kind === 'word' && text === 'by')
  const isList = operator === 'project' || operator === 'distinct'
  if (!isList && (operator !== 'summarize' || by < 0)) return []
  return splitItems(isList ? words : words.slice(by + 1)).flatMap((item) => readField(item) ?? [])
}

/** @returns a line for each filter, each after a line end, because the query may end in a comment */
function writeWhere(filters: readonly string[]): string {
  return filters.map((predicate) => `\n| where ${predicate}`).join('')
}

/**
 * @returns a query of the events of a dataset that pass
 * @param mayLack whether the dataset may have none of the fields, which would be an error in a query
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

/** These operators pass on the events with their fields. */
const OF_EVENTS: ReadonlySet<string> = new Set(
  'where filter search extend serialize parse parse-where parse-kv mv-expand mvexpand sort order'.split(' '),
)

/** @returns the part of a query that selects events; what follows groups, cuts or renames */
export function eventsOfQuery(apl: string): string {
  return apl.slice(0, readSteps(apl).find(({ operator }) => !OF_EVENTS.has(operator))?.start)
}

/** @returns the query over the events that pass the filters */
export function filterQuery(apl: string, filters: readonly string[]): string {
  if (filters.length === 0) return apl
  const events = eventsOfQuery(apl)
  const rest = apl.slice(events.length)
  return events + writeWhere(filters) + (rest && `\n${rest}`)
}

/** @returns the query of a chart over the events that pass; one whose events have none of the fields has none of them */
export function filterChart(apl: string, filters: readonly string[]): string {
  return filterQuery(apl, filters.map(withoutMistake))
}
