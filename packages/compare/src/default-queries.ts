/**
 * The default queries of a dataset: traffic, the share of errors, and latencies. The fields for failures and durations are recognized by
 * their usual names (usual-names.ts) and types.
 */
import type { NamedQuery } from './named-queries.ts'
import { USUAL_NAMES } from './usual-names.ts'

/** A field of a dataset; the types seen in it are joined by `|`. */
export interface KnownField {
  name: string
  type: string
  /** Whether it is a virtual field. Under a name of the lists below it is preferred to stored fields, whatever its type. */
  isVirtual?: boolean
}

type Condition = (field: string) => string

const isNumber = (type: string) => /integer|float|number/.test(type)
const isText = (type: string) => /string/.test(type)
const isBoolean = (type: string) => /bool/.test(type)

/** Status 500 and above is the server's own failure. */
const SERVER_ERROR: Condition = (field) => `${field} >= 500`
const ERROR_LEVELS = ['error', 'err', 'fatal', 'critical', 'crit', 'alert', 'emergency', 'emerg', 'panic', 'severe']
const ERROR_LEVEL: Condition = (field) => `tolower(${field}) in (${ERROR_LEVELS.map((level) => `'${level}'`).join(', ')})`
const SPAN_ERROR: Condition = (field) => `tolower(${field}) in ('error', 'status_code_error')`

const SAYS_FAILED = ['error', 'is_error', 'failed']
const IS_TRUE: Condition = (field) => `${field} == true`

/** The names of a field, the types that it must have, and the condition for a failed event. */
const ERRORS: readonly [names: readonly string[], is: (type: string) => boolean, condition: Condition][] = [
  [USUAL_NAMES.status, isNumber, SERVER_ERROR],
  [['status.code'], isText, SPAN_ERROR],
  [['status.code'], isNumber, (field) => `${field} == 2`],
  [SAYS_FAILED, isBoolean, IS_TRUE],
  [['ok', 'success', 'succeeded'], isBoolean, (field) => `${field} == false`],
  [USUAL_NAMES.level, isText, ERROR_LEVEL],
]

const LATENCIES = [...USUAL_NAMES.milliseconds, ...USUAL_NAMES.duration]

/**
 * @param bucket length of a bucket, as written in queries
 * @returns the queries, each with the name of its metric
 */
export function defaultQueries(dataset: string, fields: readonly KnownField[], bucket: string): NamedQuery[] {
  const source = `['${dataset}']`
  return [
    { name: `${dataset} traffic`, apl: `${source}\n| summarize requests = count() by bin(_time, ${bucket})` },
    ...rateQueries(source, dataset, fields, bucket),
  ]
}

/** The metrics that the fields of a dataset allow. */
interface Rates {
  /** The condition for a failed event, as written in queries. */
  failed?: string
  /** The field with the duration. */
  latency?: string
}

/**
 * @param source a query that may have filters. If it filters by the same field, it has only failed events or none, so it gets no share
 *   of errors
 */
export function findRates(source: string, fields: readonly KnownField[]): Rates {
  const failed = findErrors(fields)
  const latency = findLatency(fields)
  const isFiltered = failed && source.slice(source.indexOf('|') + 1 || source.length).includes(failed.name)
  return { ...(failed && !isFiltered && { failed: failed.condition }), ...(latency !== undefined && { latency }) }
}

/** @param field a name @returns an aggregation of a query */
export function percentileOf(field: string, rank: number): string {
  return `percentile(${quoteField(field)}, ${rank})`
}

/** The queries for the share of errors and the latencies of a source that may have filters. */
export function rateQueries(source: string, name: string, fields: readonly KnownField[], bucket: string): NamedQuery[] {
  const { failed, latency } = findRates(source, fields)
  const by = `by bin(_time, ${bucket})`
  const errors = { name: `${name} errors`, apl: `${source}\n| summarize failed = countif(${failed}), requests = count() ${by}` }
  const percentiles = [50, 95, 99].map((p) => `p${p} = ${percentileOf(latency ?? '', p)}`).join(', ')
  const latencies = { name: `${name} ${latency}`, apl: `${source}\n| summarize ${percentiles} ${by}` }
  return [...(failed === undefined ? [] : [errors]), ...(latency === undefined ? [] : [latencies])].map(
    (query): NamedQuery => ({ ...query, direction: 'higher-is-worse' }),
  )
}

function findErrors(fields: readonly KnownField[]): { name: string; condition: string } | undefined {
  const virtual = SAYS_FAILED.find((name) => fields.some((one) => one.isVirtual && one.name === name))
  if (virtual !== undefined) return { name: virtual, condition: IS_TRUE(virtual) }
  const all = ERRORS.flatMap(([names, isOfType, condition]) => names.map((name) => ({ name, isOfType, condition })))
  const found = all.find(({ name, isOfType }) => fields.some((one) => isNamed(one, name) && isOfType(one.type)))
  return found && { name: found.name, condition: found.condition(quoteField(found.name)) }
}

function findLatency(fields: readonly KnownField[]): string | undefined {
  const virtual = LATENCIES.find((one) => fields.some((field) => field.isVirtual && field.name === one))
  const isAmount = ({ type }: KnownField) => isNumber(type) || type === 'timespan'
  return virtual ?? LATENCIES.find((one) => fields.some((field) => isNamed(field, one) && isAmount(field)))
}

/** In the field names of a dataset, a dot that is part of a key, as in `{"http.status_code": 200}`, has a backslash before it. */
function isNamed(field: KnownField, name: string): boolean {
  return field.name.replaceAll('\\.', '.') === name
}

/** Names of the lists have letters, digits, `_` and dots. Those with dots are quoted, so that they are one name. */
function quoteField(name: string): string {
  return name.includes('.') ? `['${name}']` : name
}
