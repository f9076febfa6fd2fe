/** Flattens an event to a list of fields with dotted names, as queries write them. Pure. */

export interface EventField {
  /** The keys joined by dots; a dot or backslash inside a key has a backslash before it, as the service writes it. */
  name: string
  /** Never an object; arrays are not flattened. */
  value: unknown
}

/** @returns the fields in the order of the event; an empty object counts as no field */
export function flatten(data: Readonly<Record<string, unknown>>): EventField[] {
  const fields: EventField[] = []
  const add = (object: object, prefix: string) => {
    for (const [key, value] of Object.entries(object)) {
      const name = prefix + key.replace(/[\\.]/g, '\\$&')
      if (isNested(value)) add(value, `${name}.`)
      else fields.push({ name, value })
    }
  }
  add(data, '')
  return fields
}

/** @returns the value or object under a name that `flatten` returned; `undefined` if there is none */
export function valueAt(data: Readonly<Record<string, unknown>>, name: string): unknown {
  let at: unknown = data
  for (const [part] of name.matchAll(/(?:\\.|[^.\\])+/gs)) {
    const key = part.replace(/\\(.)/gs, '$1')
    if (!isNested(at) || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @returns such as `number` or `array of 3`; JSON does not tell integers from other numbers */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  return typeof value === 'bigint' ? 'number' : typeof value
}
