/**
 * A request of OTLP in protobuf. Messages are counted by their tags and lengths before the library builds any of them.
 */
import { isUtf8 } from 'node:buffer'
import { COUNTED, EVENT_BYTES_MAX } from '@deployment-annotations/event-store/scan/limits'
import protobuf from 'protobufjs'
import {
  type CountMessages,
  type Frame,
  type Level,
  MESSAGE_VALUES,
  type Message,
  type Source,
  VALUES_MAX,
  WireError,
} from './levels.ts'

const { Reader, Type } = protobuf
const WIRE_TYPES: Readonly<Record<string, number>> = protobuf.types.basic
/** The type of what has a length, on the wire. */
const LEN = 2

/** An attribute takes two levels for each in its value, which may have 100 (see NESTING_MAX of event-store). */
const DEPTH_MAX = 1_000
Reader.recursionLimit = DEPTH_MAX

/** Names, and values of few bytes, most of which come again and again: those in ASCII, each at a place by some of its bytes. */
const SHORT_BYTES_MAX = 32
const SHORT_TEXTS = 1_024
const shortTexts = new Array<string>(SHORT_TEXTS).fill('')
const REPLACEMENT = '\ufffd'

/** Reads integers of 64 bits as they are, and texts in less time. */
class ExactReader extends Reader {
  declare buf: Buffer

  override string(): string {
    const length = this.uint32()
    const from = this.pos
    this.skip(length)
    const { buf } = this
    const isShort = length > 0 && length <= SHORT_BYTES_MAX
    const place = isShort ? placeOf(buf, from, length) : 0
    const known = shortTexts[place] as string
    if (isShort && known.length === length && isAt(known, buf, from)) return known
    const text = buf.toString('utf8', from, this.pos)
    if (text.includes(REPLACEMENT) && !isUtf8(buf.subarray(from, this.pos))) throw new WireError('a text is not UTF-8')
    if (isShort && text.length === length) shortTexts[place] = text
    return text
  }

  override int64(): never {
    return integerOf(super.int64()) as never
  }

  override uint64(): never {
    return integerOf(super.uint64()) as never
  }

  override fixed64(): never {
    this.skip(8)
    return this.buf.readBigUInt64LE(this.pos - 8) as never
  }

  override sfixed64(): never {
    return BigInt.asIntN(64, this.fixed64()) as never
  }
}

function integerOf({ low, high, unsigned }: protobuf.Long): bigint {
  if (high === 0) return BigInt(low >>> 0)
  return (BigInt(unsigned ? high >>> 0 : high) << 32n) | BigInt(low >>> 0)
}

/** @returns where a text is remembered */
function placeOf(buf: Buffer, from: number, length: number): number {
  const [first, middle, last] = [buf[from], buf[from + (length >> 1)], buf[from + length - 1]] as [number, number, number]
  return (((first * 31 + middle) * 31 + last) * 31 + length) % SHORT_TEXTS
}

function isAt(text: string, buf: Buffer, from: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== buf[from + i]) return false
  return true
}

/** The most fields of one message, those that are skipped too: scopes and items, and what OTLP does not know. */
const FIELDS_MAX = 2_097_152
/** A longer message cannot become an event, and is not built to find out why. */
const MESSAGE_BYTES_MAX = 8 * EVENT_BYTES_MAX

interface ProtobufFrame extends Frame {
  readonly end: number
}

export class ProtobufSource implements Source<ProtobufFrame> {
  readonly #reader: ExactReader
  readonly #requireMessages: CountMessages
  /** A message in a list takes two bytes at least, so that a shorter body cannot have too many. */
  readonly #isCounted: boolean
  #messages = 0
  /** How much there is in the message that is counted. */
  #values = 0
  #fields = 0

  constructor(bytes: Buffer, requireMessages: CountMessages) {
    this.#reader = new ExactReader(bytes)
    this.#requireMessages = requireMessages
    this.#isCounted = bytes.length > 2 * COUNTED.messages.free
  }

  open(level: Level, parent?: ProtobufFrame): ProtobufFrame {
    const reader = this.#reader
    if (!parent) {
      this.#limit(level, reader.len)
      return { level, heads: [], end: reader.len }
    }
    const from = reader.pos
    const head = this.read(level)
    const end = reader.pos
    reader.pos = from
    reader.uint32()
    return { level, heads: [...parent.heads, head], end }
  }

  find({ level, end }: ProtobufFrame): Level | undefined {
    const reader = this.#reader
    while (reader.pos < end) {
      const tag = reader.uint32()
      const found = listOf(level.lists, tag)
      if (found) return found.level
      reader.skipType(tag & 7, 0, tag >>> 3)
    }
    this.#requireEnd(end)
    return undefined
  }

  read(level: Level): Message {
    const reader = this.#reader
    const length = reader.uint32()
    this.#limit(level, reader.pos + length)
    return level.type.decode(reader, length) as unknown as Message
  }

  /** Looks through the message up to `end`, unless it is too short to have too much in it. */
  #limit({ type, lists, isItem }: Level, end: number): void {
    const from = this.#reader.pos
    if (isItem && end - from > MESSAGE_BYTES_MAX) throw new WireError(`${type.name} has more than ${MESSAGE_BYTES_MAX} bytes`)
    if (!this.#isCounted && end - from < VALUES_MAX / MESSAGE_VALUES) return
    this.#values = this.#fields = 0
    this.#count(type, end, lists)
    this.#reader.pos = from
  }

  /** Counts the messages in lists up to `end`, and the numbers. @param lists those that are not built with the message */
  #count(type: protobuf.Type, end: number, lists: Level['lists'], depth = 0): void {
    const reader = this.#reader
    if (depth > DEPTH_MAX) throw new WireError('it is nested too deep')
    while (reader.pos < end) {
      if (++this.#fields > FIELDS_MAX) throw new WireError(`${type.name} has more than ${FIELDS_MAX} fields`)
      const tag = reader.uint32()
      const id = tag >>> 3
      const isLong = (tag & 7) === LEN
      const field = type.fieldsById[id]
      const to = isLong && field ? reader.uint32() + reader.pos : 0
      if (listOf(lists, tag)) this.#requireMessages(++this.#messages)
      if (field?.repeated) this.#addValue(field)
      if (to > 0 && field?.resolvedType instanceof Type) this.#count(field.resolvedType, to, [], depth + 1)
      else if (to > 0 && field?.repeated) {
        for (; reader.pos < to; this.#addValue(field)) reader.skipType(WIRE_TYPES[field.type] ?? LEN)
      } else if (to > 0) reader.pos = to
      else reader.skipType(tag & 7, 0, id)
    }
    this.#requireEnd(end)
  }

  #addValue({ name, resolvedType }: protobuf.Field): void {
    this.#values += resolvedType ? MESSAGE_VALUES : 1
    if (resolvedType) this.#requireMessages(++this.#messages)
    if (this.#values > VALUES_MAX) throw new WireError(`${name} has more than ${VALUES_MAX} values`)
  }

  #requireEnd(end: number): void {
    if (this.#reader.pos > end) throw new WireError('a message ends after the one that it is in')
  }
}

function listOf(lists: Level['lists'], tag: number): Level['lists'][number] | undefined {
  return (tag & 7) === LEN ? lists.find(({ id }) => id === tag >>> 3) : undefined
}
