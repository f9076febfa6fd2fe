/**
 * Reaching into JSON text: `value.key`, `value['key']`, `value[0]`.
 * Deliberately not here: deciding whether a dotted name is a field.
 */
import type { Context } from './context.ts'
import { JSON_TEXT, json, overItems, typed, type Value } from './value.ts'

/** The member under each key in turn. Keys are names, or positions counted from 0, from the end when negative. */
export function access(value: Value, keys: readonly (string | bigint)[], { binder }: Context): Value {
  if (keys.length === 0) return value
  const { storedKey = (key: string) => key } = value
  const [only] = keys
  if (value.texts && keys.length === 1 && typeof only === 'bigint')
    return { ...item(value, binder.integer(only < 0n ? only : only + 1n)), ...keysOf(value) }
  const path = keys.map((key) =>
    typeof key === 'string' ? binder.text(storedKey(key)) : binder.integer(key < 0n ? key : key + 1n),
  )
  return { ...json(member(value.as('json'), path.join(', '))), ...keysOf(value) }
}

/** What is in it was stored in the same way. */
function keysOf({ storedKey }: Value): Pick<Value, 'storedKey'> {
  return storedKey ? { storedKey } : {}
}

/** The member under a key that is only known row by row. */
export function accessComputed(value: Value, key: Value): Value {
  const path =
    key.kind === 'integer'
      ? `if(${key.as('plain')} < 0, ${key.as('plain')}, ${key.as('plain')} + 1)`
      : `ifNull(${key.as('text')}, '')`
  return json(member(value.as('json'), key.kind === 'integer' ? `ifNull(${path}, 0)` : path))
}

/** One item of an array that may be one of texts. */
function item(value: Value, place: string): Value {
  const at = (items: string) => `arrayElementOrNull(${items}, ${place})`
  const text = overItems(value, at, (array) => JSON_TEXT(member(array, place)))
  if (value.texts?.().otherwise === 'nothing') return typed('string', text)
  const sql = overItems(
    value,
    (items) => `nullIf(toJSONString(${at(items)}), 'null')`,
    (array) => member(array, place),
  )
  return typed('dynamic', sql, { views: { text } })
}

/** The engine answers '' for what is not there. */
function member(sql: string, path: string): string {
  return `nullIf(JSONExtractRaw(${sql}, ${path}), '')`
}
