/**
 * A request of OTLP in protobuf. Messages are counted by their tags and lengths before the library builds any of them.
 */
import { isUtf8 } from 'node:buffer'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import protobuf from 'protobufjs'
import {
  type CountMessages,
  type Frame,
  ITEM_VALUES_MAX,
  type Level,
  MESSAGES_AT_ONCE,
  type Message,
  type Source,
  WireError,
} from './levels.ts'

const { Reader, Type } = protobuf
const WIRE_TYPES: Readonly<Record<string, number>> = protobuf.types.basic
/** The type of what has a length, on the wire. */
const LEN = 2
const REPLACEMENT = '\ufffd'
/** Integers below this take four bytes as a varint. */
const VARINT_BITS = 7n
const VARINT_BYTES_MAX = 10
const NO_LISTS: Level['byId'] = []

/** An attribute takes two levels for each in its value, which may have 100; see NESTING_MAX in event-store. What is deeper is refused. */
const DEPTH_MAX = 1_000
Reader.recursionLimit = DEPTH_MAX

/** Reads integers of 64 bits exactly, and texts in less time. */
class ExactReader extends Reader {
  declare buf: Buffer

  override string(): string {
    const length = this.uint32()
    const from = this.pos
    this.skip(length)
    const text = this.buf.toString('utf8', from, this.pos)
    if (text.includes(REPLACEMENT) && !isUtf8(this.buf.subarray(from, this.pos))) throw new WireError('a text is not UTF-8')
    return text
  }

  override stringVerify(): string {
    return this.string()
  }

  override int64(): never {
    return BigInt.asIntN(64, this.#varint()) as never
  }

  override uint64(): never {
    return BigInt.asUintN(64, this.#varint()) as never
  }

  override fixed64(): never {
    this.skip(8)
    return this.buf.readBigUInt64LE(this.pos - 8) as never
  }

  override sfixed64(): never {
    return BigInt.asIntN(64, this.fixed64()) as never
  }

  #varint(): bigint {
    const from = this.pos
    this.skip()
    const last = this.pos - 1
    if (last - from >= VARINT_BYTES_MAX) throw new WireError('a number has more than ten bytes')
    let value = 0n
    let number = 0
    if (last - from < 4) {
      for (let at = last; at >= from; at--) number = (number << 7) | ((this.buf[at] as number) & 127)
      return BigInt(number)
    }
    for (let at = last; at >= from; at--) value = (value << VARINT_BITS) | BigInt((this.buf[at] as number) & 127)
    return value
  }
}

interface ProtobufFrame extends Frame {
  readonly end: number
}

export class ProtobufSource implements Source<ProtobufFrame> {
  readonly #reader: ExactReader
  readonly #requireMessages: CountMessages
  #messages = 0
  /** How many there are in the message that is counted. */
  #values = 0

  constructor(bytes: Buffer, requireMessages: CountMessages) {
    this.#reader = new ExactReader(bytes)
    this.#requireMessages = requireMessages
  }

  open(level: Level, parent?: ProtobufFrame): ProtobufFrame {
    const reader = this.#reader
    if (!parent) return { level, heads: [], end: reader.len }
    if (parent.heads.length === 0) this.#addMessage()
    const from = reader.pos
    const head = this.read(level)
    const end = reader.pos
    reader.pos = from
    reader.uint32()
    return { level, heads: [...parent.heads, head], end }
  }

  find({ level, end }: ProtobufFrame): Level | undefined {
    return this.#reading(level.type, (reader) => {
      while (reader.pos < end) {
        const tag = reader.uint32()
        const next = level.byId[tag >>> 3]
        if (next && (tag & 7) === LEN) return next
        reader.skipType(tag & 7, 0, tag >>> 3)
      }
      if (reader.pos > end) throw new WireError('it ends after the message that it is in')
      return undefined
    })
  }

  read(level: Level): Message {
    const { type } = level
    return this.#reading(type, (reader) => {
      const length = reader.uint32()
      const from = reader.pos
      this.#values = 0
      this.#count(type, from + length, level.byId)
      reader.pos = from
      return type.decode(reader, length) as unknown as Message
    })
  }

  /** Counts the messages in lists up to `end`, the most numbers of a list too. */
  #count(type: protobuf.Type, end: number, lists: Level['byId'], depth = 0): void {
    const reader = this.#reader
    if (depth > DEPTH_MAX) throw new WireError('it is nested too deep')
    while (reader.pos < end) {
      const tag = reader.uint32()
      const id = tag >>> 3
      const isLong = (tag & 7) === LEN
      const field = type.fieldsById[id]
      if (isLong && lists[id]) this.#addMessage()
      if (field?.repeated) this.#addValue(field)
      if (isLong && field?.resolvedType instanceof Type) {
        const to = reader.uint32() + reader.pos
        this.#count(field.resolvedType, to, NO_LISTS, depth + 1)
      } else if (isLong && field?.repeated) {
        for (let to = reader.uint32() + reader.pos; reader.pos < to; this.#addValue(field))
          reader.skipType(WIRE_TYPES[field.type] ?? LEN)
      } else reader.skipType(tag & 7, 0, id)
    }
    if (reader.pos > end) throw new WireError('it ends after the message that it is in')
  }

  #addMessage(): void {
    if (++this.#messages % MESSAGES_AT_ONCE === 0) this.#requireMessages(this.#messages)
  }

  #addValue({ name, resolvedType }: protobuf.Field): void {
    if (resolvedType) this.#addMessage()
    if (++this.#values > ITEM_VALUES_MAX) throw new WireError(`${name} has more than ${ITEM_VALUES_MAX} numbers`)
  }

  #reading<T>(type: protobuf.Type, read: (reader: ExactReader) => T): T {
    try {
      return read(this.#reader)
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause
      throw new WireError(`${type.name} is not valid protobuf: ${(cause as Error).message}`, { cause })
    }
  }
}
