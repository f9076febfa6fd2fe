/**
 * The fields of one dataset as a tree of keys, each with the types seen in it: what the scanner walks while it reads an event. A request
 * adds fields in a transaction: all of them, or none. In memory only; the dataset holds the tree, and the event writer saves its new
 * fields.
 */
import { ARRAY_KINDS, encodeKey, fieldKeys, fieldName, isEncodedKey, RESERVED_NAMES } from './field.ts'

export class FieldNode {
  readonly parent: FieldNode | undefined
  /** The key as JSON text without its quotes, UTF-8. */
  readonly key: Buffer
  /** The key as it is stored, JSON text with quotes, where that differs from the text sent. */
  readonly storedKey: Buffer | undefined
  /** A reserved name stands for the node of its `_user…` name. */
  readonly alias: FieldNode | undefined
  readonly name: string
  readonly nameBytes: number
  /** Types already part of the dataset. */
  types = 0
  /** Kinds of arrays seen, also by requests under way: these share an insert with others. */
  arrayKinds = 0
  /** Requests under way that bring this field. */
  claims = 0
  /** Requests under way that hold on to this node whether or not it becomes a field (labels, the time field). */
  holds = 0
  /** The object this key was last seen in: tells a duplicate key without a set per object. */
  seenIn = 0
  /** The first key that was read last in an object of this field, and the key that was read last after this one. */
  firstChild: FieldNode | undefined = undefined
  follower: FieldNode | undefined = undefined
  /** Whether an object in it is one value, whose keys are no fields. */
  isMap = false
  /** Whether it has left the tree, so that another node may be in its place. */
  isPruned = false
  readonly #children = new Map<number, FieldNode[]>()

  constructor(parent: FieldNode | undefined, keyText: string) {
    const key = parent ? (JSON.parse(`"${keyText}"`) as string) : ''
    this.parent = parent
    this.key = Buffer.from(keyText)
    this.storedKey = isEncodedKey(key) ? Buffer.from(JSON.stringify(encodeKey(key))) : undefined
    this.name = parent ? (parent.parent ? `${parent.name}.` : '') + fieldName([key]) : ''
    this.nameBytes = Buffer.byteLength(this.name)
    if (parent && !parent.parent && RESERVED_NAMES.has(key)) {
      const name = `_user${key}`
      this.alias = parent.childOf(name)
      this.storedKey = Buffer.from(JSON.stringify(name))
    }
  }

  /** The child whose key has these bytes; the hash is that of {@link hashKey}. */
  find(hash: number, bytes: Buffer, from: number, to: number): FieldNode | undefined {
    const bucket = this.#children.get(hash)
    if (!bucket) return undefined
    for (const node of bucket) if (isSame(node.key, bytes, from, to)) return node
    return undefined
  }

  /** The child of this key text (JSON, no quotes), made if it is new. */
  childOf(keyText: string): FieldNode {
    const bytes = Buffer.from(keyText)
    const hash = hashKey(bytes, 0, bytes.length)
    const found = this.find(hash, bytes, 0, bytes.length)
    if (found) return found
    const node = new FieldNode(this, keyText)
    const bucket = this.#children.get(hash)
    if (bucket) bucket.push(node)
    else this.#children.set(hash, [node])
    return node
  }

  /** Forgets this node and then its parents, as far as nothing needs them. */
  prune(): void {
    if (!this.parent || this.types !== 0 || this.claims !== 0 || this.holds !== 0 || this.#children.size > 0) return
    this.isPruned = true
    const hash = hashKey(this.key, 0, this.key.length)
    const rest = (this.parent.#children.get(hash) ?? []).filter((node) => node !== this)
    if (rest.length > 0) this.parent.#children.set(hash, rest)
    else this.parent.#children.delete(hash)
    this.parent.prune()
  }

  *fields(): Iterable<FieldNode> {
    if (this.types !== 0) yield this
    for (const bucket of this.#children.values()) for (const node of bucket) yield* node.fields()
  }
}

/** FNV-1a over the bytes of a key. */
export function hashKey(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193)
  return hash
}

function isSame(key: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (key.length !== to - from) return false
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[from + i]) return false
  return true
}

export class FieldTree {
  readonly root = new FieldNode(undefined, '')
  /** Fields of the dataset and those that requests under way would add. */
  size = 0
  readonly fieldsMax: number
  #maps: readonly FieldNode[] = []
  /** Nodes that every request asks for, so they stay whether or not they are fields: `_time`, and the contract's wrapper. */
  readonly time = this.#kept('_time')
  readonly wrapTime = this.#kept('time')
  readonly wrapRest: ReadonlySet<FieldNode> = new Set([this.#kept('data'), this.#kept('labels')])

  constructor(fieldsMax: number) {
    this.fieldsMax = fieldsMax
  }

  /** The node of a field's name, made if it is new. */
  nodeOf(name: string): FieldNode {
    return fieldKeys(name).reduce((node, key) => node.childOf(JSON.stringify(key).slice(1, -1)), this.root)
  }

  /** Says which fields are maps, and that no others are. */
  setMaps(names: readonly string[]): void {
    const nodes = names.map((name) => this.nodeOf(name))
    for (const node of nodes) node.holds++
    for (const node of this.#maps) {
      node.isMap = false
      node.holds--
      node.prune()
    }
    for (const node of nodes) node.isMap = true
    this.#maps = nodes
  }

  /** Takes over types that are saved already; a request under way may bring the same field, and has it counted then. */
  load(name: string, bits: number): void {
    const node = this.nodeOf(name)
    if (node.types === 0 && node.claims === 0) this.size++
    node.types |= bits
    node.arrayKinds |= bits & ARRAY_KINDS
  }

  #kept(key: string): FieldNode {
    const node = this.root.childOf(key)
    node.holds++
    return node
  }
}

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
