/** Writes a query from choices. Pure. Deliberately not here: reading one back. */
import { quoteName, quoteText, writeName } from './name.ts'

/** What can be summarized, and what each is called; those with a field need one. */
export const AGGREGATIONS = [
  ['count', 'the number of events', false],
  ['avg', 'the average of', true],
  ['sum', 'the sum of', true],
  ['min', 'the least', true],
  ['max', 'the most', true],
  ['p50', 'the median of', true],
  ['p95', 'the 95th percentile of', true],
  ['p99', 'the 99th percentile of', true],
  ['dcount', 'the number of different', true],
] as const
type Aggregation = (typeof AGGREGATIONS)[number][0]

export const COMPARISONS = [
  ['==', 'is'],
  ['!=', 'is not'],
  ['>', 'is over'],
  ['<', 'is under'],
  ['contains', 'contains'],
] as const

export interface Condition {
  field: string
  operator: (typeof COMPARISONS)[number][0]
  value: string
}

export interface Built {
  dataset: string
  conditions: readonly Condition[]
  aggregation: Aggregation
  /** Of the aggregation. */
  field: string
  /** Empty for all together. */
  by: string
  overTime: boolean
}

export const needsField = (aggregation: Aggregation): boolean =>
  AGGREGATIONS.some(([name, , hasField]) => name === aggregation && hasField)

/** @param isNumber whether a field has numbers @returns the query; a choice that is not complete is left out */
export function buildQuery(built: Built, isNumber: (field: string) => boolean): string {
  const { dataset, conditions, aggregation, field, by, overTime } = built
  const lines = conditions
    .filter((one) => one.field !== '' && one.value !== '')
    .map((one) => `| where ${writeName(one.field)} ${one.operator} ${writeValue(one, isNumber(one.field))}`)
  const groups = [...(overTime ? ['bin_auto(_time)'] : []), ...(by === '' ? [] : [writeName(by)])]
  const isWhole = field !== '' || !needsField(aggregation)
  const value = isWhole ? writeAggregation(aggregation, field) : 'count()'
  const summary = `| summarize ${value}${groups.length > 0 ? ` by ${groups.join(', ')}` : ''}`
  return [quoteName(dataset), ...lines, summary].join('\n')
}

function writeAggregation(aggregation: Aggregation, field: string): string {
  if (aggregation === 'count') return 'count()'
  const [, percent] = /^p(\d+)$/.exec(aggregation) ?? []
  return percent === undefined ? `${aggregation}(${writeName(field)})` : `percentile(${writeName(field)}, ${percent})`
}

/** A text stays a text, whatever is in it: only a plain number or truth is written as it is. */
function writeValue({ operator, value }: Condition, isNumber: boolean): string {
  const text = value.trim()
  const isPlain = /^-?\d{1,18}(?:\.\d{1,18})?$/.test(text) && (isNumber || operator === '>' || operator === '<')
  return operator !== 'contains' && (isPlain || /^(?:true|false)$/.test(text)) ? text : quoteText(value)
}
