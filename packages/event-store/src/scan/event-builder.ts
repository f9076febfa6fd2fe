/**
 * Takes one event from its members, without JSON between, under the fields that the scanner would find in its JSON. It knows only what
 * most events have: fields and keys that were seen before, numbers, strings, booleans and arrays of strings. Any other event is not
 * complete: it has to be written as JSON, and the scanner says what becomes of it, so that its rules are said once.
 */
import { encodeKey, TYPE_BITS } from '../fields/field.ts'
import { type FieldNode, type FieldTransaction, type FieldTree, hashKey, nextObject } from '../fields/field-tree.ts'
import { EventValues, RAW } from './event-shape.ts'
import { type EventMembers, type EventValue, isArray, membersText } from './event-text.ts'
import { FIELD_NAME_BYTES_MAX } from './limits.ts'

const { integer: INTEGER, float: FLOAT, string: STRING, boolean: BOOLEAN, array: ARRAY, 'map[string]': MAP } = TYPE_BITS
const TYPES = INTEGER | FLOAT | STRING | BOOLEAN | ARRAY

/** How much an event may have. It is far below all limits of values, so that none need be checked. */
const EVENT_BYTES_MAX = 131_072
const BUFFER_BYTES_MIN = 4_096
const NUMBER_BYTES = 8
const TWO_32 = 4_294_967_296
const [INT64_MIN, INT64_MAX] = [-(2n ** 63n), 2n ** 63n - 1n]
/** Strings that are the same in JSON. */
const WITHOUT_ESCAPES = /^[ !#-[\]-\uD7FF]*$/
const HALF_OF_PAIR = /\p{Surrogate}/u
/** A key of this many characters is not too long in any alphabet. */
const MAP_KEY_MAX = FIELD_NAME_BYTES_MAX / 3
/** A longer string is copied faster by a call than character by character. */
const COPIED_BY_HAND_MAX = 32
const ASCII_MAX = 0x7f
/** A double as the halves of its bits, on a machine whose lower half is first. */
const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

export interface BuiltEvent {
  /** Nanoseconds since the epoch; absent where the event has no time of its own. */
  readonly timeNs: bigint | undefined
  readonly members: EventMembers
  /** More members, which other events have too. */
  readonly shared: EventMembers
}

export class EventBuilder {
  readonly values = new EventValues()
  isComplete = true
  /** About how much the values take. */
  bytes = 0
  readonly #tree: FieldTree
  readonly #transaction: FieldTransaction
  #buf: Buffer = Buffer.allocUnsafe(BUFFER_BYTES_MIN)
  #end = 0
  #parent: FieldNode
  /** The key that was read last in the object, after which most events have the same one as before. */
  #before: FieldNode | undefined
  #serial = 0

  constructor(tree: FieldTree, transaction: FieldTransaction) {
    this.#tree = tree
    this.#transaction = transaction
    this.#parent = tree.root
  }

  /** The bytes of the values. */
  get buf(): Buffer {
    return this.#buf
  }

  /** Takes the members of the next event. */
  build({ members, shared }: BuiltEvent): void {
    this.values.clear()
    this.isComplete = true
    this.bytes = 0
    this.#parent = this.#tree.root
    this.#before = undefined
    this.#serial = nextObject()
    this.#end = 0
    this.#addMembers(members)
    this.#addMembers(shared)
  }

  #addMembers(members: EventMembers): void {
    for (const name in members) {
      const value = members[name]
      if (value === undefined) continue
      const node = this.#find(name)
      if (node) this.#addValue(node, value)
      else this.isComplete = false
      if (!this.isComplete) return
    }
  }

  #addValue(node: FieldNode, value: EventValue): void {
    if (typeof value === 'string') this.#addText(node, STRING | RAW, value)
    else if (typeof value === 'bigint') this.#addWhole(node, value)
    else if (typeof value === 'boolean') this.#add(node, BOOLEAN | RAW, value ? 1 : 0, 0, 1)
    else if (typeof value === 'number') {
      double[0] = value
      if (Number.isFinite(value)) this.#add(node, FLOAT | RAW, halves[0] as number, halves[1] as number, NUMBER_BYTES)
    } else if (isArray(value)) this.#addStrings(node, value)
    else if (value !== null) this.#addObject(node, value)
  }

  #addObject(node: FieldNode, members: EventMembers): void {
    if (node.isMap) {
      this.#addMap(node, members)
      return
    }
    const parent = this.#parent
    const before = this.#before
    this.#before = undefined
    this.#parent = node
    this.#addMembers(members)
    this.#parent = parent
    this.#before = before
  }

  #addMap(node: FieldNode, members: EventMembers): void {
    const text = membersText(members, encodeKey)
    this.bytes += text.length
    const isPlain = Object.entries(members).every(([key, value]) => key.length <= MAP_KEY_MAX && isPlainValue(value))
    if (!isPlain || this.bytes > EVENT_BYTES_MAX) this.isComplete = false
    this.#transaction.note(node, MAP)
    this.values.rest.push({ node, text: Buffer.from(`{${text}}`) })
  }

  #addWhole(node: FieldNode, value: bigint): void {
    const number = Number(value)
    if (Number.isSafeInteger(number)) this.#add(node, INTEGER | RAW, number | 0, Math.floor(number / TWO_32), NUMBER_BYTES)
    else if (value < INT64_MIN || value > INT64_MAX) this.isComplete = false
    else this.#addText(node, INTEGER, String(value))
  }

  /** Adds an array, which is to have only strings, as the arguments of a process are. */
  #addStrings(node: FieldNode, items: readonly EventValue[]): void {
    const areStrings = items.every((item) => typeof item === 'string' && WITHOUT_ESCAPES.test(item))
    if (!areStrings || items.length === 0) this.isComplete = false
    else this.#addText(node, ARRAY | STRING, JSON.stringify(items))
  }

  #addText(node: FieldNode, kind: number, text: string): void {
    const most = text.length * 3
    if (this.bytes + most > EVENT_BYTES_MAX) {
      this.isComplete = false
      return
    }
    const from = this.#end
    if (from + most > this.#buf.length) {
      const larger = Buffer.allocUnsafe(Math.max(from + most, this.#buf.length * 2))
      this.#buf.copy(larger, 0, 0, from)
      this.#buf = larger
    }
    const length = writeText(this.#buf, text, from)
    // Half of a surrogate pair is no character.
    if (length !== text.length && HALF_OF_PAIR.test(text)) this.isComplete = false
    this.#end = from + length
    this.#add(node, kind, from, this.#end, length)
  }

  #add(node: FieldNode, kind: number, from: number, to: number, bytes: number): void {
    this.bytes += bytes
    if (this.bytes > EVENT_BYTES_MAX) this.isComplete = false
    this.#transaction.note(node, kind & TYPES & ((kind & ARRAY) === 0 ? TYPES : ARRAY))
    this.values.add(node, kind, from, to)
  }

  /** An object that has a field twice is not complete. */
  #see(node: FieldNode): void {
    if (node.seenIn === this.#serial) this.isComplete = false
    node.seenIn = this.#serial
  }

  /** Goes to the member with this name of the object that is open. @returns nothing where there is none */
  #find(name: string): FieldNode | undefined {
    const before = this.#before
    const expected = before ? before.follower : this.#parent.firstChild
    const isExpected = expected !== undefined && expected.plainKey === name && !expected.isPruned
    const found = isExpected ? expected : this.#findChild(name)
    if (!found) return undefined
    if (before) before.follower = found
    else this.#parent.firstChild = found
    this.#before = found
    const node = found.alias ?? found
    this.#see(node)
    return found.nameBytes > FIELD_NAME_BYTES_MAX ? undefined : node
  }

  #findChild(name: string): FieldNode | undefined {
    const key = Buffer.from(name)
    const found = this.#parent.find(hashKey(key, 0, key.length), key, 0, key.length)
    return found?.plainKey === name && !found.isPruned ? found : undefined
  }
}

/** Whether the scanner can have nothing against it. */
function isPlainValue(value: EventValue | undefined): boolean {
  if (typeof value === 'string') return !HALF_OF_PAIR.test(value)
  return typeof value === 'bigint' ? Number.isSafeInteger(Number(value)) : typeof value !== 'object'
}

/** @returns how many bytes were written */
function writeText(buf: Buffer, text: string, from: number): number {
  const { length } = text
  if (length > COPIED_BY_HAND_MAX) return buf.write(text, from)
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > ASCII_MAX) return buf.write(text, from)
    buf[from + i] = code
  }
  return length
}
