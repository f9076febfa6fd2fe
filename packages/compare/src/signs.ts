/**
 * What the fields of a dataset say of its events: whether one failed, and how long it took. The knowledge of how loggers, proxies and
 * clouds write that. Deliberately not here: which of the signs are used (default-queries.ts).
 */
import type { Unit } from '@deployment-annotations/contract/unit'
import { createFinder, showDots, USUAL_NAMES } from './usual-names.ts'

/** A field of a dataset; the types seen in it are joined by `|`. */
export interface KnownField {
  name: string
  type: string
  /** Whether it is a virtual field. Under one of the names for it, it is preferred to stored fields, whatever its type. */
  isVirtual?: boolean
}

/** What says whether an event failed. All conditions are as queries write them. */
export interface ErrorSign {
  /** The first of them that an event has counts. */
  fields: readonly string[]
  failed: string
  /** The condition for an event that says whether it failed. */
  says: string
  /**
   * A flag may be in failed events alone, which then are counted. A level always counts, because lines are no requests: a release that
   * logs less has no more errors.
   */
  kind: 'status' | 'outcome' | 'flag' | 'level'
  /** Whether name and type alone make it sure. */
  isSure: boolean
}

/** What says how long an event took. */
export interface LatencySign {
  field: string
  /** The expression for the duration. */
  value: string
  /** The unit, if it is known and the name does not say it. */
  unit?: Unit | undefined
  /** For texts: the condition for one of digits alone. Others have units, as `12ms`, and their values are milliseconds. */
  isBare?: string
}

/** Objects that loggers and clouds put around the fields of an event. */
const findFields = createFinder(
  /^(?:(?:attributes|resource|custom|http|fields|attrs|tags|labels|params|properties|context|extra|meta|\$?metadata|metrics|state|data|details|payload|json_?payload|proto_?payload|record|event|event_?data|info|log|json|message|\$workers)\.)+/i,
)

const isNumber = (type: string) => /integer|float|number/.test(type)
const isText = (type: string) => /string/.test(type)
const isNumberOrText = ({ type }: KnownField) => isNumber(type) || isText(type)
const isBoolean = (type: string) => /bool/.test(type)

/** Names of a field, and the words that it has, in small letters, for events that failed. */
interface WordRule {
  names: readonly string[]
  failed: readonly string[]
  /** The words for events that went well; `any` for all others. */
  well: readonly string[] | 'any'
  kind: ErrorSign['kind']
  is?: (type: string) => boolean
  /** One of these fields has to be there, too, because the name alone says too little. */
  beside?: readonly string[]
  isUnsure?: true
}

const words = (text: string) => text.split(' ')
const LEVELS = {
  kind: 'level',
  failed: words('error err fatal critical crit alert emergency emerg panic dpanic severe e f'),
  well: words('info information informational notice debug trace verbose warn warning log system config fine i w d n'),
} as const
/** Levels as numbers: those of pino and bunyan, and of Monolog. */
const NUMBERED = {
  kind: 'level',
  failed: words('50 60 400 500 550 600'),
  well: words('10 20 30 40 100 200 250 300'),
} as const
const SYSLOG = { kind: 'level', failed: words('0 1 2 3'), well: words('4 5 6 7') } as const
const FAILED = words('failure failed fail error exception timeout exceededcpu exceededmemory crashed internalerror')
const WELL = words('success succeeded successful ok passed pass done completed complete finished')
const SUCCESS = words('ok success succeeded successful is_success passed')
/** The codes that are the server's fault. */
const GRPC = {
  kind: 'outcome',
  failed: words(
    'unknown deadlineexceeded deadline_exceeded unimplemented internal unavailable dataloss data_loss 2 4 12 13 14 15',
  ),
  well: 'any',
} as const

/** Whoever defines a virtual field says it by the first of these. */
const FLAGS: WordRule = {
  names: words('failed is_error error has_error'),
  is: isBoolean,
  failed: ['true'],
  well: ['false'],
  kind: 'flag',
}
const WORD_RULES: readonly WordRule[] = [
  { names: words('grpc.code grpc.status_code rpc.grpc.status_code grpc_status'), ...GRPC },
  FLAGS,
  { names: SUCCESS, is: (type) => isBoolean(type) || isText(type), failed: ['false'], well: ['true'], kind: 'outcome' },
  {
    names: words('event.outcome outcome conclusion result result_type state phase status'),
    is: isText,
    failed: FAILED,
    well: WELL,
    kind: 'outcome',
    isUnsure: true,
  },
  { names: USUAL_NAMES.level, is: isText, ...LEVELS },
  { names: words('level lvl log.level'), ...NUMBERED },
  { names: ['status'], is: isText, isUnsure: true, ...LEVELS },
  { names: words('severity_number'), kind: 'level', failed: words('17 18 19 20 21 22 23 24'), well: 'any' },
  { names: words('levelno'), kind: 'level', failed: words('40 50'), well: words('10 20 30') },
  { names: words('severity_level'), is: isNumber, kind: 'level', failed: words('3 4'), well: words('0 1 2') },
  { names: words('level_value'), kind: 'level', failed: words('40000 50000'), well: words('5000 10000 20000 30000') },
  { names: ['level'], beside: words('short_message full_message'), ...SYSLOG },
  { names: ['priority'], beside: words('syslog_identifier _systemd_unit _transport'), ...SYSLOG },
  { names: words('log.syslog.severity.code syslog_severity'), ...SYSLOG },
  { names: ['label'], is: isText, beside: words('err_code subsystem'), ...LEVELS },
  { names: ['s'], is: isText, beside: ['ctx'], ...LEVELS },
]

/** The status of a span, whose name is spelled as that of a status of HTTP is. */
const SPAN_RULE: WordRule = {
  names: words('status.code otel.status_code'),
  failed: words('error status_code_error 2'),
  well: 'any',
  kind: 'flag',
}
const isOfSpan = ({ name }: KnownField) => /^(?:attributes\.)?(?:status\.code|otel\.status_code)$/.test(showDots(name))

/** A `code` is a status only beside these. */
const REQUEST = [...USUAL_NAMES.route, ...words('uri request_uri url request http.url http.method verb protocol')]
/** Ends of names that no table has. Their values show whether they are a status. */
const ENDS_AS_STATUS = /(?:status[_-]?code|http[_-]?status|http[_-]?code|response[_-]?(?:code|status))$/i
/** More names for one thing make a query long, and are not used together. */
const COALESCED_MAX = 4

/**
 * @param stored the fields of a dataset
 * @param named what its queries can name: virtual fields, too
 */
export function withVirtual(stored: readonly KnownField[], named: readonly KnownField[] = []): KnownField[] {
  const virtual = named.filter(({ name }) => !stored.some((one) => one.name === name))
  return [...virtual.map(({ name, type }) => ({ name, type, isVirtual: true })), ...stored]
}

export function readErrorSigns(fields: readonly KnownField[]): ErrorSign[] {
  const virtual = findFields(fields, FLAGS.names).find(({ isVirtual }) => isVirtual)
  if (virtual) return readWords([{ ...virtual, type: 'boolean' }], FLAGS)
  const ofSpans = fields.filter(isOfSpan)
  // The names of a whole list are spelled once, those of a part of it each time.
  const others = ofSpans.length === 0 ? fields : fields.filter((one) => !isOfSpan(one))
  return [...readStatus(others), ...readWords(ofSpans, SPAN_RULE), ...WORD_RULES.flatMap((rule) => readWords(others, rule))]
}

function readStatus(all: readonly KnownField[]): ErrorSign[] {
  const hasRequest = findFields(all, REQUEST).length > 0
  const names = hasRequest ? [...USUAL_NAMES.status, 'response'] : USUAL_NAMES.status.filter((name) => name !== 'code')
  const others = all.filter(({ name }) => ENDS_AS_STATUS.test(name))
  const known = [...new Set([...findFields(all, names), ...others])].filter(isNumberOrText).slice(0, COALESCED_MAX)
  const values = known.map(({ name, type }) => (isText(type) ? digitsOf(asText(quoteField(name), type)) : quoteField(name)))
  if (values.length === 0) return []
  const value = values.length > 1 ? `coalesce(${values.join(', ')})` : values[0]
  const fields = known.map(({ name }) => name)
  const isSure = known.some(({ type }) => isNumber(type))
  return [{ fields, failed: `${value} between (500 .. 599)`, says: `${value} between (100 .. 599)`, kind: 'status', isSure }]
}

/** Some write a status as `200 OK` or `404.3`. */
const digitsOf = (text: string) => `toint(extract('^([1-5][0-9][0-9])(?:[ .]|$)', 1, ${text}))`

function readWords(fields: readonly KnownField[], { names, failed, well, is, beside, kind, isUnsure }: WordRule): ErrorSign[] {
  const found = findFields(fields, names).find((field) => (is ? is(field.type) : isNumberOrText(field)))
  if (!found || (beside && findFields(fields, beside).length === 0)) return []
  const { name, type } = found
  const among = (list: readonly string[]) => wordsIn(quoteField(name), type, list)
  const says = well === 'any' ? isThere(name) : among([...failed, ...well])
  return [{ fields: [name], failed: among(failed), says, kind, isSure: !isUnsure }]
}

function wordsIn(field: string, type: string, list: readonly string[]): string {
  if (type === 'boolean') return list.length === 1 ? `${field} == ${list[0]}` : `isnotnull(${field})`
  return `tolower(${asText(field, type)}) in (${list.map((one) => `'${one}'`).join(', ')})`
}

const asText = (field: string, type: string) => (type === 'string' ? field : `tostring(${field})`)

/** Fields whose unit is known, though their names do not say it. */
const UNITS: Readonly<Record<string, Unit>> = { 'event.duration': 'ns', request_time: 's', target_processing_time: 's' }

/** @returns the preferred first: virtual fields, and names that say their unit */
export function readLatencySigns(fields: readonly KnownField[]): LatencySign[] {
  // The router of Heroku writes `service=12ms connect=1ms`.
  const more = findFields(fields, ['connect']).length > 0 ? ['service'] : []
  const found = findFields(fields, [...USUAL_NAMES.milliseconds, ...USUAL_NAMES.duration, ...more])
  const isAmount = (field: KnownField) => isNumberOrText(field) || field.type === 'timespan'
  const stored = found.filter((field) => !field.isVirtual && isAmount(field))
  return [...found.filter(({ isVirtual }) => isVirtual), ...stored].map(readLatency)
}

function readLatency({ name, type }: KnownField): LatencySign {
  const [field, unit] = [quoteField(name), UNITS[showDots(name)]]
  if (!isText(type)) return { field: name, value: field, unit }
  const [number, text] = [`todouble(${field})`, asText(field, type)]
  // Go writes µs, …
  const milliseconds = `totimespan(replace_string('µs', 'us', ${text})) / 1ms`
  // … and more than a minute as 1m2.5s or 1h2m3s.
  const part = (pattern: string) => `todouble(extract('${pattern}', 1, ${text}))`
  const hours = `coalesce(${part('^([0-9]+)h')}, 0.0)`
  const long = `3600000 * ${hours} + 60000 * ${part('([0-9]+)m[0-9.]+s$')} + 1000 * ${part('m([0-9.]+)s$')}`
  return { field: name, value: `coalesce(${number}, ${milliseconds}, ${long})`, isBare: `isnotnull(${number})`, unit }
}

/** @returns the condition for an event that has the field */
export function isThere(field: string): string {
  return `isnotnull(${quoteField(field)})`
}

/** A name of other characters than letters, digits and `_` is quoted. */
export function quoteField(name: string): string {
  const shown = showDots(name)
  return /^[A-Za-z_]\w*$/.test(shown) ? shown : `[${quoteText(shown)}]`
}

/** @returns the text as a query of events has it */
export const quoteText = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
