/**
 * Names of fields: as keys of an event, as dotted names of the interface, and as paths of the engine's JSON column.
 *
 * {"geo":{"city":1}}  is the field  geo.city    at the engine's path  geo.city
 * {"geo.city":1}      is the field  geo\.city   at the engine's path  geo%2Ecity
 *
 * The engine takes a dot in a key for nesting, which would make these two one; so dots are stored as %2E, and % as %25.
 * Quoting for SQL is not done here.
 */

/** Names that the service answers with itself; an event's own field of that name gets `_user` in front. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['_sysTime', '_rowID', '_source', '_cursor', '_blockInfo'])

/** Whether the key is stored in another spelling than it was sent. */
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
