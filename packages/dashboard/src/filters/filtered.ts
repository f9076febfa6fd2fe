/** Inserts the filters of the page into queries, before the first operator that counts, cuts or renames. */
import { lexUnfinished, type Piece } from '@deployment-annotations/apl/text/unfinished'
import { quoteName, quoteText } from '../query/name.ts'
import { readField, readFilter } from './filter.ts'

/** Columns are unchanged by these operators. */
const LEAVING = new Set(
  'where filter search sort order limit take top sample project-away project-keep project-reorder'.split(' '),
)
/** The range of the page filters these fields. */
const TIMES = new Set(['_time', '_sysTime'])

/** @returns whether a column has the values of a field, so that a filter finds them; false for every column if that is unknown */
export function readFilterable(apl: string): (column: string) => boolean {
  const steps = stepsOf(apl)
  const at = steps.findIndex(({ operator }) => !OF_EVENTS.has(operator) && !LEAVING.has(operator))
  const [making, ...behind] = at < 0 ? [] : steps.slice(at)
  if (!making) return (column) => !TIMES.has(column)
  if (behind.some(({ operator }) => !LEAVING.has(operator))) return () => false
  const fields = new Set(fieldsOf(making))
  return (column) => fields.has(column) && !TIMES.has(column)
}

/** @returns the columns that an operator passes on under their own names */
function fieldsOf({ operator, pieces }: Step): string[] {
  if (operator === 'project' || operator === 'distinct') return plainOf(pieces)
  if (operator !== 'summarize') return []
  const by = pieces.findLastIndex(({ kind, text }) => kind === 'word' && text === 'by')
  return by < 0 ? [] : plainOf(pieces.slice(by + 1))
}

function plainOf(pieces: readonly Piece[]): string[] {
  return splitItems(pieces).flatMap((item) => readField(item) ?? [])
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

/** @returns the end of the part of a query that selects events; what follows groups, cuts or renames */
function endOfEvents(apl: string): number {
  return stepsOf(apl).find(({ operator }) => !OF_EVENTS.has(operator))?.start ?? apl.length
}

/** @returns the part of a query that selects events */
export function eventsOfQuery(apl: string): string {
  return apl.slice(0, endOfEvents(apl))
}

/** @returns the query over the events that pass the filters */
export function filterQuery(apl: string, filters: readonly string[]): string {
  if (filters.length === 0) return apl
  const end = endOfEvents(apl)
  return apl.slice(0, end) + insertion(apl, end, filters) + apl.slice(end)
}

/** @returns the query of a chart over the events that pass; one whose events have none of the fields has none of them */
export function filterChart(apl: string, filters: readonly string[]): string {
  return filterQuery(apl, filters.map(withoutMistake))
}

function insertion(apl: string, end: number, filters: readonly string[]): string {
  const where = writeWhere(filters)
  return end < apl.length ? `${where}\n` : where
}

/** A position in a text as errors report it; both members count from 1. */
interface Place {
  line: number
  column: number
}

/**
 * @param place the position in the query with the filters
 * @returns the position in the query itself; `undefined` if it is in a filter
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

interface Step {
  /** The name of the operator, such as `where` or `project-away`. */
  operator: string
  /** The offset of its `|` in the query. */
  start: number
  /** The pieces after the name, without comments. */
  pieces: readonly Piece[]
}

/** @returns the operators of the query itself, without the definitions before a semicolon */
function stepsOf(apl: string): Step[] {
  const pieces = lexUnfinished(apl).filter(({ kind }) => kind !== 'comment')
  const places = topLevel(pieces)
  const last = places.findLast((at) => pieces[at]?.text === ';') ?? -1
  const bars = places.filter((at) => at > last && pieces[at]?.text === '|')
  return bars.map((at, n) => {
    const [first, hyphen, second, ...rest] = pieces.slice(at + 1, bars[n + 1])
    const start = pieces[at]?.start ?? 0
    const isPair = hyphen?.text === '-' && second?.kind === 'word' && first?.end === hyphen.start
    if (isPair) return { operator: `${first.text}-${second.text}`, start, pieces: rest }
    return { operator: first?.text ?? '', start, pieces: pieces.slice(at + 2, bars[n + 1]) }
  })
}

/** @returns the items of a list of expressions, split at the commas outside brackets */
function splitItems(pieces: readonly Piece[]): Piece[][] {
  const commas = topLevel(pieces).filter((at) => pieces[at]?.text === ',')
  return [...commas, pieces.length].map((end, n) => pieces.slice(n === 0 ? 0 : (commas[n - 1] ?? 0) + 1, end))
}

/** @returns the indexes of the pieces outside brackets */
function topLevel(pieces: readonly Piece[]): number[] {
  let depth = 0
  return pieces.flatMap(({ text, kind }, at) => {
    if (kind === 'string') return depth === 0 ? [at] : []
    if (text === '(' || text === '[') depth++
    else if (text === ')' || text === ']') depth--
    else if (depth === 0) return [at]
    return []
  })
}
