/** An event as a list of fields with dotted names, as queries name them. Pure. */

export interface EventField {
  /** Keys joined by dots; a dot or a backslash inside a key has a backslash before it, as the service writes it. */
  name: string
  /** No object; arrays as they are. */
  value: unknown
}

/** @returns the fields in the order of the event; an empty object is the absence of a field */
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

/** @returns what an event has under the name that `flatten` gives it, or the object that is there; `undefined` for nothing */
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

/** @returns such as `number` or `array of 3`; whether a number is an integer is not told apart in JSON */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  return typeof value === 'bigint' ? 'number' : typeof value
}
