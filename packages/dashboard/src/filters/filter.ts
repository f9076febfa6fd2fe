/**
 * A filter: a predicate of the query language that keeps or excludes the events with one value of one field, such as `status == 500`.
 * Addresses and saved views store its text. Pure. Deliberately not here: where in a query it goes; see `filtered.ts`.
 */
import { countPoints } from '@deployment-annotations/contract/text'
import { quoteText, showName, writeName } from '../query/name.ts'
import { readComparison, readWords, unquote } from '../query/words.ts'

interface Filter {
  field: string
  /** Whether events with the value are left out. */
  isExcluded: boolean
  /** The value as a query writes it. */
  literal: string
}

/** Nobody looks for a longer value, and addresses and saved views store filters. */
const VALUE_POINTS_MAX = 500

/**
 * @param type the type of the field, if the service reported it: times are texts in answers
 * @returns the predicate; `undefined` for a value that cannot be compared, such as an array or a text of thousands of characters
 */
export function writeFilter(field: string, value: unknown, { isExcluded = false, type = '' } = {}): string | undefined {
  const literal = writeLiteral(value, type)
  return literal === undefined ? undefined : join({ field, isExcluded, literal })
}

function writeLiteral(value: unknown, type: string): string | undefined {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number')
    return type === 'timespan' ? `${value}ns` : String(value)
  if (typeof value !== 'string' || countPoints(value) > VALUE_POINTS_MAX) return undefined
  return type === 'datetime' ? `datetime(${value})` : quoteText(value)
}

function join({ field, isExcluded, literal }: Filter): string {
  return `${writeName(field)} ${isExcluded ? '!=' : '=='} ${literal}`
}

/** @returns the parts of a predicate in the form of `writeFilter`; `undefined` for any other form */
export function readFilter(predicate: string): Filter | undefined {
  const { field = '', operator, literal = '' } = readComparison(predicate, readWords(predicate)) ?? {}
  return operator === '==' || operator === '!=' ? { field, isExcluded: operator === '!=', literal } : undefined
}

/** @returns the filter for the events that this one excludes; `undefined` for a predicate of another form */
export function invertFilter(predicate: string): string | undefined {
  const filter = readFilter(predicate)
  return filter && join({ ...filter, isExcluded: !filter.isExcluded })
}

/** @returns such as `status is 500`; a predicate of another form is returned unchanged */
export function describeFilter(predicate: string): string {
  const filter = readFilter(predicate)
  if (!filter) return predicate
  const { isExcluded, literal } = filter
  const field = showName(filter.field)
  if (literal === 'null') return `${field} is ${isExcluded ? 'there' : 'missing'}`
  // Filters do not tell a text that spells a number from the number, and find both.
  return `${field} ${isExcluded ? 'is not' : 'is'} ${unquote(literal) || 'empty'}`
}

/** @returns the filters with one more and without those that it replaces: a field has one value */
export function withFilter(filters: readonly string[], predicate: string): string[] {
  const added = readFilter(predicate)
  if (!added) return [...filters.filter((one) => one !== predicate), predicate]
  const isUseless = (one: string) => {
    const there = readFilter(one)
    if (there?.field !== added.field) return false
    return !added.isExcluded || there.literal === added.literal
  }
  return [...filters.filter((one) => !isUseless(one)), predicate]
}

/** @returns the filters of other fields */
export function withoutField(filters: readonly string[], field: string): string[] {
  return filters.filter((predicate) => readFilter(predicate)?.field !== field)
}
