/**
 * Fields of the stored events as values, in the cheapest forms that the types seen in them allow, and as the table may keep them beside
 * the events where all values are texts or all are whole numbers.
 */
import { chooseParts, mixed, partsOf } from './mixed.ts'
import { type Binder, quoteName } from './quoting.ts'
import { JSON_TEXT, json, type Kind, REST_VALUE, type TextArray, typed, typeOf, UNSIGNED_INTEGER, type Value } from './value.ts'

/** What the table keeps of a field beside the events. */
export type ValueLayout =
  /** A column of {@link storedText} or {@link storedInteger}, by its name. */
  | { readonly column: string }
  /** An index over the words of {@link lowered} of {@link storedText}. */
  | 'words'

/** Even in quotes the engine reads these as its own: a cast, a sub-object, or nothing. */
function hasOwnMeaning(path: string): boolean {
  return path === '' || /(?:^|\.)[:^@]`/.test(path)
}

/** The texts of a field: NULL where the event has none, or another value. `undefined` for a path that cannot be written. */
export function storedText(path: string): string | undefined {
  return hasOwnMeaning(path) ? undefined : `data.${quoteName(path)}.:String`
}

/** The same of whole numbers. */
export function storedInteger(path: string): string | undefined {
  return hasOwnMeaning(path) ? undefined : `data.${quoteName(path)}.:Int64`
}

/** A text as an index of words has it: ASCII letters are small ones, and it is never NULL, of which the engine makes no such index. */
export const lowered = (text: string) => `lower(ifNull(${text}, ''))`

const NUMERIC = new Set(['integer', 'float'])
const NUMBERS = new Set([...NUMERIC, UNSIGNED_INTEGER])
const ARRAY = new Set(['array'])
const SCALAR = new Set(['integer', 'float', 'string', 'boolean'])
const SUBCOLUMN: Record<string, [Kind, string]> = {
  integer: ['integer', 'Int64'],
  float: ['real', 'Float64'],
  string: ['string', 'String'],
  boolean: ['boolean', 'Bool'],
}

/** The column of members that are no fields, of objects of map fields and of arrays that `data` would change: JSON text by path. */
const inRest = (path: string, binder: Binder) => `nullIf(rest[${binder.text(path)}], '')`

/** A field of the stored events, in the cheapest forms that the types seen in it allow. */
export function fieldValue(path: string, types: ReadonlySet<string>, binder: Binder, layout?: ValueLayout): Value {
  if (types.has(REST_VALUE)) {
    const others = new Set([...types].filter((type) => type !== REST_VALUE))
    const both = [fieldValue(path, others, binder, layout), json(inRest(path, binder))]
    return { ...chooseParts(both, (sqls) => `coalesce(${sqls.join(', ')})`), type: typeOf(types) }
  }
  if (hasOwnMeaning(path)) return fromWhole(path, binder)
  const value = storedValue(path, types, typeof layout === 'object' ? layout.column : undefined)
  return { ...value, stored: true, ...(layout === 'words' && value.kind === 'string' && { indexed: 'words' }) }
}

/** Slow, for field names that cannot be written: out of the text of the whole event. */
function fromWhole(path: string, binder: Binder): Value {
  return json(
    `nullIf(JSONExtractRaw(toJSONString(data), ${path
      .split('.')
      .map((key) => binder.text(key))
      .join(', ')}), '')`,
  )
}

function storedValue(path: string, types: ReadonlySet<string>, kept: string | undefined): Value {
  const column = `data.${quoteName(path)}`
  const type = typeOf(types)
  const only = types.size === 1 ? SUBCOLUMN[[...types][0] as string] : undefined
  if (only) {
    const isKept = kept !== undefined && (only[0] === 'string' || only[0] === 'integer')
    const sql = isKept ? quoteName(kept) : `${column}.:${only[1]}`
    return typed(only[0], sql, { type, views: { output: column } })
  }
  const whole = `toJSONString(${column})`
  if (types.size === 0 || isSubset(types, ARRAY)) {
    // Arrays are their JSON as a text too.
    const text = types.size === 0 ? JSON_TEXT(whole) : `nullIf(${whole}, 'null')`
    const value = typed('dynamic', whole, { type, encoding: 'plain', views: { output: column, text } })
    return types.size === 0 ? value : { ...value, texts: () => storedTexts(column) }
  }
  const value = mixed(storedParts(column, types), {
    type,
    encoding: 'plain',
    views: {
      output: column,
      ...(!isSubset(types, NUMERIC) && {
        text: isSubset(types, SCALAR) ? `CAST(${column}, 'Nullable(String)')` : JSON_TEXT(whole),
      }),
      ...(types.has(UNSIGNED_INTEGER) && { json: `nullIf(${whole}, 'null')` }),
      ...(!isSubset(types, NUMBERS) && { plain: whole, json: whole }),
    },
  })
  return types.has('array') ? { ...value, texts: () => storedTexts(column) } : value
}

/** A field of several types as a value of each; what is none of a single value is JSON. */
function storedParts(column: string, types: ReadonlySet<string>): readonly Value[] {
  const single = Object.entries(SUBCOLUMN).filter(([type]) => types.has(type) && type !== 'float')
  const floats = [
    ...(types.has('float') ? [`${column}.:Float64`] : []),
    ...(types.has(UNSIGNED_INTEGER) ? [`toFloat64(${column}.:UInt64)`] : []),
  ]
  const real = floats.length > 1 ? `coalesce(${floats.join(', ')})` : floats[0]
  const whole = `toJSONString(${column})`
  const parts = [
    ...single.map(([, [kind, name]]) => typed(kind, `${column}.:${name}`)),
    ...(real === undefined ? [] : [typed('real', real)]),
    ...([...types].every((type) => SCALAR.has(type) || type === UNSIGNED_INTEGER)
      ? []
      : [typed('dynamic', `if(startsWith(${whole}, '[') OR startsWith(${whole}, '{'), ${whole}, NULL)`, { type: 'array' })]),
  ]
  return parts.map((part) => ({ ...part, stored: true as const }))
}

/** Which type the items have is not known of a field: it is asked in each row, and an empty array is of no type. */
function storedTexts(column: string): TextArray {
  const items = `dynamicElement(${column}, 'Array(Nullable(String))')`
  return { items, when: `notEmpty(${items})`, otherwise: 'json' }
}

function isSubset(types: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  return types.size > 0 && [...types].every((type) => of.has(type))
}

/** All fields below a path, as one object; NULL where there is none. */
export function objectValue(path: string, binder: Binder, storedKey: (key: string) => string): Value {
  const value = hasOwnMeaning(path)
    ? fromWhole(path, binder)
    : typed('dynamic', `nullIf(toJSONString(data.^${quoteName(path)}), '{}')`, { type: 'map[string]' })
  return { ...value, closed: true, storedKey }
}

/** A field of values some of which are objects. */
export function withObjects(value: Value, object: Value): Value {
  const [ofJson] = partsOf(value).filter(({ kind }) => kind === 'dynamic')
  const sql = object.as('json')
  const part = typed('dynamic', ofJson ? `coalesce(${ofJson.as('json')}, ${sql})` : sql, { type: object.type })
  const whole = mixed([...partsOf(value).filter((one) => one !== ofJson), part], {
    type: [...new Set([...value.type.split('|'), object.type])].sort().join('|'),
  })
  const { stored: _stored, indexed: _indexed, ...rest } = value
  const { storedKey } = object
  return { ...rest, ...whole, closed: true, alone: value, ...(storedKey && { storedKey }) }
}

/** The type of a field that holds objects with any keys. */
export const MAP = 'map[string]'

/** A field that holds objects with any keys, and perhaps values of other types. */
export function mapValue(path: string, types: ReadonlySet<string>, binder: Binder, storedKey: (key: string) => string): Value {
  // Earlier versions stored it in the events.
  const object = `ifNull(${inRest(path, binder)}, ${objectValue(path, binder, storedKey).as('plain')})`
  const isOnlyMap = types.size === 1 || hasOwnMeaning(path)
  const sql = isOnlyMap ? object : `ifNull(${object}, nullIf(toJSONString(data.${quoteName(path)}), 'null'))`
  return { ...typed('dynamic', sql, { type: typeOf(types) }), storedKey }
}
