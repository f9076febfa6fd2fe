/**
 * Names and types of fields. A name has three forms: keys of an event, a dotted name of the interface, and a path of the engine's JSON
 * column. The engine takes a dot in a key for nesting, so dots are stored as %2E, and percent signs as %25.
 *
 * {"geo":{"city":1}}  is the field  geo.city    at the engine's path  geo.city
 * {"geo.city":1}      is the field  geo\.city   at the engine's path  geo%2Ecity
 */

/** Types of the interface, one bit each; a field seen with several has a union type. */
export const TYPE_BITS = { integer: 1, float: 2, string: 4, boolean: 8, array: 16, 'map[string]': 1 << 16 } as const
type FieldType = keyof typeof TYPE_BITS

/**
 * A bit beside `integer`: the field has held integers from 2^63 on, which the engine stores in a type of its own. Queries must read
 * both types of such a field.
 */
export const UNSIGNED = 1 << 15

/**
 * A bit beside the types of a field: some of its values may be in the column `rest`, as JSON text. Bits 5 to 14 are in records of
 * earlier versions, and mean nothing any more.
 */
export const IN_REST = 1 << 17

/** The fields of a dataset have this reserved name, which no event's own field has, once the column `rest` has members that are no fields. */
export const UNLISTED = '_source'

/** @returns the types of a set of bits, in the order in which unions are printed */
export function typesOf(bits: number): FieldType[] {
  return (Object.keys(TYPE_BITS) as FieldType[]).filter((type) => (bits & TYPE_BITS[type]) !== 0).sort()
}

/** Names that the service itself returns; an event's own field of such a name gets the prefix `_user`. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['_sysTime', '_rowID', '_source', '_cursor', '_blockInfo'])

/** Whether the key is stored differently from how it was sent. */
export function isEncodedKey(key: string): boolean {
  return key.includes('.') || key.includes('%')
}

/** @returns the key as the engine stores it */
export function encodeKey(key: string): string {
  return key.replaceAll('%', '%25').replaceAll('.', '%2E')
}

/** @returns the key as it was sent; the reverse of {@link encodeKey} */
export function decodeKey(stored: string): string {
  return stored.replaceAll('%2E', '.').replaceAll('%25', '%')
}

/** @returns the field's name in the interface: keys joined by dots, a dot or backslash inside a key escaped */
export function fieldName(keys: readonly string[]): string {
  return keys.map((key) => key.replace(/[\\.]/g, '\\$&')).join('.')
}

/** @returns the keys of a field's name; the reverse of {@link fieldName} */
export function fieldKeys(name: string): string[] {
  const keys = ['']
  for (let i = 0; i < name.length; i++) {
    const at = name[i] as string
    if (at === '.') keys.push('')
    else keys[keys.length - 1] += at === '\\' && (name[i + 1] === '.' || name[i + 1] === '\\') ? (name[++i] as string) : at
  }
  return keys
}

/** @returns the path of a field in the `data` column */
export function enginePath(name: string): string {
  return fieldKeys(name).map(encodeKey).join('.')
}
