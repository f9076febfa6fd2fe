/**
 * What to look at where nobody says: for a dataset whose fields are known, its traffic, the share of errors, and latencies. Which field
 * says that something failed, and which how long it took, follows from the names and types that servers, proxies, loggers and
 * OpenTelemetry use. A name further up is the better one.
 */
import type { NamedQuery } from './named-queries.ts'

/** A field of a dataset; the types seen in it are joined by `|`. */
export interface KnownField {
  name: string
  type: string
  /** Somebody defined it for queries: under a name of the lists below, whatever its type, it comes before stored fields. */
  isVirtual?: boolean
}

type Condition = (field: string) => string

const isNumber = (type: string) => /integer|float|number/.test(type)
const isText = (type: string) => /string/.test(type)
const isBoolean = (type: string) => /bool/.test(type)

/** A server says 500 and more where the failure is its own. */
const SERVER_ERROR: Condition = (field) => `${field} >= 500`
const ERROR_LEVELS = ['error', 'err', 'fatal', 'critical', 'crit', 'alert', 'emergency', 'emerg', 'panic', 'severe']
const ERROR_LEVEL: Condition = (field) => `tolower(${field}) in (${ERROR_LEVELS.map((level) => `'${level}'`).join(', ')})`
const SPAN_ERROR: Condition = (field) => `tolower(${field}) in ('error', 'status_code_error')`

const SAYS_FAILED = 'error is_error failed'
const IS_TRUE: Condition = (field) => `${field} == true`

/** A name, the types that it has where it means this, and when an event counts as failed. */
const ERRORS: readonly [names: string, is: (type: string) => boolean, condition: Condition][] = [
  ['http.response.status_code attributes.http.response.status_code', isNumber, SERVER_ERROR],
  ['http.status_code attributes.http.status_code status_code statusCode http_status', isNumber, SERVER_ERROR],
  ['status response.status res.statusCode code', isNumber, SERVER_ERROR],
  ['status.code', isText, SPAN_ERROR],
  ['status.code', isNumber, (field) => `${field} == 2`],
  [SAYS_FAILED, isBoolean, IS_TRUE],
  ['ok success succeeded', isBoolean, (field) => `${field} == false`],
  ['level severity SeverityText severity_text log.level loglevel', isText, ERROR_LEVEL],
]

const LATENCIES = [
  'duration_ms durationMs latency_ms latencyMs elapsed_ms response_time_ms responseTime request_time_ms ms',
  'duration latency elapsed response_time request_time took http.server.request.duration',
].flatMap((names) => names.split(' '))

/** @param bucket length of a bucket as queries have it @returns the queries, each named after what it looks at */
export function defaultQueries(dataset: string, fields: readonly KnownField[], bucket: string): NamedQuery[] {
  const source = `['${dataset}']`
  return [
    { name: `${dataset} traffic`, apl: `${source}\n| summarize requests = count() by bin(_time, ${bucket})` },
    ...rateQueries(source, dataset, fields, bucket),
  ]
}

/** What the names and types of fields say can be measured. */
interface Rates {
  /** The condition that a failed event passes, as a query has it. */
  failed?: string
  /** The field that says how long it took. */
  latency?: string
}

/** @param source a query that may have filters: one that looks at the same field leaves the failed events alone, or none of them */
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

/** The share of errors and the latencies alone, of a source that may have filters. */
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
  const virtual = SAYS_FAILED.split(' ').find((name) => fields.some((one) => one.isVirtual && one.name === name))
  if (virtual !== undefined) return { name: virtual, condition: IS_TRUE(virtual) }
  for (const [names, isOfType, condition] of ERRORS) {
    for (const name of names.split(' ')) {
      const field = fields.find((one) => isNamed(one, name) && isOfType(one.type))
      if (field) return { name, condition: condition(quoteField(name)) }
    }
  }
  return undefined
}

function findLatency(fields: readonly KnownField[]): string | undefined {
  const virtual = LATENCIES.find((one) => fields.some((field) => field.isVirtual && field.name === one))
  if (virtual !== undefined) return virtual
  return LATENCIES.find((one) =>
    fields.some((field) => isNamed(field, one) && (isNumber(field.type) || field.type === 'timespan')),
  )
}

/** A dot that is part of a key, as in `{"http.status_code": 200}`, has a backslash before it among the fields of a dataset. */
function isNamed(field: KnownField, name: string): boolean {
  return field.name.replaceAll('\\.', '.') === name
}

/** Names of the lists have letters, digits, `_` and dots: those with dots are quoted, so that they are one name. */
function quoteField(name: string): string {
  return name.includes('.') ? `['${name}']` : name
}
