/** Writes a query from choices, and reads one back that could be written so. Pure. */
import { readDatasets } from './completion.ts'
import { quoteName, quoteText, writeName } from './name.ts'
import { readComparison, readField, readSteps, readWords, splitItems, unquote } from './words.ts'

/** What can be summarized, and what each is called; all but the number of events are of a field. */
export const AGGREGATIONS = [
  ['count', 'the number of events'],
  ['avg', 'the average of'],
  ['sum', 'the sum of'],
  ['min', 'the least'],
  ['max', 'the most'],
  ['p50', 'the median of'],
  ['p95', 'the 95th percentile of'],
  ['p99', 'the 99th percentile of'],
  ['dcount', 'the number of different'],
] as const

export const COMPARISONS = [
  ['==', 'is'],
  ['!=', 'is not'],
  ['>', 'is over'],
  ['<', 'is under'],
  ['contains', 'contains'],
] as const

export interface Condition {
  field: string
  operator: string
  value: string
}

export interface Built {
  dataset: string
  conditions: readonly Condition[]
  aggregation: string
  /** Of the aggregation. */
  field: string
  /** Empty for all together. */
  by: string
  overTime: boolean
}

/** @param isNumber whether a field has numbers @returns the query; a choice that is not complete is left out */
export function buildQuery(built: Built, isNumber: (field: string) => boolean): string {
  const { dataset, conditions, aggregation, field, by, overTime } = built
  const lines = conditions
    .filter((one) => one.field !== '' && one.value !== '')
    .map((one) => `| where ${writeName(one.field)} ${one.operator} ${writeValue(one, isNumber(one.field))}`)
  const groups = [...(overTime ? ['bin_auto(_time)'] : []), ...(by === '' ? [] : [writeName(by)])]
  const summary = `| summarize ${writeAggregation(aggregation, field)}${groups.length > 0 ? ` by ${groups.join(', ')}` : ''}`
  return [quoteName(dataset), ...lines, summary].join('\n')
}

function writeAggregation(aggregation: string, field: string): string {
  if (aggregation === 'count' || field === '') return 'count()'
  const [, percent] = /^p(\d+)$/.exec(aggregation) ?? []
  return percent === undefined ? `${aggregation}(${writeName(field)})` : `percentile(${writeName(field)}, ${percent})`
}

/** A text stays a text, whatever is in it: only a plain number or truth is written as it is. */
function writeValue({ operator, value }: Condition, isNumber: boolean): string {
  const text = value.trim()
  const isPlain = /^-?\d{1,18}(?:\.\d{1,18})?$/.test(text) && (isNumber || operator === '>' || operator === '<')
  return operator !== 'contains' && (isPlain || /^(?:true|false)$/.test(text)) ? text : quoteText(value)
}

/** @returns the choices that write a query; `undefined` for a query that no choices write */
export function readBuilt(apl: string): Built | undefined {
  const steps = readSteps(apl)
  const { words = [] } = steps.pop() ?? {}
  const compared = steps.flatMap((step) => readComparison(apl, step.words) ?? [])
  const by = words.findIndex(({ text }) => text === 'by')
  const groups = by < 0 ? [] : splitItems(words.slice(by + 1))
  const [name, , field, , percent] = words
  const built: Built = {
    dataset: readDatasets(apl)[0] ?? '',
    conditions: compared.map(({ literal, ...condition }) => ({ ...condition, value: unquote(literal) })),
    aggregation: name?.text === 'percentile' ? `p${percent?.text}` : (name?.text ?? ''),
    field: (field && readField([field])) ?? '',
    by: groups.map(readField).at(-1) ?? '',
    overTime: groups[0]?.[0]?.text === 'bin_auto',
  }
  const isNumber = (of: string) => compared.some((one) => one.field === of && unquote(one.literal) === one.literal)
  const textOf = (query: string) => JSON.stringify(readWords(query).map(({ text }) => text))
  return textOf(buildQuery(built, isNumber)) === textOf(apl) ? built : undefined
}
