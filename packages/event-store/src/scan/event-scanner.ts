/**
 * Reads one event of a JSON body, in one pass over its bytes: its end, its fields with their types and values, the place of its time,
 * and the reason if the engine could not store it.
 * It is one class, because every value passes its position along, whether it is a field, a map or within one.
 * Deliberately not here: framing bodies (json-body.ts), reading times (event-time.ts) and writing rows (row-writer.ts).
 */
import { isUtf8 } from 'node:buffer'
import { quoted } from '@deployment-annotations/runtime/errors'
import { encodeKey, IN_REST, isEncodedKey, TYPE_BITS } from '../fields/field.ts'
import { type FieldNode, type FieldTransaction, type FieldTree, nextObject } from '../fields/field-tree.ts'
import { rewriteJson } from './event-text.ts'
import { ESCAPED, EventValues } from './event-values.ts'
import { BACKSLASH, JsonReader, LBRACE, LBRACKET, nameByte, QUOTE, RBRACE, RBRACKET } from './json-reader.ts'
import { FIELD_NAME_BYTES_MAX, MEMBERS_MAX, NESTING_MAX } from './limits.ts'
import { EXACT_CHARACTERS, whyNotFloat } from './numbers.ts'

/** The members of an event that may carry its time: `_time`, and the `time` of the contract's wrapper beside its `data` and `labels`. */
export interface TimeRoles extends Pick<FieldTree, 'root' | 'time' | 'wrapTime' | 'wrapRest'> {
  /** The field that the request names, if any: as one key, and as a dotted name. */
  named: readonly FieldNode[]
}

/** The bytes of a value. */
interface Place {
  from: number
  to: number
}

const { string: STRING, integer: INTEGER, float: FLOAT, boolean: BOOLEAN, array: ARRAY, 'map[string]': MAP } = TYPE_BITS
/** More bits beside the types of elements: null, and what has no type in an array of the engine. */
const [IS_NULL, IS_OTHER] = [1 << 22, 1 << 23]
/** What the elements of an array may be that has a type in the engine: scalars of one type, or numbers, and null. */
const TYPED = new Set([0, STRING, INTEGER, FLOAT, BOOLEAN, INTEGER | FLOAT])
/** The most characters of a field name in JSON, of which an escape takes six. */
const NAME_CHARACTERS_MAX = 6 * FIELD_NAME_BYTES_MAX
/** The field of an event's `_time` where its time is elsewhere. */
const USER_TIME = '_user_time'

export class EventScanner extends JsonReader {
  /** The values of the last scanned event. */
  readonly values = new EventValues()
  /** Identifies the event's top level in {@link FieldNode.seenIn}. */
  objectId = 0
  readonly #transaction: FieldTransaction
  readonly #roles: TimeRoles
  #hasDuplicates = false
  /** The values of `_time`, of the contract's wrapper's `time`, and of the field that the request names. */
  #time: Place | undefined = undefined
  #wrapTime: Place | undefined = undefined
  #named: Place | undefined = undefined
  /** Whether all members are those that the contract's wrapper may have. */
  #isWrapper = false
  /** How many members are read that may be fields, or have fields in them. */
  #membersRead = 0

  constructor(roles: TimeRoles, transaction: FieldTransaction) {
    super()
    this.#transaction = transaction
    this.#roles = roles
  }

  /**
   * Reads the value that begins at `from`. The buffer must end with the known bytes.
   * @returns the position after it
   * @throws {JsonSyntaxError} if the bytes are not JSON; {@link MORE} if they end too early
   */
  scan(buf: Buffer, from: number): number {
    this.#scan(buf, from)
    const end = this.pos
    if (this.#hasDuplicates && this.failure === undefined) {
      // As for JSON.parse, the last value of each name counts.
      this.#scan(Buffer.from(rewriteJson(buf.toString('utf8', from, end))), 0)
      if (this.#hasDuplicates) this.fail('two of its fields would have the same name')
    }
    return end
  }

  /** The place of the event's time; `undefined` if it has no time of its own. */
  get ownTime(): Place | undefined {
    return this.#named ?? this.#time ?? (this.#isWrapper ? this.#wrapTime : undefined)
  }

  /** Moves the values of these fields out of the event, to the rest of it. */
  takeOut(nodes: ReadonlySet<FieldNode>): void {
    this.values.takeOut(nodes, (from, to) => this.#textAt(from, to))
  }

  #scan(buf: Buffer, from: number): void {
    this.#read(buf, from)
    // The event has its time elsewhere, which is known only at its end, so its `_time` is a field.
    if (this.#time && this.#named) this.#read(buf, from, true)
  }

  /** @param isTimeElsewhere whether the event's `_time` is a field */
  #read(buf: Buffer, from: number, isTimeElsewhere = false): void {
    this.#transaction.rejectEvent()
    this.values.clear()
    this.buf = buf
    this.pos = from
    this.failure = undefined
    this.hasHighBytes = false
    this.isMisread = false
    this.#hasDuplicates = false
    this.#membersRead = 0
    this.#time = undefined
    this.#wrapTime = undefined
    this.#named = undefined
    if (buf[from] === LBRACE) this.#top(isTimeElsewhere ? this.#transaction.child(this.#roles.root, USER_TIME) : undefined)
    else {
      this.#element(1)
      this.fail(`an event must be a JSON object, found a value that begins with ${nameByte(buf[from] as number)}`)
    }
    if (this.hasHighBytes && !isUtf8(buf.subarray(from, this.pos))) this.fail('the event is not valid UTF-8')
  }

  #top(userTime: FieldNode | undefined): void {
    const { root, time, named, wrapTime, wrapRest } = this.#roles
    this.objectId = nextObject()
    this.#isWrapper = true
    this.pos++
    if (!this.isFilled(RBRACE)) return
    let before: FieldNode | undefined
    do {
      if (this.#isSkipped(1)) continue
      before = this.#key(root, before)
      const node = before === time && userTime ? userTime : (before.alias ?? before)
      this.#see(node, this.objectId)
      const byte = this.colon()
      const from = this.pos
      const isNamed = named.length > 0 && named.includes(node)
      if (node === time || isNamed) this.#element(1)
      else if (node === wrapTime && byte === QUOTE) this.string()
      else this.#value(node, 1, byte)
      if (isNamed) this.#named = { from, to: this.pos }
      else if (node === time) this.#time = { from, to: this.pos }
      else if (node === wrapTime && byte === QUOTE) this.#wrapTime = { from, to: this.pos }
      else if (!wrapRest.has(node)) this.#isWrapper = false
    } while (this.hasMore(RBRACE))
    if (this.#time || this.#named) this.#isWrapper = false
    if (this.#wrapTime && !this.#isWrapper) this.#noteTime(this.#wrapTime)
  }

  /** Reads the members of an object that is not inside an array, from the byte after its brace at `pos` on. */
  #members(parent: FieldNode, depth: number): void {
    if (!this.isFilled(RBRACE)) return
    const serial = nextObject()
    let before: FieldNode | undefined
    do {
      if (this.#isSkipped(depth)) continue
      before = this.#key(parent, before)
      const node = before.alias ?? before
      this.#see(node, serial)
      const byte = this.colon()
      const from = this.pos
      this.#value(node, depth, byte)
      if (this.#roles.named.includes(node)) this.#named ??= { from, to: this.pos }
    } while (this.hasMore(RBRACE))
  }

  /** Skips the member at `pos` if the event has too many of them. @returns whether it has */
  #isSkipped(depth: number): boolean {
    if (this.#membersRead++ < MEMBERS_MAX) return false
    this.fail(`it has more than ${MEMBERS_MAX} members outside of its arrays`)
    this.keyText()
    this.colon()
    this.#element(depth)
    return true
  }

  #see(node: FieldNode, serial: number): void {
    if (node.seenIn === serial) this.#hasDuplicates = true
    node.seenIn = serial
    if (node.nameBytes > FIELD_NAME_BYTES_MAX) {
      this.fail(`the field name ${quoted(node.name)} is longer than ${FIELD_NAME_BYTES_MAX} bytes`)
    }
  }

  /** Adds the member `time`, of which only the end of the event says that it is data. */
  #noteTime({ from, to }: Place): void {
    const { wrapTime } = this.#roles
    this.#transaction.note(wrapTime, STRING)
    const hasEscapes = this.buf.subarray(from, to).includes(BACKSLASH)
    this.values.add(wrapTime, hasEscapes ? STRING | ESCAPED : STRING, from, to)
  }

  /**
   * Reads a key and finds its node, without following an alias. Most events have the keys of the previous one in the same order, so the
   * key that then followed `before` is tried first.
   */
  #key(parent: FieldNode, before: FieldNode | undefined): FieldNode {
    const expected = before ? before.follower : parent.firstChild
    const node = expected !== undefined && this.#isKey(expected) ? expected : this.#otherKey(parent)
    if (node !== expected) {
      if (before) before.follower = node
      else parent.firstChild = node
    }
    return node
  }

  /** Whether the key at `pos` is that of the node, which may have left the tree. If so, it is skipped. */
  #isKey({ key, isPruned }: FieldNode): boolean {
    const buf = this.buf
    const from = this.pos + 1
    const { length } = key
    if (isPruned || buf[this.pos] !== QUOTE || buf[from + length] !== QUOTE) return false
    for (let i = 0; i < length; i++) if (buf[from + i] !== key[i]) return false
    this.pos = from + length + 1
    return true
  }

  /** Reads any other key. */
  #otherKey(parent: FieldNode): FieldNode {
    const whole = this.keyText()
    // Its node need not have the rest of a name that is too long, however it is escaped.
    const raw = whole.length > NAME_CHARACTERS_MAX ? whole.slice(0, NAME_CHARACTERS_MAX).replaceAll('\\', '/') : whole
    const text = raw.includes('\\') ? JSON.stringify(JSON.parse(`"${raw}"`)).slice(1, -1) : raw
    return parent.find(text) ?? this.#transaction.child(parent, text)
  }

  /** Reads any value of a field outside of arrays. */
  #value(node: FieldNode, depth: number, byte: number | undefined): void {
    const from = this.pos
    if (byte === QUOTE) {
      this.hasEscapes = false
      this.string()
      this.#transaction.note(node, STRING)
      this.values.add(node, this.hasEscapes ? STRING | ESCAPED : STRING, from, this.pos)
    } else if (byte === LBRACE) {
      if (depth >= NESTING_MAX) this.skipDeep()
      else if (node.isMap) this.#mapOf(node, depth)
      else {
        this.pos++
        this.#members(node, depth + 1)
      }
    } else if (byte === LBRACKET) this.#arrayOf(node, depth)
    else {
      const type = this.scalar(byte)
      if (type === 0) return
      this.#transaction.note(node, type)
      this.values.add(node, type, from, this.pos)
    }
  }

  /** Reads an object whose keys are no fields. It is stored as JSON text. */
  #mapOf(node: FieldNode, depth: number): void {
    const from = this.pos
    this.#element(depth)
    this.sized(from, 'map')
    this.#toRest(node, MAP, from)
  }

  #arrayOf(node: FieldNode, depth: number): void {
    const from = this.pos
    this.hasEscapes = false
    const elements = this.#array(depth)
    this.sized(from, 'array')
    if (!TYPED.has(elements & ~IS_NULL)) {
      this.#toRest(node, ARRAY | IN_REST, from)
      return
    }
    this.#transaction.note(node, ARRAY)
    this.values.add(node, ARRAY | elements | (this.hasEscapes ? ESCAPED : 0), from, this.pos)
  }

  /** Stores the value that was just read beside the event. If the event is refused, the value need not be JSON. */
  #toRest(node: FieldNode, type: number, from: number): void {
    if (this.failure !== undefined) return
    this.#transaction.note(node, type)
    this.values.rest.push({ node, text: this.#textAt(from, this.pos) })
  }

  /** @returns the value as the column `rest` has it, valid as long as the buffer */
  #textAt(from: number, to: number): Buffer {
    return this.isMisread ? Buffer.from(rewriteJson(this.buf.toString('utf8', from, to), encodeKey)) : this.buf.subarray(from, to)
  }

  /** Reads an array from its bracket on. @returns bits for its direct elements */
  #array(depth: number): number {
    if (depth >= NESTING_MAX) {
      this.skipDeep()
      return IS_OTHER
    }
    this.pos++
    if (!this.isFilled(RBRACKET)) return 0
    let kinds = 0
    do {
      const from = this.pos
      const kind = this.#element(depth + 1)
      const isLong = kind === INTEGER && this.pos - from > EXACT_CHARACTERS
      kinds |= isLong && whyNotFloat(this.buf.toString('latin1', from, this.pos)) !== undefined ? IS_OTHER : kind
    } while (this.hasMore(RBRACKET))
    return kinds
  }

  /** Reads any value inside an array or a map, or one whose type does not matter. @returns bits for its kind */
  #element(depth: number): number {
    const byte = this.buf[this.pos]
    if (byte === QUOTE) {
      this.string()
      return STRING
    }
    if (byte !== LBRACE && byte !== LBRACKET) return this.scalar(byte) || IS_NULL
    if (byte === LBRACKET) this.#array(depth)
    else if (depth >= NESTING_MAX) this.skipDeep()
    else this.#elementMembers(depth + 1)
    return IS_OTHER
  }

  /** Reads an object inside an array or a map, from its brace at `pos` on. Its keys are no fields, so they have no nodes. */
  #elementMembers(depth: number): void {
    this.pos++
    if (!this.isFilled(RBRACE)) return
    const keys = new Set<string>()
    do {
      const from = this.pos
      const raw = this.keyText()
      const key = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
      if (keys.has(key)) this.#hasDuplicates = true
      keys.add(key)
      if (this.pos - from > FIELD_NAME_BYTES_MAX + 2)
        this.fail(`the field name ${quoted(key)} is longer than ${FIELD_NAME_BYTES_MAX} bytes`)
      if (isEncodedKey(key)) this.isMisread = true
      this.colon()
      this.#element(depth)
    } while (this.hasMore(RBRACE))
  }
}
