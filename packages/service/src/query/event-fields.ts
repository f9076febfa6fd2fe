/**
 * Between events and columns: takes fields out of the JSON text of an event, and puts columns together as one.
 * Values are fragments of JSON text throughout; see json-text.ts.
 */
import { fieldKeys } from '@deployment-annotations/event-store/fields/field'
import { decodeKeys, eachMember, readKey, valueEnd } from './json-text.ts'

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
