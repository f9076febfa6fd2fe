/**
 * A request of OTLP in JSON, by the protocol's rules. It is read up to each item, of which the text is parsed alone.
 */
import { isUtf8 } from 'node:buffer'
import { parseExact } from '@deployment-annotations/contract/exact-json'
import {
  BACKSLASH,
  JsonReader,
  JsonSyntaxError,
  LBRACE,
  LBRACKET,
  MORE,
  QUOTE,
  RBRACE,
  RBRACKET,
} from '@deployment-annotations/event-store/scan/json-reader'
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

const [ZERO, NINE] = [0x30, 0x39]
/** A double holds every whole number with so many digits. */
const EXACT_DIGITS_MAX = 15
/** Brackets and braces differ from each other by this bit. */
const CURLY = 0x20

interface JsonFrame extends Frame {
  readonly heads: readonly Record<string, unknown>[]
  /** What is in the array that is being read. */
  list: Level | undefined
  /** Whether nothing was read since the last bracket or brace was opened. */
  isNew: boolean
}

export class JsonSource extends JsonReader implements Source<JsonFrame> {
  readonly #requireMessages: CountMessages
  #messages = 0
  /** How many objects and arrays there are in the value that was read last, and whether a long number. */
  #opened = 0
  #hasLong = false

  /** @throws WireError */
  constructor(bytes: Buffer, requireMessages: CountMessages) {
    super()
    this.buf = bytes
    this.#requireMessages = requireMessages
    if (!isUtf8(bytes)) throw new WireError('it is not UTF-8')
  }

  open(level: Level, parent?: JsonFrame): JsonFrame {
    return this.#reading(() => {
      if (parent?.heads.length === 0) this.#addMessages(1)
      const head: Record<string, unknown> = {}
      const frame = { level, heads: parent ? [...parent.heads, head] : [], list: undefined, isNew: true }
      if (this.next() !== LBRACE) throw new WireError(`${level.type.name} must be an object`)
      this.pos++
      if (!parent) return frame
      const from = this.pos
      while (this.#next(frame, head)) {
        this.#skip()
        this.#addMessages(1)
      }
      this.pos = from
      return { ...frame, isNew: true }
    })
  }

  find(frame: JsonFrame): Level | undefined {
    return this.#reading(() => {
      const level = this.#next(frame)
      if (!level && frame.heads.length === 0 && this.next() !== undefined) this.wrong('nothing after the request')
      return level
    })
  }

  read({ type }: Level): Message {
    return this.#reading(() => {
      const from = this.pos
      if (this.next() !== LBRACE) throw new WireError(`${type.name} must be an object`)
      this.#skip()
      return this.#parse(from) as Message
    })
  }

  /** Goes to the next message of a list. @param head gets the other members */
  #next(frame: JsonFrame, head?: Record<string, unknown>): Level | undefined {
    const { byName, type } = frame.level
    for (;;) {
      if (frame.list && this.#isMore(frame, RBRACKET)) return frame.list
      frame.list = undefined
      if (!this.#isMore(frame, RBRACE)) return undefined
      const name = this.#name()
      const first = this.colon()
      const level = byName.get(name)
      if (level && first === LBRACE) return level
      if (level && first === LBRACKET) {
        this.pos++
        frame.list = level
        frame.isNew = true
        continue
      }
      const from = this.pos
      this.#skip()
      if (head && Object.hasOwn(type.fields, name)) head[name] = this.#parse(from)
    }
  }

  #isMore(frame: JsonFrame, close: number): boolean {
    const isMore = frame.isNew ? this.isFilled(close) : this.hasMore(close)
    frame.isNew = false
    return isMore
  }

  #name(): string {
    const from = this.pos
    if (this.buf[from] !== QUOTE) this.wrong('a name in double quotes')
    this.string()
    return this.textOf(from, this.pos)
  }

  /** Parses the value that was skipped. */
  #parse(from: number): unknown {
    if (this.#opened > ITEM_VALUES_MAX) throw new WireError(`it has more than ${ITEM_VALUES_MAX} objects and arrays in one item`)
    this.#addMessages(Math.max(this.#opened - 1, 0))
    const text = this.buf.toString('utf8', from, this.pos)
    return this.#hasLong ? parseExact(text) : JSON.parse(text)
  }

  /** Goes to the end of a value. What is in an object or an array is held to JSON when it is parsed, or is not kept. */
  #skip(): void {
    const first = this.buf[this.pos]
    this.#opened = 0
    this.#hasLong = false
    if (first === QUOTE) this.string()
    else if (first === LBRACE || first === LBRACKET) this.#skipOpen()
    else this.scalar(first)
  }

  #skipOpen(): void {
    const { buf } = this
    const end = buf.length
    let at = this.pos
    let depth = 0
    let digits = 0
    do {
      if (at >= end) throw MORE
      const byte = buf[at++] as number
      if (byte === QUOTE) {
        while (at < end && buf[at] !== QUOTE) at += buf[at] === BACKSLASH ? 2 : 1
        at++
      } else if ((byte | CURLY) === LBRACE) {
        depth++
        this.#opened++
      } else if ((byte | CURLY) === RBRACE) depth--
      digits = byte >= ZERO && byte <= NINE ? digits + 1 : 0
      if (digits > EXACT_DIGITS_MAX) this.#hasLong = true
    } while (depth > 0)
    this.pos = at
  }

  #addMessages(count: number): void {
    const before = this.#messages
    this.#messages += count
    if (Math.floor(before / MESSAGES_AT_ONCE) !== Math.floor(this.#messages / MESSAGES_AT_ONCE))
      this.#requireMessages(this.#messages)
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (cause) {
      if (cause instanceof JsonSyntaxError) throw new WireError(`it is not JSON: ${cause.message} at byte ${cause.at}`, { cause })
      if (cause instanceof SyntaxError) throw new WireError(`it is not JSON: ${cause.message}`, { cause })
      if (cause === MORE) throw new WireError('it is not JSON: it ends too early', { cause })
      throw cause
    }
  }
}
