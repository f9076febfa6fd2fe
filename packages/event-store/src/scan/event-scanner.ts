/**
 * Reads one event of a JSON body, in one pass over its bytes: its end, its fields with their types, the changes before it is stored,
 * and the reason if the engine could not store it.
 * It is one class, because every value passes its position along, whether it is a field, a map or within one.
 * Deliberately not here: framing bodies (json-body.ts), reading times (event-time.ts) and writing rows (row-writer.ts).
 */
import { isUtf8 } from 'node:buffer'
import { quoted } from '@deployment-annotations/runtime/errors'
import { IN_REST, TYPE_BITS } from '../fields/field.ts'
import { type FieldNode, type FieldTransaction, hashKey, nextObject } from '../fields/field-tree.ts'
import { ElementReader, haveType } from './element-reader.ts'
import { ESCAPED, EventShape, EventValues } from './event-shape.ts'
import { BACKSLASH, LBRACE, LBRACKET, nameByte, QUOTE, RBRACE, ROUNDED } from './json-reader.ts'
import { FIELD_NAME_BYTES_MAX, NESTING_MAX } from './limits.ts'

/** The members of an event that may carry its time. */
export interface TimeRoles {
  /** The node of `_time`. */
  time: FieldNode
  /** The field that the request names, if any: as one key, and as a dotted name. */
  named: readonly FieldNode[]
  /** The members of the contract's wrapper: `time`, `data`, `labels`. */
  wrapTime: FieldNode
  wrapRest: ReadonlySet<FieldNode>
}

const { string: STRING, array: ARRAY, 'map[string]': MAP } = TYPE_BITS
/** The field of an event's `_time` where its time is elsewhere. */
const USER_TIME = '_user_time'

export class EventScanner extends ElementReader {
  /** The values of the last scanned event. */
  readonly values = new EventValues()
  readonly #root: FieldNode
  readonly #transaction: FieldTransaction
  readonly #roles: TimeRoles

  constructor(root: FieldNode, transaction: FieldTransaction, roles: TimeRoles) {
    super()
    this.#root = root
    this.#transaction = transaction
    this.#roles = roles
  }

  /**
   * Reads the value that begins at `from`. The buffer must end with the known bytes.
   * @throws {JsonSyntaxError} if the bytes are not JSON; {@link MORE} if they end too early
   */
  scan(buf: Buffer, from: number): EventShape {
    const shape = this.#read(buf, from)
    if (!shape.time || !shape.named) return shape
    // The event has its time elsewhere, which is known only at its end, so its `_time` is a field.
    this.#transaction.rejectEvent()
    return this.#read(buf, from, this.#transaction.child(this.#root, USER_TIME))
  }

  /** @param userTime the field of the event's `_time`, if it is not its time */
  #read(buf: Buffer, from: number, userTime?: FieldNode): EventShape {
    const shape = new EventShape(buf, from)
    this.shape = shape
    this.buf = buf
    this.pos = from
    this.hasHighBytes = false
    this.isElement = false
    this.values.clear()
    if (buf[from] === LBRACE) {
      shape.isObject = true
      this.#top(userTime)
    } else {
      const found = nameByte(buf[from] as number)
      this.element(1)
      this.fail(`an event must be a JSON object, found a value that begins with ${found}`)
    }
    shape.end = this.pos
    if (this.hasHighBytes && !isUtf8(buf.subarray(from, shape.end))) this.fail('the event is not valid UTF-8')
    return shape
  }

  #top(userTime: FieldNode | undefined): void {
    const { shape } = this
    const { time, named, wrapTime, wrapRest } = this.#roles
    shape.objectId = nextObject()
    this.pos++
    if (!this.isFilled(RBRACE)) return
    let before: FieldNode | undefined
    do {
      before = this.#key(this.#root, before)
      const node = before === time && userTime ? userTime : (before.alias ?? before)
      this.#seen(node, shape.objectId)
      shape.memberCount++
      const byte = this.colon()
      const from = this.pos
      const isNamed = named.length > 0 && named.includes(node)
      if (node === time || isNamed) this.element(1)
      else if (node === wrapTime && byte === QUOTE) this.string()
      else this.#value(node, 1, byte)
      if (isNamed) shape.named = { from, to: this.pos }
      else if (node === time) shape.time = { from, to: this.pos }
      else if (node === wrapTime) shape.wrapTime = { from, to: this.pos }
      if (!isNamed && (node === wrapTime || wrapRest.has(node))) shape.wrapperCount++
    } while (this.hasMore(RBRACE))
    this.#noteTime(shape)
  }

  /** Reads the members of an object that is not inside an array, from the byte after its brace at `pos` on. */
  #members(parent: FieldNode, depth: number): void {
    if (!this.isFilled(RBRACE)) return
    const serial = nextObject()
    let before: FieldNode | undefined
    do {
      before = this.#key(parent, before)
      const node = before.alias ?? before
      this.#seen(node, serial)
      const byte = this.colon()
      const from = this.pos
      this.#value(node, depth, byte)
      if (this.#roles.named.includes(node)) this.shape.named ??= { from, to: this.pos }
    } while (this.hasMore(RBRACE))
  }

  #seen(node: FieldNode, serial: number): void {
    if (node.seenIn === serial) this.shape.hasDuplicates = true
    node.seenIn = serial
    if (node.nameBytes > FIELD_NAME_BYTES_MAX) {
      this.fail(`the field name ${quoted(node.name)} has ${node.nameBytes} bytes; at most ${FIELD_NAME_BYTES_MAX} are allowed`)
    }
  }

  /** Only at the end of the event is it known whether its `time` is data. */
  #noteTime({ wrapTime: place, hasWrapperTime }: EventShape): void {
    if (!place || hasWrapperTime || this.buf[place.from] !== QUOTE) return
    const { wrapTime } = this.#roles
    this.#transaction.note(wrapTime, STRING)
    const hasEscapes = this.buf.subarray(place.from, place.to).includes(BACKSLASH)
    this.values.add(wrapTime, hasEscapes ? STRING | ESCAPED : STRING, place.from, place.to)
  }

  /**
   * Reads a key and finds its node, without following an alias. Most events have the keys of the previous one in the same order, so the
   * key that then followed `before` is tried first.
   */
  #key(parent: FieldNode, before: FieldNode | undefined): FieldNode {
    const quote = this.pos
    if (this.buf[quote] !== QUOTE) this.noKey()
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
    if (isPruned || buf[from + length] !== QUOTE) return false
    for (let i = 0; i < length; i++) if (buf[from + i] !== key[i]) return false
    this.pos = from + length + 1
    return true
  }

  /** Reads any other key. The hash is computed on the way, so that a known key makes no string. */
  #otherKey(parent: FieldNode): FieldNode {
    const buf = this.buf
    const quote = this.pos
    let hash = 0x811c9dc5
    let i = quote + 1
    let byte = buf[i] as number
    let high = 0
    while (byte !== QUOTE && byte !== BACKSLASH && byte >= 0x20) {
      hash = Math.imul(hash ^ byte, 0x01000193)
      high |= byte
      byte = buf[++i] as number
    }
    if (high > 0x7f) this.hasHighBytes = true
    if (byte === QUOTE) {
      this.pos = i + 1
      const found = parent.find(hash, buf, quote + 1, i)
      return found ?? this.#transaction.child(parent, buf.toString('utf8', quote + 1, i))
    }
    this.string()
    const key = this.textOf(quote, this.pos)
    const text = Buffer.from(JSON.stringify(key).slice(1, -1))
    return parent.find(hashKey(text, 0, text.length), text, 0, text.length) ?? this.#transaction.child(parent, text.toString())
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
      this.#transaction.note(node, type & ~ROUNDED)
      this.values.add(node, type & ~ROUNDED, from, this.pos)
    }
  }

  /** Reads an object whose keys are no fields. It is stored as JSON text. */
  #mapOf(node: FieldNode, depth: number): void {
    const from = this.pos
    this.element(depth)
    this.sized(from, 'map')
    this.#toRest(node, MAP, from)
  }

  #arrayOf(node: FieldNode, depth: number): void {
    const from = this.pos
    this.hasEscapes = false
    this.isElement = true
    const elements = this.array(depth)
    this.isElement = false
    this.sized(from, 'array')
    if (!haveType(elements)) {
      this.#toRest(node, ARRAY | IN_REST, from)
      return
    }
    this.#transaction.note(node, ARRAY)
    this.values.add(node, ARRAY | elements | (this.hasEscapes ? ESCAPED : 0), from, this.pos)
  }

  /** Stores the value that was just read beside the event. */
  #toRest(node: FieldNode, type: number, from: number): void {
    this.#transaction.note(node, type)
    this.values.rest.push({ node, text: this.shape.textAt({ from, to: this.pos }) })
  }
}
