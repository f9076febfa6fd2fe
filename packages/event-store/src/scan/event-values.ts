/** The values of an event, each as JSON between two positions of a buffer. */
import type { FieldNode } from '../fields/field-tree.ts'

/** A bit beside the type: a string, or one in an array, has escapes. */
export const ESCAPED = 1 << 21

export interface Value {
  node: FieldNode
  /** Type bits; for an array also those of its elements. */
  kind: number
  from: number
  to: number
}

/** A value that is not in the column `data`. */
interface RestValue {
  node: FieldNode
  /** As JSON. */
  text: Buffer
}

export class EventValues {
  /** The first {@link length} are those of the event; the others are reused. */
  items: Value[]
  length: number
  rest: RestValue[]

  constructor(items: Value[] = [], rest: RestValue[] = []) {
    this.items = items
    this.length = items.length
    this.rest = rest
  }

  add(node: FieldNode, kind: number, from: number, to: number): void {
    const value = this.items[this.length++]
    if (value) {
      value.node = node
      value.kind = kind
      value.from = from
      value.to = to
    } else this.items.push({ node, kind, from, to })
  }

  /** @returns the value of the field, if the event has one outside of its rest */
  find(node: FieldNode): Value | undefined {
    for (let i = 0; i < this.length; i++) if (this.items[i]?.node === node) return this.items[i]
    return undefined
  }

  clear(): void {
    this.length = 0
    if (this.rest.length > 0) this.rest = []
  }

  /** Moves the values of these fields to the rest. @param textAt returns the JSON between two positions */
  takeOut(nodes: ReadonlySet<FieldNode>, textAt: (from: number, to: number) => Buffer): void {
    const all = this.items.slice(0, this.length)
    for (const { node, from, to } of all) if (nodes.has(node)) this.rest.push({ node, text: textAt(from, to) })
    this.items = all.filter(({ node }) => !nodes.has(node))
    this.length = this.items.length
  }

  /** @returns the values of members that the event `objectId` does not have, as {@link FieldNode.seenIn} says */
  absentFrom(objectId: number): EventValues {
    const isAbsent = ({ node }: { node: FieldNode }) => node.top.seenIn !== objectId
    return new EventValues(this.items.slice(0, this.length).filter(isAbsent), this.rest.filter(isAbsent))
  }
}

/** The values of an event, and the buffer that has them. */
export interface SourcedValues {
  readonly buf: Buffer
  readonly values: EventValues
}
