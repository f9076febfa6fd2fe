/**
 * Reaching into JSON text: `value.key`, `value['key']`, `value[0]`.
 * Deliberately not here: deciding whether a dotted name is a field.
 */
import type { Context } from './context.ts'
import { json, type Value } from './value.ts'

/** The member under each key in turn. Keys are names, or positions counted from 0, from the end when negative. */
export function access(value: Value, keys: readonly (string | bigint)[], { binder }: Context): Value {
  if (keys.length === 0) return value
  const { storedKey = (key: string) => key } = value
  const path = keys.map((key) =>
    typeof key === 'string' ? binder.text(storedKey(key)) : binder.integer(key < 0n ? key : key + 1n),
  )
  return json(member(value.as('json'), path.join(', ')))
}

/** The member under a key that is only known row by row. */
export function accessComputed(value: Value, key: Value): Value {
  const path =
    key.kind === 'integer'
      ? `if(${key.as('plain')} < 0, ${key.as('plain')}, ${key.as('plain')} + 1)`
      : `ifNull(${key.as('text')}, '')`
  return json(member(value.as('json'), key.kind === 'integer' ? `ifNull(${path}, 0)` : path))
}

/** The engine answers '' for what is not there. */
function member(sql: string, path: string): string {
  return `nullIf(JSONExtractRaw(${sql}, ${path}), '')`
}
