/**
 * The values of one event, as the scanner has found them: where each is, of which field, and of which type. For the writer
 * of columns; nothing is copied here.
 */
import type { FieldNode } from '../fields/field-tree.ts'
import { TYPE_BITS } from '../fields/field-types.ts'

/** Beside the type: a string, or one in an array, that has escapes. */
export const ESCAPED = 1 << 21

export class EventValues {
  readonly nodes: FieldNode[] = []
  /** Type bits; of an array also that of its elements. */
  readonly kinds: number[] = []
  readonly from: number[] = []
  readonly to: number[] = []
  length = 0
  /** Whether all values are scalars, or arrays of scalars of one type. */
  areSimple = true

  add(node: FieldNode, kind: number, from: number, to: number): void {
    const at = this.length++
    this.nodes[at] = node
    this.kinds[at] = kind
    this.from[at] = from
    this.to[at] = to
  }

  clear(): void {
    this.length = 0
    this.areSimple = true
  }
}

const SIMPLE_ELEMENTS = new Set<number>([TYPE_BITS.string, TYPE_BITS.integer, TYPE_BITS.float, TYPE_BITS.boolean])

/** @param kinds bits of the elements of an array. @returns whether they are scalars of one type */
export function areSimpleElements(kinds: number): boolean {
  return SIMPLE_ELEMENTS.has(kinds)
}
