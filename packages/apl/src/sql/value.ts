/**
 * Compiled expressions. A value is asked for the *view* its consumer needs (number, text, time …) and answers with SQL of that type,
 * so that a field is read in the cheapest form: `data.status.:Int64` where a number is wanted and the catalog knows only integers.
 * Every view is NULL where the value has no such form. Values no type is known for are JSON text (`plain` of `dynamic`).
 * Deliberately not here: which view an operator asks for.
 */
import { type Unit, unitOfField } from '@deployment-annotations/contract/unit'
import { type LiteralValue, TIME_PATTERN, TIME_UNITS } from '../text/literal.ts'
import type { Binder } from './quoting.ts'

export type Kind = 'integer' | 'real' | 'string' | 'boolean' | 'datetime' | 'timespan' | 'dynamic' | 'null'

/**
 * - `plain`: as its kind says: Int64, Float64, String, Bool or UInt8, DateTime64(9), Int64 nanoseconds, JSON text
 * - `ieee`: a float, infinite or NaN where a number was divided by zero
 * - `number` · `integer` · `text` · `json` (JSON text) · `time` · `span`
 * - `truth`: UInt8, never NULL · `filter`: the same where NULL may stand for false
 * - `output`: what the caller is sent
 */
export type View = 'plain' | 'number' | 'ieee' | 'integer' | 'text' | 'json' | 'time' | 'span' | 'truth' | 'filter' | 'output'

export interface Value {
  readonly kind: Kind
  /** Type name for the answer, such as `integer|string`. */
  readonly type: string
  /** Whether it may be NULL. */
  readonly nullable: boolean
  /** How a cell of the `output` view is read: as it is, or as JSON text inside a string. */
  readonly encoding: 'plain' | 'json'
  /** The value itself, where it is known now. */
  readonly literal?: LiteralValue
  /** An object made of known fields: a key that is not among them is a mistake. */
  readonly closed?: true
  /** How the events keep a key of this object, where the text of the object does. */
  readonly storedKey?: (key: string) => string
  /** The keys of an object that never has others. */
  readonly members?: readonly string[]
  /** The values that are no objects, if the field also has objects: what the objects hold are fields too. */
  readonly alone?: Value
  /** A stored field, so that its `output` is the engine's own dynamic type. */
  readonly stored?: true
  /** Always a whole number, whatever the events have, such as a count: divided by another it is one again, a quotient. */
  readonly whole?: 'number' | 'quotient'
  /** A number that counts something: what, where it is known. */
  readonly quantity?: { readonly unit?: Unit | 'd' }
  /** What the table has an index over, if this is a stored text. */
  readonly indexed?: 'words'
  /** The items of an array of texts, so that they need not be read from JSON text. */
  texts?(): TextArray
  /** What it is row by row, where that is not always the same; see {@link partsOf}. */
  parts?(): readonly Value[]
  as(view: View): string
}

/** An array of texts in the engine's own type. */
export interface TextArray {
  /** `Array(String)` or `Array(Nullable(String))`. */
  readonly items: string
  /** Which rows have it. */
  readonly when: string
  /** What the other rows have: nothing, or any JSON. */
  readonly otherwise: 'nothing' | 'json'
}

/** Type names of the answer; also of the catalog. */
const TYPE_OF_KIND: Record<Kind, string> = {
  integer: 'integer',
  real: 'float',
  string: 'string',
  boolean: 'boolean',
  datetime: 'datetime',
  timespan: 'timespan',
  dynamic: 'unknown',
  null: 'unknown',
}

interface ValueOptions {
  readonly nullable?: boolean
  readonly type?: string
  readonly literal?: LiteralValue
  /** SQL of single views that is better than the conversion from `plain`. */
  readonly views?: Partial<Record<View, string>>
  readonly encoding?: 'plain' | 'json'
}

/** A value of a known kind. */
export function typed(kind: Kind, sql: string, options: ValueOptions = {}): Value {
  const { nullable = kind !== 'null', views, literal } = options
  return {
    kind,
    type: options.type ?? TYPE_OF_KIND[kind],
    nullable,
    encoding: options.encoding ?? (kind === 'dynamic' ? 'json' : 'plain'),
    ...(literal && { literal }),
    as: (view) => views?.[view] ?? convert(kind, sql, view, nullable),
  }
}

/** JSON text; `type` is what is known of it, such as `array`. */
export const json = (sql: string, type = 'unknown'): Value => typed('dynamic', sql, { type })
export function boolean(sql: string, filter = sql): Value {
  // A constant is known as one: `GROUP BY false` would mean a column's position.
  const literal: LiteralValue | undefined =
    sql === 'true' || sql === 'false' ? { type: 'boolean', value: sql === 'true' } : undefined
  return typed('boolean', sql, { nullable: false, views: { filter }, ...(literal && { literal }) })
}
/** Whether any of the tests holds, or all of them. */
export function joined(tests: readonly Value[], word: 'OR' | 'AND'): Value {
  const join = (view: 'truth' | 'filter') => `(${tests.map((test) => test.as(view)).join(` ${word} `)})`
  return boolean(join('truth'), join('filter'))
}
/** A text without differences of case: a sigma at the end of a word is another small letter of the same capital. */
export const folded = (sql: string) => `replaceAll(lowerUTF8(${sql}), 'ς', 'σ')`
export const foldedText = (text: string) => text.toLowerCase().replaceAll('ς', 'σ')
/** A Float64, or NULL. */
export const realOf = (value: Value): string => (value.kind === 'real' ? value.as('plain') : `toFloat64(${value.as('number')})`)
/** Back from a Float64 to the kind that it was computed from: whole nanoseconds of a timespan or a time. */
export function ofReal({ kind }: Value, sql: string): Value {
  if (kind !== 'timespan' && kind !== 'datetime') return typed('real', sql)
  const ns = `accurateCastOrNull(trunc(${sql}), 'Int64')`
  return typed(kind, kind === 'timespan' ? ns : `fromUnixTimestamp64Nano(${ns}, 'UTC')`)
}
export const NULL: Value = typed('null', 'NULL', { literal: { type: 'null' } })

export function literalValue(literal: LiteralValue, binder: Binder): Value {
  const options = { nullable: false, literal }
  switch (literal.type) {
    case 'string':
      return typed('string', binder.text(literal.value), options)
    case 'integer':
      return typed('integer', binder.integer(literal.value), options)
    case 'real':
      return typed('real', binder.real(literal.value), options)
    case 'boolean':
      return typed('boolean', binder.bind('Bool', literal.value), options)
    case 'datetime':
      return typed('datetime', binder.time(literal.ns), options)
    case 'timespan':
      return typed('timespan', binder.integer(literal.ns), options)
    case 'dynamic':
      return typed('dynamic', binder.text(literal.json), { ...options, type: literal.json.startsWith('[') ? 'array' : 'unknown' })
    case 'null':
      return NULL
    default:
      return literal satisfies never
  }
}

/** The same value seen from outside a SELECT: each view asked for becomes a column of that SELECT. */
export function through(value: Value, exporting: (sql: string) => string): Value {
  if (value.literal) return value
  const { texts, parts, alone } = value
  return {
    ...value,
    ...(alone && { alone: through(alone, exporting) }),
    ...(parts && { parts: () => parts().map((part) => through(part, exporting)) }),
    ...(texts && {
      texts: () => {
        const { items, when, otherwise } = texts()
        return { items: exporting(items), when: exporting(when), otherwise }
      },
    }),
    as: (view) => exporting(value.as(view)),
  }
}

/** SQL over the items of an array where they are texts, and over the JSON text elsewhere. */
export function overItems(
  value: Value,
  overTexts: (items: string) => string,
  overJson: (json: string) => string,
  nothing = 'NULL',
): string {
  if (!value.texts) return overJson(value.as('json'))
  const { items, when, otherwise } = value.texts()
  return `if(${when}, ${overTexts(items)}, ${otherwise === 'nothing' ? nothing : overJson(value.as('json'))})`
}

/**
 * In a catalog, beside `integer`: the field has held integers from 2^63 on. The engine keeps those in another type, so the
 * field is read in a form that sees both. To people it is an integer like any other.
 */
export const UNSIGNED_INTEGER = 'unsigned'
/** In the catalog, of a field some of whose values may be in the column of the rest of events. */
export const REST_VALUE = 'rest'

/** The name of a set of types: `integer|string`. */
export function typeOf(types: ReadonlySet<string>): string {
  return (
    [...types]
      .filter((type) => type !== UNSIGNED_INTEGER && type !== REST_VALUE)
      .sort()
      .join('|') || 'unknown'
  )
}

/** Numbers, numbers in strings, and booleans as 1 and 0; NULL for a string that spells no end. */
const JSON_NUMBER = (sql: string) => FINITE(`JSONExtract(${sql}, 'Nullable(Float64)')`)
/** The content of a JSON string, the text of anything else, NULL for null. */
export const JSON_TEXT = (sql: string) => `JSONExtract(${sql}, 'Nullable(String)')`
/** The digits of a whole number of 64 bits; NULL for any other text. */
export const WHOLE_TEXT = (sql: string) => `toInt64OrNull(${sql})`
/** The number that a text spells; NULL for any other text. */
const NUMBER_TEXT = (sql: string) => FINITE(`toFloat64OrNull(${sql})`)
/** NULL for what has no end, or is no number: one such value would swallow every sum. */
const FINITE = (sql: string) => `if(isFinite(${sql}), ${sql}, NULL)`
/** The first of two numbers before a year is the month. */
const TEXT_TIME = (sql: string) =>
  `if(match(${sql}, '${TIME_PATTERN}'), parseDateTime64BestEffortUSOrNull(${sql}, 9, 'UTC'), NULL)`
/** A length of time as `parseTimespan` reads it: hours, minutes and seconds, or a number of a unit, of days without one. */
const TEXT_SPAN = (sql: string) => {
  const groups = (pattern: string) => `extractGroups(ifNull(${sql}, ''), '${pattern}')`
  const clock = groups('^(-?)(?:([0-9]{1,6})[.])?([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.]([0-9]{1,9}))?)?$')
  const counted = groups('^(-?)([0-9]{1,18})(?:[.]([0-9]{1,9}))?[ ]*([a-z]*)$')
  const whole = (...digits: readonly string[]) => `toInt128OrZero(${digits.length > 1 ? `concat(${digits.join(', ')})` : digits})`
  const seconds = `((${whole('c[2]')} * 24 + ${whole('c[3]')}) * 60 + ${whole('c[4]')}) * 60 + ${whole('c[5]')}`
  const units = `[${[...TIME_UNITS.keys()].map((word) => `'${word}'`).join(', ')}]`
  const sizes = `[${[...TIME_UNITS.values()].join(', ')}]::Array(Int64)`
  const size = `transform(if(u[4] = '' AND u[3] = '', 'd', u[4]), ${units}, ${sizes}, CAST(NULL, 'Nullable(Int64)'))`
  const fraction = `toInt128(exp10(length(u[3])))`
  const ns = `multiIf(notEmpty(c), (${seconds}) * 1000000000 + ${whole(`rightPad(c[6], 9, '0')`)}, notEmpty(u), intDiv(${whole('u[2]', 'u[3]')} * ${size}, ${fraction}), NULL)`
  const sign = `if(c[1] = '-' OR u[1] = '-', -1, 1)`
  return `arrayMap((c, u) -> accurateCastOrNull(${sign} * ${ns}, 'Int64'), [${clock}], [${counted}])[1]`
}
/** A text that spells neither true nor false is NULL. */
const TRUTH_TEXT = (sql: string) =>
  `transform(lower(${sql}), ['true', '1', 'false', '0'], [true, true, false, false], CAST(NULL, 'Nullable(Bool)'))`
/** RFC 3339; the engine prints nine digits, the contract has none that are not needed. */
const TIME_TEXT = (sql: string) => `replaceRegexpOne(replaceOne(toString(${sql}), ' ', 'T'), '\\\\.?0*$', 'Z')`
const SPAN_TEXT = (sql: string) =>
  `concat(if(${sql} < 0, '-', ''), if(abs(${sql}) >= 86400000000000, concat(toString(intDiv(abs(${sql}), 86400000000000)), '.'), ''), substring(toString(fromUnixTimestamp64Nano(toInt64(abs(${sql})), 'UTC')), 12))`

/** The time at a number of nanoseconds of any type; NULL beyond what 64 bits hold, never another time. */
export const timeOfNs = (sql: string) => `fromUnixTimestamp64Nano(accurateCastOrNull(${sql}, 'Int64'), 'UTC')`

/** An integer of more bits as one of 64; the engine refuses one that does not fit, and the query ends with that. */
export const fitted = (sql: string) => `accurateCast(${sql}, 'Nullable(Int64)')`

/** The number that a value of a kind is; one of another kind is a number already. */
const NUMBER_OF: Partial<Record<Kind, (sql: string) => string>> = {
  string: NUMBER_TEXT,
  dynamic: JSON_NUMBER,
  boolean: (sql) => `toInt64(${sql})`,
  datetime: (sql) => `toUnixTimestamp64Nano(${sql})`,
}

/** The text of a value of a kind; the engine's own of the others. */
const TEXT_OF: Partial<Record<Kind, (sql: string) => string>> = {
  dynamic: JSON_TEXT,
  boolean: (sql) => `toString(CAST(${sql}, 'Nullable(Bool)'))`,
  datetime: TIME_TEXT,
  timespan: SPAN_TEXT,
}

/** From the plain SQL of a kind to a view. */
function convert(kind: Kind, sql: string, view: View, nullable: boolean): string {
  if (kind === 'null') return view === 'truth' || view === 'filter' ? 'false' : 'NULL'
  switch (view) {
    case 'plain':
      return sql
    case 'output':
      return kind === 'boolean' ? `CAST(${sql}, 'Nullable(Bool)')` : sql
    case 'ieee':
      return `toFloat64(${convert(kind, sql, 'number', nullable)})`
    case 'number':
      return NUMBER_OF[kind]?.(sql) ?? sql
    case 'integer':
      return integerOf(kind, sql, nullable)
    case 'text':
      return textOf(kind, sql)
    case 'json':
      return kind === 'dynamic'
        ? sql
        : kind === 'boolean'
          ? textOf(kind, sql)
          : kind === 'datetime' || kind === 'timespan'
            ? `toJSONString(${textOf(kind, sql)})`
            : `toJSONString(${sql})`
    case 'time':
      return kind === 'datetime'
        ? sql
        : kind === 'integer' || kind === 'timespan'
          ? `fromUnixTimestamp64Nano(${sql}, 'UTC')`
          : kind === 'real'
            ? timeOfNs(`trunc(${sql})`)
            : TEXT_TIME(convert(kind, sql, 'text', nullable))
    case 'span':
      return kind === 'string'
        ? TEXT_SPAN(sql)
        : kind === 'dynamic'
          ? `if(startsWith(${sql}, '"'), ${TEXT_SPAN(JSON_TEXT(sql))}, ${convert(kind, sql, 'integer', nullable)})`
          : convert(kind, sql, 'integer', nullable)
    case 'filter':
      return truthOf(kind, sql)
    case 'truth':
      return nullable ? `ifNull(${truthOf(kind, sql)}, false)` : truthOf(kind, sql)
    default:
      return view satisfies never
  }
}

/** Cut to a whole number. The digits of a text are read as they are: a float between would round those above 2^53. */
function integerOf(kind: Kind, sql: string, nullable: boolean): string {
  if (kind === 'integer' || kind === 'timespan') return sql
  if (kind === 'dynamic') return `JSONExtract(${sql}, 'Nullable(Int64)')`
  const cut = `accurateCastOrNull(trunc(${convert(kind, sql, 'number', nullable)}), 'Int64')`
  return kind === 'string' ? `if(isNotNull(${WHOLE_TEXT(sql)}), ${WHOLE_TEXT(sql)}, ${cut})` : cut
}

function textOf(kind: Kind, sql: string): string {
  return kind === 'string' ? sql : (TEXT_OF[kind]?.(sql) ?? `toString(${sql})`)
}

function truthOf(kind: Kind, sql: string): string {
  if (kind === 'boolean') return sql
  if (kind === 'string') return TRUTH_TEXT(sql)
  if (kind === 'dynamic')
    return `ifNull(${TRUTH_TEXT(textOf(kind, sql))}, if(startsWith(${sql}, '"'), NULL, ${JSON_NUMBER(sql)} != 0))`
  return `(${convert(kind, sql, 'number', true)} != 0)`
}

/** Whether it is a whole number whatever the events have. */
export const isWhole = ({ whole, literal }: Value) => whole !== undefined || literal?.type === 'integer'

/** What is made of whole numbers alone is one itself. */
export function wholeIf(are: boolean, result: Value, whole: Value['whole'] = 'number'): Value {
  return are && result.kind === 'integer' && !result.parts ? { ...result, whole } : result
}

/** Whether it is a number, and no constant. */
export const isNumber = ({ kind, literal }: Value) => (kind === 'integer' || kind === 'real') && !literal

export type Quantity = Pick<Value, 'quantity'>
export const UNKNOWN: Quantity = { quantity: {} }

/** What numbers that stand for one another count: one unit where all that have one agree. */
export function commonQuantity(values: readonly Value[]): Quantity {
  const counting = values.filter(({ quantity }) => quantity)
  if (counting.length === 0) return {}
  const units = new Set(counting.flatMap(({ quantity }) => quantity?.unit ?? []))
  const [unit] = units
  return units.size === 1 && unit !== undefined ? { quantity: { unit } } : UNKNOWN
}

/** A column under the name that the query gives it, which tells the unit of what is known to have none. */
export function withName(name: string | undefined, value: Value): Value {
  if (name === undefined || !isNumber(value) || value.quantity?.unit !== undefined) return value
  const unit = unitOfField(name)
  return unit === undefined ? value : { ...value, quantity: { unit } }
}
