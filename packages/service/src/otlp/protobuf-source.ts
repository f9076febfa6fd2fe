/**
 * A request of OTLP in protobuf. The place of a value is where its bytes begin; that of a text or a message, where its length does.
 * Texts are held to UTF-8. A field of another type on the wire than the described one is skipped, as one that is not described.
 */
import { isUtf8 } from 'node:buffer'
import type { EventBuilder } from '@deployment-annotations/event-store/scan/event-builder'
import type { JsonText } from './json-text.ts'
import { AnyValue, KeyValue } from './messages.ts'
import { ABSENT, type CountMessages, MESSAGES_AT_ONCE, type MessageFields, REQUEST, type Source } from './source.ts'
import { type NamedField, WireError } from './wire.ts'

/** The types of values on the wire. */
const [VARINT, FIXED64, LEN, START_GROUP, END_GROUP, FIXED32] = [0, 1, 2, 3, 4, 5]
const TYPES: Readonly<Record<NamedField['type'], number>> = {
  string: LEN,
  bytes: LEN,
  id: LEN,
  message: LEN,
  bool: VARINT,
  int32: VARINT,
  uint32: VARINT,
  sint32: VARINT,
  int64: VARINT,
  uint64: VARINT,
  double: FIXED64,
  fixed64: FIXED64,
  sfixed64: FIXED64,
  fixed32: FIXED32,
}

/** Digits are made of two halves with this many each, because a double cannot hold them all. */
const HALF = 1_000_000_000
const HALF_DIGITS = 9
const TWO_32 = 4_294_967_296
const VARINT_BYTES_MAX = 10
/** The bits of the exponent in the upper half of a double. */
const EXPONENT = 0x7ff0_0000
const GROUPS_DEEP_MAX = 100
/** A key and a value. */
const PAIR_FIELDS = 2

export class ProtobufSource implements Source {
  keyAt = ABSENT
  valueAt = ABSENT
  anyAt = ABSENT
  readonly textBytes: Buffer
  textFrom = 0
  textTo = 0
  readonly #buf: Buffer
  readonly #requireMessages: CountMessages
  #messages = 0
  #pos = 0

  constructor(buf: Buffer, requireMessages: CountMessages) {
    this.#buf = this.textBytes = buf
    this.#requireMessages = requireMessages
  }

  find(at: number, found: MessageFields): void {
    const { message } = found
    found.clear()
    const end = this.#open(at, message.name)
    while (this.#pos < end) {
      const tag = this.#varint(end, message.name)
      const field = message.withId(tag >>> 3)
      const type = tag & 7
      if (field && type === TYPES[field.type]) {
        found.set(field, this.#pos)
        if (field.isRepeated && ++this.#messages % MESSAGES_AT_ONCE === 0) this.#requireMessages(this.#messages)
      } else if (field?.isRepeated && type === LEN) {
        this.#packed(field, found, end)
        continue
      }
      this.#skip(type, end, message.name)
    }
  }

  pair(at: number): void {
    let key = ABSENT
    let value = ABSENT
    const end = this.#open(at, KeyValue.name)
    while (this.#pos < end) {
      const tag = this.#varint(end, KeyValue.name)
      const type = tag & 7
      if (type === LEN && tag >>> 3 === 1) key = this.#pos
      else if (type === LEN && tag >>> 3 === PAIR_FIELDS) value = this.#pos
      this.#skip(type, end, KeyValue.name)
    }
    this.keyAt = key
    this.valueAt = value
  }

  any(at: number): number {
    let id = 0
    let place = ABSENT
    const end = this.#open(at, AnyValue.name)
    while (this.#pos < end) {
      const tag = this.#varint(end, AnyValue.name)
      const field = AnyValue.withId(tag >>> 3)
      const type = tag & 7
      if (field && type === TYPES[field.type] && (id === 0 || field.id <= id)) {
        id = field.id
        place = this.#pos
      }
      this.#skip(type, end, AnyValue.name)
    }
    this.anyAt = place
    return id
  }

  text(at: number): void {
    this.textTo = this.#open(at, 'text')
    this.textFrom = this.#pos
  }

  writeText(at: number, { name }: NamedField, out: JsonText): void {
    const to = this.#open(at, name)
    const from = this.#pos
    if (!out.string(this.#buf, from, to) && !isUtf8(this.#buf.subarray(from, to))) throw wrong(name, 'a text is not UTF-8')
  }

  isEmpty(at: number): boolean {
    return this.#buf[at] === 0
  }

  bool(at: number, { name }: NamedField): boolean {
    this.#pos = at
    return this.#varint(this.#buf.length, name) !== 0
  }

  int(at: number, { type, name }: NamedField): number {
    if (type === 'fixed32') return this.#buf.readUInt32LE(at)
    this.#pos = at
    const value = this.#varint(this.#buf.length, name)
    if (type === 'sint32') return (value >>> 1) ^ -(value & 1)
    return type === 'int32' ? value | 0 : value
  }

  digits(at: number, { type, name }: NamedField): string {
    const buf = this.#buf
    if (type === 'fixed64') return digitsOf(buf.readUInt32LE(at), buf.readUInt32LE(at + 4))
    if (type === 'sfixed64') return buf.readBigInt64LE(at).toString()
    return this.#varintDigits(at, type === 'int64', name)
  }

  double(at: number): number {
    return this.#buf.readDoubleLE(at)
  }

  bytes(at: number, { name }: NamedField): Buffer {
    const to = this.#open(at, name)
    return this.#buf.subarray(this.#pos, to)
  }

  addText(at: number, { name }: NamedField, event: EventBuilder): void {
    const buf = this.#buf
    const to = this.#open(at, name)
    const from = this.#pos
    let high = 0
    for (let i = from; i < to; i++) high |= buf[i] as number
    if (high > 0x7f && !isUtf8(buf.subarray(from, to))) throw wrong(name, 'a text is not UTF-8')
    event.text(from, to)
  }

  addInteger(at: number, field: NamedField, event: EventBuilder): void {
    const buf = this.#buf
    if (field.type !== 'int64') {
      event.digits(this.digits(at, field))
      return
    }
    let low = 0
    let high = 0
    for (let i = 0; i < VARINT_BYTES_MAX; i++) {
      const byte = buf[at + i] as number
      const bits = byte & 0x7f
      const shift = 7 * i
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) break
    }
    event.integer(low, high)
  }

  addDouble(at: number, _field: NamedField, event: EventBuilder): void {
    const low = this.#buf.readInt32LE(at)
    const high = this.#buf.readInt32LE(at + 4)
    // What is not finite is null.
    if ((high & EXPONENT) !== EXPONENT) event.float(low, high)
  }

  end(): void {}

  /** Goes to the first byte of a text or a message. @returns the position after its last one */
  #open(at: number, name: string): number {
    if (at === REQUEST) {
      this.#pos = 0
      return this.#buf.length
    }
    this.#pos = at
    return this.#varint(this.#buf.length, name) + this.#pos
  }

  /** @returns the lowest 32 bits, without a sign */
  #varint(end: number, name: string): number {
    const buf = this.#buf
    let byte = buf[this.#pos] as number
    if (byte < 0x80 && this.#pos < end) {
      this.#pos++
      return byte
    }
    let value = 0
    for (let i = 0; i < VARINT_BYTES_MAX; i++) {
      if (this.#pos >= end) throw wrong(name, 'a number goes on after its end')
      byte = buf[this.#pos++] as number
      if (i < 5) value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) return value >>> 0
    }
    throw wrong(name, 'a number has more than ten bytes')
  }

  #varintDigits(at: number, isSigned: boolean, name: string): string {
    const buf = this.#buf
    let value = 0
    let scale = 1
    // Seven bytes hold 49 bits, which a double does too.
    for (let i = at; i < at + 7; i++) {
      const byte = buf[i] as number
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return String(value)
      scale *= 128
    }
    let large = 0n
    for (let i = 0; i < VARINT_BYTES_MAX; i++) {
      const byte = buf[at + i]
      if (byte === undefined) break
      large |= BigInt(byte & 0x7f) << BigInt(7 * i)
      if (byte < 0x80) return (isSigned ? BigInt.asIntN(64, large) : BigInt.asUintN(64, large)).toString()
    }
    throw wrong(name, 'a number goes on after its end')
  }

  /** Numbers of a list that were written one after the other. */
  #packed(field: NamedField, found: MessageFields, end: number): void {
    const to = this.#varint(end, field.name) + this.#pos
    if (to > end) throw wrong(field.name, 'it goes on after the end of its message')
    const type = TYPES[field.type]
    while (this.#pos < to) {
      found.set(field, this.#pos)
      this.#skip(type, to, field.name)
    }
  }

  #skip(type: number, end: number, name: string, depth = 0): void {
    if (type === LEN) {
      const length = this.#varint(end, name)
      this.#pos += length
    } else if (type === VARINT) this.#varint(end, name)
    else if (type === FIXED64) this.#pos += 8
    else if (type === FIXED32) this.#pos += 4
    else if (type === START_GROUP && depth < GROUPS_DEEP_MAX) {
      for (;;) {
        const inner = this.#varint(end, name) & 7
        if (inner === END_GROUP) return
        this.#skip(inner, end, name, depth + 1)
      }
    } else throw wrong(name, `there is no value of the type ${type} here`)
    if (this.#pos > end) throw wrong(name, 'a value goes on after the end of its message')
  }
}

/** @returns the decimal digits of an integer without a sign, from its lower and upper 32 bits */
function digitsOf(low: number, high: number): string {
  if (high < 0x20_0000) return String(high * TWO_32 + low)
  let [quotient, rest] = [0, 0]
  for (const limb of [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff]) {
    const value = rest * 65_536 + limb
    const part = Math.floor(value / HALF)
    quotient = quotient * 65_536 + part
    rest = value - part * HALF
  }
  return `${quotient}${String(rest).padStart(HALF_DIGITS, '0')}`
}

function wrong(name: string, why: string): WireError {
  return new WireError(`${name} is not valid protobuf: ${why}`)
}
