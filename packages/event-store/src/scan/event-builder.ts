/**
 * Takes one event from its members, without JSON between, under the fields that the scanner would find in its JSON. It knows only what
 * most events have: fields and keys that were seen before, numbers, strings, booleans and arrays of strings. Any other event is not
 * complete: it has to be written as JSON, and the scanner says what becomes of it, so that its rules are said once.
 */
import { encodeKey, TYPE_BITS } from '../fields/field.ts'
import { type FieldNode, type FieldTransaction, type FieldTree, nextObject } from '../fields/field-tree.ts'
import { type EventMembers, type EventValue, isArray, membersText } from './event-text.ts'
import { EventValues } from './event-values.ts'
import { HALF_OF_PAIR } from './json-reader.ts'
import { FIELD_NAME_BYTES_MAX } from './limits.ts'

const { integer: INTEGER, float: FLOAT, string: STRING, boolean: BOOLEAN, array: ARRAY, 'map[string]': MAP } = TYPE_BITS

/** How much an event may have. It is far below all limits of values, so that none need be checked. */
const EVENT_BYTES_MAX = 131_072
/** The bytes of the values of one event, which become a row before the next one is built. */
const buf = Buffer.allocUnsafe(EVENT_BYTES_MAX)
/** The most bytes of a UTF-16 code unit in UTF-8. */
const BYTES_OF_UNIT_MAX = 3
/** Strings that are the same in JSON. */
const WITHOUT_ESCAPES = /^[ !#-[\]-\uD7FF]*$/
/** A key of this many characters is not too long in any alphabet. */
const MAP_KEY_MAX = FIELD_NAME_BYTES_MAX / BYTES_OF_UNIT_MAX
/** A longer string is copied faster by a call than character by character. */
const COPIED_BY_HAND_MAX = 32
const ASCII_MAX = 0x7f

export interface BuiltEvent {
  /** Nanoseconds since the epoch; absent where the event has no time of its own. */
  readonly timeNs: bigint | undefined
  readonly members: EventMembers
  /** More members, which other events have too. */
  readonly shared: EventMembers
}

export class EventBuilder {
  readonly buf = buf
  readonly values = new EventValues()
  readonly #tree: FieldTree
  readonly #transaction: FieldTransaction
  #isComplete = true
  #end = 0
  #serial = 0

  constructor(tree: FieldTree, transaction: FieldTransaction) {
    this.#tree = tree
    this.#transaction = transaction
  }

  /** Takes the members of the next event. @returns how many bytes its values take; 0 if it is not complete */
  build({ members, shared }: BuiltEvent): number {
    this.values.clear()
    this.#isComplete = true
    this.#serial = nextObject()
    this.#end = 0
    const { root } = this.#tree
    this.#addMembers(root, shared, this.#addMembers(root, members))
    return this.#isComplete ? this.#end : 0
  }

  /** @param last the key that was read before in the object @returns the one that was read last */
  #addMembers(parent: FieldNode, members: EventMembers, last?: FieldNode): FieldNode | undefined {
    let before = last
    for (const name in members) {
      const value = members[name]
      if (value === undefined) continue
      before = this.#key(parent, before, name)
      if (before) this.#addValue(before.alias ?? before, value)
      if (!this.#isComplete) break
    }
    return before
  }

  #addValue(node: FieldNode, value: EventValue): void {
    const from = this.#end
    if (typeof value === 'string') {
      this.#write(value)
      if (this.#end - from !== value.length && HALF_OF_PAIR.test(value)) this.#isComplete = false
      // It has no quotes and no escapes, since nothing reads it as JSON.
      this.#add(node, STRING, from - 1, this.#end + 1)
    } else if (typeof value === 'bigint') {
      const number = Number(value)
      if (BigInt.asIntN(64, value) !== value) this.#isComplete = false
      // Texts of numbers are made sooner.
      this.#addText(node, INTEGER, String(Number.isSafeInteger(number) ? number : value))
    } else if (typeof value === 'boolean') this.#addText(node, BOOLEAN, String(value))
    else if (typeof value === 'number') {
      if (Number.isFinite(value)) this.#addText(node, FLOAT, Object.is(value, -0) ? '-0' : String(value))
    } else if (isArray(value)) this.#addStrings(node, value)
    else if (value !== null && node.isMap) this.#addMap(node, value)
    else if (value !== null) this.#addMembers(node, value)
  }

  #addMap(node: FieldNode, members: EventMembers): void {
    const isPlain = Object.entries(members).every(([key, value]) => key.length <= MAP_KEY_MAX && isPlainValue(value))
    if (!isPlain) this.#isComplete = false
    const from = this.#end
    this.#write(`{${membersText(members, encodeKey)}}`)
    this.#transaction.note(node, MAP)
    this.values.rest.push({ node, text: buf.subarray(from, this.#end) })
  }

  /** Adds an array, which is to have only strings, as the arguments of a process are. */
  #addStrings(node: FieldNode, items: readonly EventValue[]): void {
    const areStrings = items.every((item) => typeof item === 'string' && WITHOUT_ESCAPES.test(item))
    if (!areStrings || items.length === 0) this.#isComplete = false
    else this.#addText(node, ARRAY | STRING, JSON.stringify(items))
  }

  #addText(node: FieldNode, kind: number, text: string): void {
    const from = this.#end
    this.#write(text)
    this.#add(node, kind, from, this.#end)
  }

  #add(node: FieldNode, kind: number, from: number, to: number): void {
    this.#transaction.note(node, (kind & ARRAY) === 0 ? kind : ARRAY)
    this.values.add(node, kind, from, to)
  }

  #write(text: string): void {
    if (this.#end + text.length * BYTES_OF_UNIT_MAX > EVENT_BYTES_MAX) this.#isComplete = false
    else this.#end += writeText(text, this.#end)
  }

  /**
   * Finds the key of a member, without following an alias. Most events have the same one after `before` as the previous event.
   * @returns nothing where there is none, or the event is not complete with it
   */
  #key(parent: FieldNode, before: FieldNode | undefined, name: string): FieldNode | undefined {
    const expected = before ? before.follower : parent.firstChild
    const found = expected?.plainKey === name && !expected.isPruned ? expected : parent.find(name)
    // A name that is written in another way as JSON is another key.
    if (found?.plainKey !== name || found.nameBytes > FIELD_NAME_BYTES_MAX) {
      this.#isComplete = false
      return undefined
    }
    if (before) before.follower = found
    else parent.firstChild = found
    const node = found.alias ?? found
    // No object may have a field twice.
    if (node.seenIn === this.#serial) this.#isComplete = false
    node.seenIn = this.#serial
    return found
  }
}

/** Whether the scanner can have nothing against it. */
function isPlainValue(value: EventValue | undefined): boolean {
  if (typeof value === 'string') return !HALF_OF_PAIR.test(value)
  return typeof value === 'bigint' ? Number.isSafeInteger(Number(value)) : typeof value !== 'object'
}

/** @returns how many bytes were written */
function writeText(text: string, from: number): number {
  const { length } = text
  if (length > COPIED_BY_HAND_MAX) return buf.write(text, from)
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > ASCII_MAX) return buf.write(text, from)
    buf[from + i] = code
  }
  return length
}
