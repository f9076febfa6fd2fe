/**
 * The fields of one dataset as a tree of keys with the types seen in them, which the scanner walks while it reads an event. A request
 * adds fields in a transaction, all of them or none. The tree is in memory only; the event writer saves new fields.
 */
import { enginePath, fieldKeys, fieldName, IN_REST, RESERVED_NAMES, UNLISTED } from './field.ts'

/** The number of objects read so far. Fields are shared by all that read events, and remember by it in which object they were seen. */
let objects = 0

/** @returns what tells an object from all others in {@link FieldNode.seenIn} */
export const nextObject = (): number => ++objects

export class FieldNode {
  readonly parent: FieldNode | undefined
  /** The key as JSON text without its quotes, and that in UTF-8. */
  readonly keyText: string
  readonly key: Buffer
  /** The key as it is, if that is its JSON text. */
  readonly plainKey: string | undefined
  /** For a reserved name, the node of its `_user…` name. */
  readonly alias: FieldNode | undefined
  readonly name: string
  readonly nameBytes: number
  /** Its path in the engine, in UTF-8. */
  readonly path: Buffer
  /** The types that are already part of the dataset. */
  types = 0
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
  /** By their keys as JSON text. */
  readonly #children = new Map<string, FieldNode>()

  constructor(parent: FieldNode | undefined, keyText: string) {
    const key = parent ? (JSON.parse(`"${keyText}"`) as string) : ''
    this.parent = parent
    this.keyText = keyText
    this.key = Buffer.from(keyText)
    this.plainKey = key === keyText ? key : undefined
    this.name = parent ? (parent.parent ? `${parent.name}.` : '') + fieldName([key]) : ''
    this.nameBytes = Buffer.byteLength(this.name)
    this.path = Buffer.from(enginePath(this.name))
    if (parent && !parent.parent && RESERVED_NAMES.has(key)) this.alias = parent.childOf(`_user${key}`)
  }

  /** Finds the child of this key (JSON text without quotes). */
  find(keyText: string): FieldNode | undefined {
    return this.#children.get(keyText)
  }

  /** Returns the child of this key, which is created if it is new. */
  childOf(keyText: string): FieldNode {
    const found = this.#children.get(keyText)
    if (found) return found
    const node = new FieldNode(this, keyText)
    this.#children.set(keyText, node)
    return node
  }

  /** The member of the event that it is in. */
  get top(): FieldNode {
    return this.parent?.parent ? this.parent.top : this
  }

  /** Removes this node and then its parents, unless something needs them. */
  prune(): void {
    if (!this.parent || this.isPruned || this.#children.size > 0) return
    if (this.types !== 0 || this.claims !== 0 || this.holds !== 0) return
    this.isPruned = true
    this.parent.#children.delete(this.keyText)
    this.parent.prune()
  }

  *fields(): Iterable<FieldNode> {
    if (this.types !== 0) yield this
    for (const node of this.#children.values()) yield* node.fields()
  }
}

/** The names under which loggers and shippers send the time of an event. */
const LIKELY_TIMES = ['@timestamp', 'timestamp', 'time', 'ts', '__REALTIME_TIMESTAMP']

/** The share of the fields from which on people are told. */
const CROWDED = 0.8

export class FieldTree {
  readonly root = new FieldNode(undefined, '')
  /** How many fields the dataset has, including those that requests under way add. */
  size = 0
  readonly fieldsMax: number
  /** Whether events have members that are no fields. */
  hasUnlisted = false
  #maps: readonly FieldNode[] = []
  /** These nodes stay whether or not they are fields, because every request needs them: `_time`, and the contract's wrapper. */
  readonly time = this.#permanent('_time')
  readonly wrapTime = this.#permanent('time')
  readonly wrapRest: ReadonlySet<FieldNode> = new Set([this.#permanent('data'), this.#permanent('labels')])
  /** The members that are likely to be the time of an event without `_time`; the first one that can be read counts. */
  readonly likelyTimes: readonly FieldNode[] = LIKELY_TIMES.map((key) => this.#permanent(key))

  constructor(fieldsMax: number) {
    this.fieldsMax = fieldsMax
  }

  /** Whether it has four fifths of the fields that it may have. */
  get isCrowded(): boolean {
    return this.size >= this.fieldsMax * CROWDED
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
  }

  /** Adds types that are saved already, or with none removes a field. If a request under way adds the same field, it stays counted. */
  load(name: string, bits: number): void {
    if (name === UNLISTED) {
      this.hasUnlisted = true
      return
    }
    const node = this.nodeOf(name)
    if (node.claims === 0) this.size += Number(bits !== 0) - Number(node.types !== 0)
    node.types = bits === 0 ? 0 : node.types | bits
    node.prune()
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
  #notes: (readonly [node: FieldNode, bits: number])[] = []
  #made: FieldNode[] = []
  readonly #held: FieldNode[] = []
  /** Whether an event had members that are no fields. */
  #hasUnlisted = false

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
  note(node: FieldNode, bits: number): void {
    if ((node.types & bits) !== bits) this.#notes.push([node, bits])
  }

  /**
   * Accepts the fields of the event.
   * @returns those that the dataset has no place for, if there are any: they do not become fields
   */
  acceptEvent(): ReadonlySet<FieldNode> | undefined {
    let unlisted: Set<FieldNode> | undefined
    for (const [node, noted] of this.#notes) {
      const bits = noted | (node.types === 0 && this.#tree.hasUnlisted ? IN_REST : 0)
      const known = this.#added.get(node)
      if (known === undefined) {
        if (node.types === 0 && node.claims === 0) {
          if (this.#tree.size >= this.#tree.fieldsMax) {
            unlisted ??= new Set()
            unlisted.add(node)
            continue
          }
          this.#tree.size++
        }
        node.claims++
      }
      this.#added.set(node, (known ?? 0) | bits)
    }
    if (unlisted) this.#hasUnlisted = true
    this.rejectEvent()
    return unlisted
  }

  /** Makes the request's fields part of the dataset. @returns the new fields with their added types */
  commit(): { name: string; bits: number }[] {
    const fresh: { name: string; bits: number }[] = []
    if (this.#hasUnlisted && !this.#tree.hasUnlisted) {
      this.#tree.hasUnlisted = true
      fresh.push({ name: UNLISTED, bits: IN_REST })
    }
    for (const [node, bits] of this.#added) {
      node.claims--
      const added = bits & ~node.types
      if (node.types === 0 && added === 0) continue
      node.types |= bits
      if (added !== 0) fresh.push({ name: node.name, bits: added })
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

  /** Ends the event, and discards the fields of it that were not accepted. */
  rejectEvent(): void {
    if (this.#notes.length > 0) this.#notes = []
    if (this.#made.length > 0) for (const node of this.#made.splice(0)) node.prune()
  }
}
