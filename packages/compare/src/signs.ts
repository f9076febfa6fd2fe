/**
 * What the fields of a dataset say of its events: whether one failed, and how long it took. The knowledge of how loggers, proxies and
 * clouds write that. Deliberately not here: which of the signs are used (default-queries.ts).
 */
import type { Unit } from '@deployment-annotations/contract/unit'
import { findFields as findNamed, showDots, USUAL_NAMES } from './usual-names.ts'

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
  /** The condition for an event that says whether it failed; absent for a level, which lines have that are no requests. */
  says?: string
  /** The condition for an event with a level. */
  hasLevel?: string
  /** Whether name and type alone make it sure. */
  isSure: boolean
  /** Whether it is the status of a request, which says by its value alone that it is one. */
  isStatus?: boolean
  /** Whether events that went well may lack it: without one that has it, it counts failures. */
  mayBeAlone?: boolean
}

/** What says how long an event took. */
export interface LatencySign {
  field: string
  /** The expression for the duration. */
  value: string
  /** The unit, if it is known and the name does not say it. */
  unit?: Unit
  /** For texts: the duration where they have units, as `12ms` has. */
  withUnit?: string
}

/** Objects that loggers and clouds put around the fields of an event. */
const WRAPPERS =
  /^(?:(?:attributes|resource|custom|http|fields|attrs|tags|labels|params|properties|context|extra|meta|\$?metadata|metrics|state|data|details|payload|json_?payload|proto_?payload|record|event|event_?data|info|log|json|message|\$workers)\.)+/i
const findFields = <T extends { readonly name: string }>(fields: readonly T[], names: readonly string[]) =>
  findNamed(fields, names, WRAPPERS)

const isNumber = (type: string) => /integer|float|number/.test(type)
const isText = (type: string) => /string/.test(type)
const isBoolean = (type: string) => /bool/.test(type)

/** Names of a field, and the words that it has, in small letters, for events that failed. */
interface WordRule {
  names: readonly string[]
  failed: readonly string[]
  /** The words for events that went well; `any` for all others. */
  well: readonly string[] | 'any'
  isLevel?: true
  is?: (type: string) => boolean
  /** One of these fields has to be there, too, because the name alone says too little. */
  beside?: readonly string[]
  isUnsure?: true
  mayBeAlone?: true
}

const words = (text: string) => text.split(' ')
const LEVELS = {
  isLevel: true,
  failed: words('error err fatal critical crit alert emergency emerg panic dpanic severe e f'),
  well: words('info information informational notice debug trace verbose warn warning log system config fine i w d n'),
} as const
/** Levels as numbers: those of pino and bunyan, and of Monolog. */
const NUMBERED = {
  isLevel: true,
  failed: words('50 60 400 500 550 600'),
  well: words('10 20 30 40 100 200 250 300'),
} as const
const SYSLOG = { isLevel: true, failed: words('0 1 2 3'), well: words('4 5 6 7') } as const
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`)
const FAILED = words('failure failed fail error exception timeout exceededcpu exceededmemory crashed internalerror')
const WELL = words('success succeeded successful ok passed pass done completed complete finished')
const SERVERS_FAULT = words(
  'unknown deadlineexceeded deadline_exceeded unimplemented internal unavailable dataloss data_loss 2 4 12 13 14 15',
)

const WORD_RULES: readonly WordRule[] = [
  { names: words('grpc.code grpc.status_code rpc.grpc.status_code grpc_status'), failed: SERVERS_FAULT, well: 'any' },
  { names: words('error is_error failed has_error'), is: isBoolean, failed: ['true'], well: ['false'], mayBeAlone: true },
  {
    names: words('ok success succeeded successful is_success passed'),
    is: (type) => isBoolean(type) || isText(type),
    failed: ['false'],
    well: ['true'],
  },
  { names: [...USUAL_NAMES.outcome, 'status'], is: isText, failed: FAILED, well: WELL, isUnsure: true },
  { names: USUAL_NAMES.level, is: isText, ...LEVELS },
  { names: words('level lvl log.level'), ...NUMBERED },
  { names: ['status'], is: isText, isUnsure: true, ...LEVELS },
  { names: words('severity_number'), isLevel: true, failed: range(17, 24), well: range(1, 16) },
  { names: words('levelno'), isLevel: true, failed: words('40 50'), well: words('10 20 30') },
  { names: words('severity_level'), is: isNumber, isLevel: true, failed: words('3 4'), well: words('0 1 2') },
  { names: words('level_value'), isLevel: true, failed: words('40000 50000'), well: words('5000 10000 20000 30000') },
  { names: ['level'], beside: words('short_message full_message'), ...SYSLOG },
  { names: ['priority'], beside: words('syslog_identifier _systemd_unit _transport'), ...SYSLOG },
  { names: words('log.syslog.severity.code syslog_severity'), ...SYSLOG },
  { names: ['label'], is: isText, beside: words('err_code subsystem'), ...LEVELS },
  { names: ['s'], is: isText, beside: ['ctx'], ...LEVELS },
]

/** The status of a span, whose name is spelled as that of a status of HTTP is. */
const SPAN_RULE: WordRule = { names: ['status.code'], failed: words('error status_code_error 2'), well: 'any', mayBeAlone: true }
const isOfSpan = ({ name }: KnownField) =>
  /^(?:attributes\.|otel\.)?status(?:\.|_)code$/.test(showDots(name)) && !/^status_code$/.test(name)

/** A `code` is a status only beside these. */
const REQUEST = [...USUAL_NAMES.route, ...words('uri request_uri url request http.url http.method verb protocol')]
/** Ends of names that no table has. Their values show whether they are a status. */
const ENDS_AS_STATUS = /(?:status[_-]?code|http[_-]?status|http[_-]?code|response[_-]?(?:code|status))$/i
/** More names for one thing make a query long, and are not used together. */
const COALESCED_MAX = 4

/** The field that people define where no other says what failed, and one for how long it took. */
export const DEFINED = { failed: words('failed is_error error'), latency: 'duration_ms' } as const

/**
 * @param stored the fields of a dataset
 * @param named what its queries can name: virtual fields, too
 */
export function withVirtual(stored: readonly KnownField[], named: readonly KnownField[] = []): KnownField[] {
  const virtual = named.filter(({ name }) => !stored.some((one) => one.name === name))
  return [...virtual.map(({ name, type }) => ({ name, type, isVirtual: true })), ...stored]
}

export function readErrorSigns(fields: readonly KnownField[]): ErrorSign[] {
  const virtual = findFields(
    fields.filter(({ isVirtual }) => isVirtual),
    DEFINED.failed,
  )[0]
  if (virtual) {
    const field = quoteField(virtual.name)
    return [{ fields: [virtual.name], failed: `${field} == true`, says: isThere(virtual.name), isSure: true }]
  }
  const [ofSpans, others] = [fields.filter(isOfSpan), fields.filter((one) => !isOfSpan(one))]
  const status = readStatus(others)
  const byWords = [...readWords(ofSpans, SPAN_RULE), ...WORD_RULES.flatMap((rule) => readWords(others, rule))]
  return status ? [status, ...byWords] : byWords
}

function readStatus(fields: readonly KnownField[]): ErrorSign | undefined {
  const hasRequest = findFields(fields, REQUEST).length > 0
  const named = findFields(fields, hasRequest ? [...USUAL_NAMES.status, 'code'] : USUAL_NAMES.status)
  const found = [...named, ...fields.filter(({ name }) => ENDS_AS_STATUS.test(name) && !named.some((one) => one.name === name))]
    .filter(({ type }) => isNumber(type) || isText(type))
    .slice(0, COALESCED_MAX)
  const values = found.map(({ name, type }) => (isText(type) ? `toint(${quoteField(name)})` : quoteField(name)))
  if (values.length === 0) return undefined
  const value = values.length > 1 ? `coalesce(${values.join(', ')})` : values[0]
  return {
    fields: found.map(({ name }) => name),
    failed: `${value} between (500 .. 599)`,
    says: `${value} between (100 .. 599)`,
    isSure: found.some(({ type }) => isNumber(type)),
    isStatus: true,
  }
}

function readWords(fields: readonly KnownField[], rule: WordRule): ErrorSign[] {
  const { names, failed, well, is, beside, isLevel, isUnsure = false, mayBeAlone = false } = rule
  const isOfType = is ?? ((type: string) => isNumber(type) || isText(type))
  const found = findFields(fields, names).find(({ type }) => isOfType(type))
  if (!found || (beside && findFields(fields, beside).length === 0)) return []
  const { name, type } = found
  const among = (list: readonly string[]) => wordsIn(quoteField(name), type, list)
  const says = well === 'any' ? isThere(name) : among([...failed, ...well])
  return [{ fields: [name], failed: among(failed), isSure: !isUnsure, mayBeAlone, ...(isLevel ? { hasLevel: says } : { says }) }]
}

function wordsIn(field: string, type: string, list: readonly string[]): string {
  const [word] = list
  if (type === 'boolean' && list.length === 1) return `${field} == ${word}`
  if (type === 'boolean') return `isnotnull(${field})`
  return `tolower(${asText(field, type)}) in (${list.map((one) => `'${one}'`).join(', ')})`
}

const asText = (field: string, type: string) => (type === 'string' ? field : `tostring(${field})`)

/** Fields that have nanoseconds or seconds, though their names do not say it. */
const UNITS: readonly [names: readonly string[], unit: Unit, beside?: readonly string[]][] = [
  [words('event.duration'), 'ns'],
  [['duration'], 'ns', words('downstream_status origin_status')],
  [words('request_time target_processing_time'), 's'],
  [words('response_time'), 'ms', words('res.status_code req.method')],
]

/** @returns the preferred first: virtual fields, and names that say their unit */
export function readLatencySigns(fields: readonly KnownField[]): LatencySign[] {
  const names = [...USUAL_NAMES.milliseconds, ...USUAL_NAMES.duration]
  const virtual = findFields(
    fields.filter(({ isVirtual }) => isVirtual),
    names,
  )
  const isAmount = ({ type }: KnownField) => isNumber(type) || isText(type) || type === 'timespan'
  const stored = findFields(fields, names).filter((field) => !field.isVirtual && isAmount(field))
  // The router of Heroku writes `service=12ms connect=1ms`.
  const heroku = findFields(fields, ['connect']).length > 0 ? findFields(fields, ['service']).filter(isAmount) : []
  return [
    ...virtual.map(({ name }) => ({ field: name, value: quoteField(name) })),
    ...[...stored, ...heroku].map((one) => readLatency(fields, one)),
  ]
}

function readLatency(fields: readonly KnownField[], { name, type }: KnownField): LatencySign {
  const field = quoteField(name)
  const unit = UNITS.find(
    ([names, , beside]) => findFields([{ name }], names).length > 0 && (!beside || findFields(fields, beside).length > 0),
  )?.[1]
  if (!isText(type)) return { field: name, value: field, ...(unit && { unit }) }
  const [text, number] = [asText(field, type), `todouble(${field})`]
  // Digits alone would be days. Go writes µs.
  const withUnit = `iff(isnull(${number}), totimespan(replace_string('µs', 'us', ${text})), totimespan(null))`
  return { field: name, value: `coalesce(${number}, ${withUnit} / 1ms)`, withUnit, ...(unit && { unit }) }
}

/** @returns the condition for an event that has the field */
export function isThere(field: string): string {
  return `isnotnull(${quoteField(field)})`
}

/** A name of other characters than letters, digits and `_` is quoted. */
export function quoteField(name: string): string {
  const shown = showDots(name)
  return /^[A-Za-z_]\w*$/.test(shown) ? shown : `['${shown.replaceAll(/['\\]/g, '\\$&')}']`
}
