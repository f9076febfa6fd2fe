/**
 * Takes the values of one event from a form that is no JSON, under the fields that the scanner would find in its JSON. It knows only what
 * most events have: fields and keys that were seen before, numbers, strings, booleans and arrays of strings. Any other event is not
 * complete: it has to be written as JSON, and the scanner says what becomes of it, so that its rules are said once.
 * Deliberately not here: the form.
 */
import { TYPE_BITS } from '../fields/field.ts'
import { type FieldNode, type FieldTransaction, type FieldTree, hashKey, nextObject } from '../fields/field-tree.ts'
import { EventValues, MADE, RAW } from './event-shape.ts'
import { BACKSLASH } from './json-reader.ts'
import { FIELD_NAME_BYTES_MAX } from './limits.ts'

const { integer: INTEGER, float: FLOAT, string: STRING, boolean: BOOLEAN, array: ARRAY, 'map[string]': MAP } = TYPE_BITS
const TYPES = INTEGER | FLOAT | STRING | BOOLEAN | ARRAY
/** A bit beside the type: the value is in a map, whose keys are no fields. */
const IN_MAP = 1 << 26

/** How much an event may have. It is far below all limits of values, so that none need be checked. */
const EVENT_BYTES_MAX = 131_072
const MADE_BYTES_MIN = 4_096
const INT64_MAX = '9223372036854775807'

/** Values that several events have, from their beginning on. */
export interface SharedValues {
  readonly values: EventValues
  readonly maps: readonly FieldNode[]
  readonly bytes: number
  readonly isComplete: boolean
  readonly mapsVersion: number
}

export class EventBuilder {
  readonly buf: Buffer
  values = new EventValues()
  /** Nanoseconds since the epoch, decimal. */
  timeNs: string | undefined
  isComplete = true
  /** About how much the values take. */
  bytes = 0
  readonly #tree: FieldTree
  readonly #transaction: FieldTransaction
  #made: Buffer = Buffer.allocUnsafe(MADE_BYTES_MIN)
  #madeTo = 0
  /** How much of what was made belongs to shared values. */
  #sharedTo = 0
  #maps: FieldNode[] = []
  #parent: FieldNode
  readonly #parents: FieldNode[] = []
  /** The key that was read last in the object, after which most events have the same one as before. */
  #before: FieldNode | undefined
  /** Whether the open object is a map. */
  #isInMap = false
  #node: FieldNode | undefined
  #serial = 0

  constructor(buf: Buffer, tree: FieldTree, transaction: FieldTransaction) {
    this.buf = buf
    this.#tree = tree
    this.#transaction = transaction
    this.#parent = tree.root
  }

  /** The bytes of values that were made. */
  get made(): Buffer {
    return this.#made
  }

  /** Begins the next event. */
  begin(): void {
    this.values.clear()
    this.timeNs = undefined
    this.isComplete = true
    this.bytes = 0
    this.#madeTo = this.#sharedTo
    this.#maps.length = 0
    this.#parent = this.#tree.root
    this.#parents.length = 0
    this.#before = undefined
    this.#isInMap = false
    this.#serial = nextObject()
  }

  /** Forgets what was made for shared values. */
  startShared(): void {
    this.#sharedTo = 0
  }

  /** @returns what `write` adds, for {@link add}; the event before it is lost. Positions of what it makes stay valid */
  share(write: () => void): SharedValues {
    const own = this.values
    this.values = new EventValues()
    this.#maps = []
    this.begin()
    write()
    this.#transaction.rejectEvent()
    this.#sharedTo = this.#madeTo
    const { values, bytes, isComplete } = this
    const shared = { values, maps: this.#maps, bytes, isComplete, mapsVersion: this.#tree.mapsVersion }
    this.values = own
    this.#maps = []
    return shared
  }

  add(shared: SharedValues): void {
    const { values, maps, isComplete, mapsVersion } = shared
    if (!isComplete || mapsVersion !== this.#tree.mapsVersion) {
      this.isComplete = false
      return
    }
    for (let i = 0; i < values.length; i++) {
      const node = values.nodes[i] as FieldNode
      if (node.isPruned) this.isComplete = false
      this.#see(node)
      this.#addTo(node, values.kinds[i] as number, values.from[i] as number, values.to[i] as number)
    }
    for (const node of maps) this.#transaction.note(node, MAP)
    this.bytes += shared.bytes
  }

  /** Goes to the member with this key of the object that is open. */
  key(bytes: Buffer, from: number, to: number): void {
    this.#node = undefined
    if (!this.isComplete) return
    const before = this.#before
    const expected = before ? before.follower : this.#parent.firstChild
    const found = expected && isKey(expected, bytes, from, to) ? expected : this.#find(bytes, from, to)
    if (!found) {
      this.isComplete = false
      return
    }
    const node = found.alias ?? found
    this.#node = node
    if (found !== expected) {
      if (before) before.follower = found
      else this.#parent.firstChild = found
    }
    this.#before = found
    this.#see(node)
    if ((this.#isInMap ? to - from : found.nameBytes) > FIELD_NAME_BYTES_MAX) this.isComplete = false
  }

  /** Opens an object, which is the value of the key. */
  open(): void {
    const node = this.#node
    if (this.#isInMap) this.isComplete = false
    if (!node || !this.isComplete) return
    this.#parents.push(this.#parent, this.#before as FieldNode)
    this.#before = undefined
    this.#parent = node
    if (!node.isMap) return
    this.#isInMap = true
    this.#parent = node.mapKeys
    this.#maps.push(node)
    this.#transaction.note(node, MAP)
  }

  /** Ends the object that was opened last. */
  close(): void {
    if (!this.isComplete || this.#parents.length === 0) return
    this.#before = this.#parents.pop()
    this.#parent = this.#parents.pop() as FieldNode
    this.#isInMap = false
  }

  /** A string of the buffer: its characters in UTF-8. */
  text(from: number, to: number): void {
    this.#value(STRING | RAW, from, to, to - from)
  }

  /** A string or a whole number of the buffer that is JSON. @param kind as {@link EventValues} has it */
  json(kind: number, from: number, to: number): void {
    this.#value(kind, from, to, to - from)
  }

  integer(low: number, high: number): void {
    this.#value(INTEGER | RAW, low, high, 8)
  }

  float(low: number, high: number): void {
    this.#value(FLOAT | RAW, low, high, 8)
  }

  boolean(value: boolean): void {
    this.#value(BOOLEAN | RAW, value ? 1 : 0, 0, 1)
  }

  /** A string that is not in the buffer, in ASCII. */
  ascii(text: string): void {
    this.#make(STRING | RAW, text)
  }

  /** A whole number, decimal. */
  digits(digits: string): void {
    const { length } = INT64_MAX
    if (digits.length > length || (digits.length === length && digits > INT64_MAX)) this.isComplete = false
    else this.#make(INTEGER, digits)
  }

  /** @param json an array of strings without escapes */
  strings(json: string): void {
    // Arrays of some kinds must not meet in one field, which the scanner knows.
    if (this.#node && this.#node.arrayKinds !== 0) this.isComplete = false
    this.#make(ARRAY | STRING, json)
  }

  #make(kind: number, text: string): void {
    const most = text.length * 3
    if (this.bytes + most > EVENT_BYTES_MAX) {
      this.isComplete = false
      return
    }
    const from = this.#madeTo
    if (from + most > this.#made.length) {
      const larger = Buffer.allocUnsafe(Math.max(from + most, this.#made.length * 2))
      this.#made.copy(larger, 0, 0, from)
      this.#made = larger
    }
    this.#madeTo = from + this.#made.write(text, from)
    this.#value(kind | MADE, from, this.#madeTo, this.#madeTo - from)
  }

  #value(kind: number, from: number, to: number, bytes: number): void {
    const node = this.#node
    if (!node) return
    this.bytes += bytes
    if (this.bytes > EVENT_BYTES_MAX) this.isComplete = false
    this.#addTo(node, this.#isInMap ? kind | IN_MAP : kind, from, to)
  }

  #addTo(node: FieldNode, kind: number, from: number, to: number): void {
    if ((kind & IN_MAP) === 0) this.#transaction.note(node, kind & TYPES & ((kind & ARRAY) === 0 ? TYPES : ARRAY))
    this.values.add(node, kind, from, to)
  }

  /** An object that has a key twice is not complete. */
  #see(node: FieldNode): void {
    if (node.seenIn === this.#serial) this.isComplete = false
    node.seenIn = this.#serial
  }

  #find(bytes: Buffer, from: number, to: number): FieldNode | undefined {
    // A key with this is written otherwise in JSON.
    for (let i = from; i < to; i++) if (bytes[i] === BACKSLASH) return undefined
    const found = this.#parent.find(hashKey(bytes, from, to), bytes, from, to)
    return found?.isPruned ? undefined : found
  }
}

function isKey({ key, isPruned }: FieldNode, bytes: Buffer, from: number, to: number): boolean {
  const { length } = key
  if (isPruned || length !== to - from) return false
  for (let i = 0; i < length; i++) {
    const byte = bytes[from + i]
    if (byte !== key[i] || byte === BACKSLASH) return false
  }
  return true
}
