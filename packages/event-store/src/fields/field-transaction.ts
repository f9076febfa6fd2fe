/**
 * The fields that one request adds to a dataset: all of them, or none.
 *
 * A new field belongs to the request that brought it until that request is stored: it counts against the dataset's
 * limit at once (so that two requests cannot pass it together) and is given back if the request fails.
 */
import type { FieldNode, FieldTree } from './field-tree.ts'
import { ARRAY_KINDS } from './field-types.ts'

export class FieldTransaction implements Disposable {
  readonly #tree: FieldTree
  readonly #added = new Map<FieldNode, number>()
  #nodes: FieldNode[] = []
  #bits: number[] = []
  #made: FieldNode[] = []
  readonly #held: FieldNode[] = []

  constructor(tree: FieldTree) {
    this.#tree = tree
  }

  /** The node of a key under `parent`, created if it is new; it is removed again unless the event is taken. */
  child(parent: FieldNode, keyText: string): FieldNode {
    const node = parent.childOf(keyText)
    this.#made.push(node)
    return node
  }

  /** Keeps a node in its place for as long as the request lasts. */
  hold(node: FieldNode): FieldNode {
    node.holds++
    this.#held.push(node)
    return node
  }

  /** A value of these types was seen in the event being read. */
  note(node: FieldNode, bit: number): void {
    if ((node.types & bit) === bit) return
    this.#nodes.push(node)
    this.#bits.push(bit)
  }

  /** Hands over what was noted and keeps nothing of it. */
  takeNotes(take: (node: FieldNode, bit: number) => void): void {
    for (let i = 0; i < this.#nodes.length; i++) take(this.#nodes[i] as FieldNode, this.#bits[i] as number)
    this.rejectEvent()
  }

  /** Takes the fields of the event, all or none. @returns the name of the field that would be one too many */
  acceptEvent(): string | undefined {
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i] as FieldNode
      if (!this.#added.has(node)) {
        if (node.types === 0 && node.claims === 0) {
          if (this.#tree.size >= this.#tree.fieldsMax) {
            this.#undo(i)
            return node.name
          }
          this.#tree.size++
        }
        node.claims++
        this.#added.set(node, 0)
      }
    }
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[i] as FieldNode
      const bits = this.#bits[i] as number
      this.#added.set(node, (this.#added.get(node) ?? 0) | bits)
      node.arrayKinds |= bits & ARRAY_KINDS
    }
    this.#clear()
    return undefined
  }

  /** The event is not taken: its new names are forgotten. */
  rejectEvent(): void {
    this.#clear()
  }

  /** The request's fields become the dataset's. @returns what is new in it: fields with the types added */
  commit(): { node: FieldNode; bits: number }[] {
    const fresh: { node: FieldNode; bits: number }[] = []
    for (const [node, bits] of this.#added) {
      node.claims--
      const added = bits & ~node.types
      if (node.types === 0 && added === 0) continue
      node.types |= bits
      if (added !== 0) fresh.push({ node, bits: added })
    }
    this.#added.clear()
    return fresh
  }

  /** Ends the transaction. What only it brought and did not {@link commit} is given back. */
  [Symbol.dispose](): void {
    for (const node of this.#added.keys()) {
      node.claims--
      if (node.claims === 0 && node.types === 0) this.#tree.size--
      node.prune()
    }
    this.#added.clear()
    for (const node of this.#held.splice(0)) {
      node.holds--
      node.prune()
    }
    this.rejectEvent()
  }

  /** Takes back the claims that the first `count` entries of a refused event made. */
  #undo(count: number): void {
    for (let i = 0; i < count; i++) {
      const node = this.#nodes[i] as FieldNode
      if (this.#added.get(node) !== 0) continue
      this.#added.delete(node)
      node.claims--
      if (node.claims === 0 && node.types === 0) this.#tree.size--
    }
    this.rejectEvent()
  }

  #clear(): void {
    if (this.#nodes.length > 0) {
      this.#nodes = []
      this.#bits = []
    }
    if (this.#made.length > 0) for (const node of this.#made.splice(0)) node.prune()
  }
}
