/**
 * Walks JSON text without reading its values, so that a number or a string leaves as the engine wrote it; takes fields out of the text
 * of an event, and puts columns together as one.
 */
import { decodeKey, fieldKeys } from '@deployment-annotations/event-store/fields/field'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const [COMMA, COLON] = [0x2c, 0x3a]

/** @returns where the string that opens at `from` ends, its closing quote included */
function stringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote + 1
  }
  throw new Error('a string of the engine does not end')
}

/** @returns where the value that starts at `from` ends */
function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === QUOTE) return stringEnd(text, from)
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return scalarEnd(text, from)
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) at = stringEnd(text, at) - 1
    else if (char === OPEN_OBJECT || char === OPEN_ARRAY) depth++
    else if ((char === CLOSE_OBJECT || char === CLOSE_ARRAY) && --depth === 0) return at + 1
  }
  throw new Error('a value of the engine does not end')
}

function scalarEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === COMMA || char === CLOSE_OBJECT || char === CLOSE_ARRAY || char <= 0x20) break
  }
  return at
}

/** Where the next thing that is neither blank nor comma begins. */
function skip(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20 || text.charCodeAt(at) === COMMA) at++
  return at
}

/** @returns the elements of the array that opens at `from`, all or the first so many, and where the last of them ends */
export function readArray(text: string, from: number, itemsMax = Number.POSITIVE_INFINITY): { items: string[]; end: number } {
  const items: string[] = []
  let at = skip(text, from + 1)
  while (text.charCodeAt(at) !== CLOSE_ARRAY && items.length < itemsMax) {
    const end = valueEnd(text, at)
    items.push(text.slice(at, end))
    at = skip(text, end)
  }
  return { items, end: at + 1 }
}

/**
 * Visits the members of the object that opens at `from`.
 * @param visit gets the key as it is written, without its quotes, and where the value begins; returns where the value ends
 * @returns where the object ends
 */
function eachMember(text: string, from: number, visit: (key: string, valueFrom: number) => number): number {
  let at = skip(text, from + 1)
  while (text.charCodeAt(at) !== CLOSE_OBJECT) {
    const keyEnd = stringEnd(text, at)
    const colon = text.indexOf(':', keyEnd)
    at = skip(text, visit(text.slice(at + 1, keyEnd - 1), skip(text, colon + 1)))
  }
  return at + 1
}

/** Puts keys back as they were sent: the engine has dots in keys as %2E. Values are left alone. */
export function decodeKeys(text: string): string {
  if (!text.includes('%2')) return text
  let out = ''
  let copied = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    const end = stringEnd(text, at)
    if (text.charCodeAt(skip(text, end)) === COLON) {
      out += text.slice(copied, at) + JSON.stringify(readKey(text.slice(at + 1, end - 1)))
      copied = end
    }
    at = end
  }
  return out + text.slice(copied)
}

/** @param written a key as {@link eachMember} gives it; @returns the key as it was sent */
function readKey(written: string): string {
  return decodeKey(JSON.parse(`"${written}"`) as string)
}

/**
 * @param cell the whole event, or a pair of it and its rest: JSON text by the path of each member
 * @returns the whole event, with keys as the engine has them
 */
export function wholeEvent(cell: string): string {
  if (!cell.startsWith('[')) return cell
  const [event = '{}'] = readArray(cell, 0).items
  return restOf(cell).reduce((whole, [path, value]) => withMember(whole, path.split('.'), value), event)
}

/**
 * @param object with keys as they were sent
 * @param cell as that of {@link wholeEvent}
 * @param without paths of members that are left out
 * @returns the object with the rest of the event
 */
export function withRest(object: string, cell: string, without: ReadonlySet<string>): string {
  const added = restOf(cell).filter(([path]) => !without.has(path))
  return added.reduce((whole, [path, value]) => withMember(whole, path.split('.').map(decodeKey), decodeKeys(value)), object)
}

/** @returns the paths and values of what is beside the event, as the engine has them */
function restOf(cell: string): [path: string, value: string][] {
  const members: [string, string][] = []
  if (!cell.startsWith('[')) return members
  const rest = readArray(cell, 0).items[1] ?? '{}'
  eachMember(rest, 0, (path, from) => {
    const end = stringEnd(rest, from)
    members.push([readText(path), readText(rest.slice(from + 1, end - 1))])
    return end
  })
  return members
}

const readText = (written: string) => JSON.parse(`"${written}"`) as string

/** @param keys spelled as those of the object. @returns the object with a value in this place */
function withMember(object: string, [key = '', ...below]: readonly string[], value: string): string {
  let found: { from: number; to: number } | undefined
  const end = eachMember(object, 0, (written, from) => {
    const to = valueEnd(object, from)
    if (below.length > 0 && object[from] === '{' && readText(written) === key) found = { from, to }
    return to
  })
  if (found)
    return object.slice(0, found.from) + withMember(object.slice(found.from, found.to), below, value) + object.slice(found.to)
  const nested = below.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, value)
  const separator = object.slice(0, end - 1).trim() === '{' ? '' : ','
  return `${object.slice(0, end - 1)}${separator}${JSON.stringify(key)}:${nested}}`
}

interface Node {
  readonly children: Map<string, Node>
  /** Keys as the engine writes them, remembered so that each is decoded once. */
  readonly written: Map<string, Node | undefined>
  column: number
}

const newNode = (): Node => ({ children: new Map(), written: new Map(), column: -1 })

function childOf(node: Node, key: string): Node {
  const child = node.children.get(key) ?? newNode()
  node.children.set(key, child)
  return child
}

type TakeFields = (event: string, row: string[]) => void

/**
 * @param fields names of fields with the column that each goes to
 * @returns a function that sets `row[column]` for the fields the event has
 */
export function createTaker(fields: readonly { name: string; column: number }[]): TakeFields {
  const root = newNode()
  for (const { name, column } of fields) fieldKeys(name).reduce(childOf, root).column = column
  const find = (node: Node, written: string): Node | undefined => {
    const known = node.written.get(written)
    if (known || node.written.has(written)) return known
    const child = node.children.get(readKey(written))
    node.written.set(written, child)
    return child
  }
  const take = (event: string, from: number, node: Node, row: string[]): number =>
    eachMember(event, from, (key, valueFrom) => {
      const child = find(node, key)
      const hasFields = child !== undefined && child.children.size > 0 && event[valueFrom] === '{'
      const end = hasFields ? take(event, valueFrom, child, row) : valueEnd(event, valueFrom)
      // A map that has fields of its own, from before it was one, is shown whole beside them.
      if (child && child.column >= 0) row[child.column] = decodeKeys(event.slice(valueFrom, end))
      return end
    })
  return (event, row) => void take(event, 0, root, row)
}

/**
 * @param columns names of columns, dotted where the value belongs into an object
 * @returns a function that writes one row as a nested object; null is left out, as it is in stored events
 */
export function createNester(columns: readonly { name: string; column: number }[]): (row: readonly string[]) => string {
  const root = newNode()
  for (const { name, column } of columns) fieldKeys(name).reduce(childOf, root).column = column
  const membersOf = (node: Node, row: readonly string[], prefix: string): string[] =>
    [...node.children].flatMap(([key, child]) => {
      const own = row[child.column] ?? 'null'
      const name = prefix + key
      if (own === 'null') {
        const inner = child.children.size > 0 ? membersOf(child, row, '') : []
        return inner.length > 0 ? [`${JSON.stringify(name)}:{${inner.join(',')}}`] : []
      }
      // Computed columns such as `a` and `a.b` cannot both have their place; the second keeps its dotted name.
      return [`${JSON.stringify(name)}:${own}`, ...membersOf(child, row, `${name}.`)]
    })
  return (row) => `{${membersOf(root, row, '').join(',')}}`
}
