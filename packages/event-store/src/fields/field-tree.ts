/**
 * The fields of one dataset as a tree of keys with the types seen in them, which the scanner walks while it reads an event. A request
 * adds fields in a transaction, all of them or none. The tree is in memory only; the event writer saves new fields.
 */
import { ARRAY_KINDS, encodeKey, fieldKeys, fieldName, isEncodedKey, RESERVED_NAMES } from './field.ts'

/** How many bytes the remembered keys of one map may take; an id that is used as a key would otherwise fill the memory. */
const MAP_KEYS_BYTES_MAX = 1_048_576
/** What a key takes beside its name, roughly. */
const KEY_BYTES = 512

/** The number of objects read so far. Fields are shared by all that read events, and remember by it in which object they were seen. */
let objects = 0

/** @returns what tells an object from all others in {@link FieldNode.seenIn} */
export const nextObject = (): number => ++objects

export class FieldNode {
  readonly parent: FieldNode | undefined
  /** The key as JSON text without its quotes, in UTF-8. */
  readonly key: Buffer
  /** The key as it is, if that is its JSON text. */
  readonly plainKey: string | undefined
  /** The key as it is stored, JSON text with quotes, if that differs from the sent text. */
  readonly storedKey: Buffer | undefined
  /** For a reserved name, the node of its `_user…` name. */
  readonly alias: FieldNode | undefined
  readonly name: string
  readonly nameBytes: number
  /** The types that are already part of the dataset. */
  types = 0
  /** The kinds of arrays seen, including those of requests under way, because these share an insert with others. */
  arrayKinds = 0
  /** How many requests under way add this field. */
  claims = 0
  /** How many requests under way hold this node whether or not it becomes a field, for labels or the time field. */
  holds = 0
  /** The object in which this key was last seen, which detects duplicate keys without a set per object. */
  seenIn = 0
  /** The first key of the object that was last read in this field, and the key that was last read after this one. */
  firstChild: FieldNode | undefined = undefined
  follower: FieldNode | undefined = undefined
  /** Whether an object in it is one value, whose keys are no fields. */
  isMap = false
  /** Whether it was removed from the tree, so that another node may have replaced it. */
  isPruned = false
  #keys: FieldNode | undefined
  readonly #children = new Map<number, FieldNode[]>()
  #bytesBelow = 0

  constructor(parent: FieldNode | undefined, keyText: string) {
    const key = parent ? (JSON.parse(`"${keyText}"`) as string) : ''
    this.parent = parent
    this.key = Buffer.from(keyText)
    this.plainKey = key === keyText ? key : undefined
    this.storedKey = isEncodedKey(key) ? Buffer.from(JSON.stringify(encodeKey(key))) : undefined
    this.name = parent ? (parent.parent ? `${parent.name}.` : '') + fieldName([key]) : ''
    this.nameBytes = Buffer.byteLength(this.name)
    if (parent && !parent.parent && RESERVED_NAMES.has(key)) {
      const name = `_user${key}`
      this.alias = parent.childOf(name)
      this.storedKey = Buffer.from(JSON.stringify(name))
    }
  }

  /** Finds the child whose key has these bytes; the hash is that of {@link hashKey}. */
  find(hash: number, bytes: Buffer, from: number, to: number): FieldNode | undefined {
    const bucket = this.#children.get(hash)
    if (!bucket) return undefined
    for (const node of bucket) if (isSame(node.key, bytes, from, to)) return node
    return undefined
  }

  /** Returns the child of this key (JSON text without quotes), which is created if it is new. */
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

  /**
   * The root of the keys that were seen in a map, which are no fields and no part of the tree. They are remembered so that the next
   * event makes no new ones, and forgotten once they are many.
   */
  get mapKeys(): FieldNode {
    if (!this.#keys || this.#keys.#bytesBelow > MAP_KEYS_BYTES_MAX) this.#keys = new FieldNode(this.parent, this.key.toString())
    return this.#keys
  }

  /** Counts a new key against the limit of {@link mapKeys}. */
  countKey(key: FieldNode): void {
    this.#bytesBelow += key.nameBytes + KEY_BYTES
  }

  /** Removes this node and then its parents, unless something needs them. */
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

/** Returns the FNV-1a hash of the bytes of a key. */
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
  /** How many fields the dataset has, including those that requests under way add. */
  size = 0
  readonly fieldsMax: number
  /** Changes with the map fields. */
  mapsVersion = 0
  #maps: readonly FieldNode[] = []
  /** These nodes stay whether or not they are fields, because every request needs them: `_time`, and the contract's wrapper. */
  readonly time = this.#permanent('_time')
  readonly wrapTime = this.#permanent('time')
  readonly wrapRest: ReadonlySet<FieldNode> = new Set([this.#permanent('data'), this.#permanent('labels')])

  constructor(fieldsMax: number) {
    this.fieldsMax = fieldsMax
  }

  /** Returns the node of a field's name, which is created if it is new. */
  nodeOf(name: string): FieldNode {
    return fieldKeys(name).reduce((node, key) => node.childOf(JSON.stringify(key).slice(1, -1)), this.root)
  }

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
    this.mapsVersion++
  }

  /** Adds types that are saved already. If a request under way adds the same field, it stays counted. */
  load(name: string, bits: number): void {
    const node = this.nodeOf(name)
    if (node.types === 0 && node.claims === 0) this.size++
    node.types |= bits
    node.arrayKinds |= bits & ARRAY_KINDS
  }

  #permanent(key: string): FieldNode {
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

  /** Returns the node of a key under `parent`, which is created if it is new and removed again unless the event is accepted. */
  child(parent: FieldNode, keyText: string): FieldNode {
    const node = parent.childOf(keyText)
    this.#made.push(node)
    return node
  }

  /** Keeps a node in the tree for as long as the request lasts. */
  hold(node: FieldNode): FieldNode {
    node.holds++
    this.#held.push(node)
    return node
  }

  /** Notes that the event being read has a value of these types. */
  note(node: FieldNode, bit: number): void {
    if ((node.types & bit) === bit) return
    this.#nodes.push(node)
    this.#bits.push(bit)
  }

  /** Passes the notes to `take` and forgets them. */
  takeNotes(take: (node: FieldNode, bit: number) => void): void {
    for (let i = 0; i < this.#nodes.length; i++) take(this.#nodes[i] as FieldNode, this.#bits[i] as number)
    this.rejectEvent()
  }

  /** Accepts the fields of the event, all or none. @returns the name of the field that would exceed the limit */
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

  /** Discards the new fields of the event. */
  rejectEvent(): void {
    this.#clear()
  }

  /** Makes the request's fields part of the dataset. @returns the new fields with their added types */
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

  /** Ends the transaction, and releases everything that was not committed. */
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

  /** Releases the claims of the first `count` entries of a refused event. */
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
