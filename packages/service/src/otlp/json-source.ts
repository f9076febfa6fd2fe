/**
 * A request of OTLP in JSON, by the protocol's rules. It is read up to each item, of which the text is parsed alone.
 */
import { isUtf8 } from 'node:buffer'
import { parseExact } from '@deployment-annotations/contract/exact-json'
import {
  BACKSLASH,
  DOT,
  JsonReader,
  JsonSyntaxError,
  LBRACE,
  LBRACKET,
  MORE,
  QUOTE,
  RBRACE,
  RBRACKET,
} from '@deployment-annotations/event-store/scan/json-reader'
import { type CountMessages, type Frame, ITEM_VALUES_MAX, type Level, type Message, type Source, WireError } from './levels.ts'

/** A double holds every whole number with so many digits. */
const EXACT_DIGITS_MAX = 15
const [ZERO, NINE] = [0x30, 0x39]

interface JsonFrame extends Frame {
  readonly heads: readonly Record<string, unknown>[]
  /** What is in the array that is being read. */
  list: Level | undefined
  /** Where its first member is. */
  readonly from: number
  /** The first message in a list of it, if that is open. It is often the only one, and most of the body. */
  first: JsonFrame | undefined
  /** Where its items end, and how many of them were read. */
  readonly itemEnds: number[]
  itemsRead: number
  /** Whether an item has a whole number that a double may not hold. */
  hasLong: boolean
  /** Whether nothing was read since the last bracket or brace was opened. */
  isNew: boolean
}

export class JsonSource extends JsonReader implements Source<JsonFrame> {
  readonly #requireMessages: CountMessages
  #messages = 0
  /** How many objects and arrays there are in the value that was skipped last, and whether a long number. */
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
    const opened = parent?.first ?? this.#open(level, parent)
    if (parent) parent.first = undefined
    this.pos = opened.from
    opened.isNew = true
    return opened
  }

  find(frame: JsonFrame): Level | undefined {
    const level = this.#next(frame)
    if (!level && frame.heads.length === 0 && this.next() !== undefined) this.wrong('nothing after the request')
    return level
  }

  read(level: Level, frame: JsonFrame): Message {
    this.#requireObject(level)
    const from = this.pos
    this.pos = frame.itemEnds[frame.itemsRead++] as number
    return this.#parse(from, frame.hasLong) as Message
  }

  explain(cause: unknown): unknown {
    if (cause instanceof JsonSyntaxError) return new WireError(`it is not JSON: ${cause.message} at byte ${cause.at}`, { cause })
    if (cause instanceof SyntaxError) return new WireError(`it is not JSON: ${cause.message}`, { cause })
    return cause === MORE ? new WireError('it is not JSON: it ends too early', { cause }) : cause
  }

  /** Reads all of a message but its items, and goes to its end. */
  #open(level: Level, parent?: JsonFrame): JsonFrame {
    this.#requireObject(level)
    if (parent?.heads.length === 0) this.#addMessages(1)
    const head: Record<string, unknown> = {}
    const heads = parent ? [...parent.heads, head] : []
    const from = ++this.pos
    const frame: JsonFrame = {
      level,
      heads,
      list: undefined,
      from,
      first: undefined,
      itemEnds: [],
      itemsRead: 0,
      hasLong: false,
      isNew: true,
    }
    if (!parent) return frame
    for (let inner = this.#next(frame, head); inner; inner = this.#next(frame, head)) {
      if (!inner.isItem) this.#addMessages(1)
      if (!inner.isItem && !frame.first) {
        frame.first = this.#open(inner, frame)
        continue
      }
      this.#skip()
      if (!inner.isItem) continue
      this.#countValues()
      frame.itemEnds.push(this.pos)
      frame.hasLong ||= this.#hasLong
    }
    return frame
  }

  #requireObject({ type }: Level): void {
    if (this.next() !== LBRACE) throw new WireError(`${type.name} must be an object`)
  }

  /** Goes to the next message of a list. @param head gets the other members */
  #next(frame: JsonFrame, head?: Record<string, unknown>): Level | undefined {
    const { lists, type } = frame.level
    for (;;) {
      if (frame.list && this.#isMore(frame, RBRACKET)) return frame.list
      frame.list = undefined
      if (!this.#isMore(frame, RBRACE)) return undefined
      const name = this.#name()
      const first = this.colon()
      const level = lists.find((list) => list.name === name)?.level
      if (level && first === LBRACE) return level
      if (level && first === LBRACKET) {
        this.pos++
        frame.list = level
        frame.isNew = true
        continue
      }
      const from = this.pos
      this.#skip()
      if (!head || !Object.hasOwn(type.fields, name)) continue
      this.#countValues()
      head[name] = this.#parse(from, this.#hasLong)
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

  /** Parses the value that ends at the present position. */
  #parse(from: number, hasLong: boolean): unknown {
    const text = this.buf.toString('utf8', from, this.pos)
    return hasLong ? parseExact(text) : JSON.parse(text)
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
    let at = this.pos
    let depth = 0
    let digits = 0
    do {
      const byte = buf[at++]
      if (byte === QUOTE) at = endOfString(buf, at)
      else if (byte === LBRACE || byte === LBRACKET) {
        depth++
        this.#opened++
      } else if (byte === RBRACE || byte === RBRACKET) depth--
      else if (byte === undefined) throw MORE
      else if (byte < ZERO || byte > NINE) digits = byte === DOT ? Number.NEGATIVE_INFINITY : 0
      else if (++digits > EXACT_DIGITS_MAX) this.#hasLong = true
    } while (depth > 0)
    this.pos = at
  }

  /** Counts what is in the value that was skipped, before it is built. */
  #countValues(): void {
    if (this.#opened > ITEM_VALUES_MAX) throw new WireError(`an item has more than ${ITEM_VALUES_MAX} objects and arrays`)
    this.#addMessages(this.#opened)
  }

  #addMessages(count: number): void {
    this.#messages += count
    this.#requireMessages(this.#messages)
  }
}

/** @returns the position after its closing quote */
function endOfString(buf: Buffer, from: number): number {
  for (let at = from; ; at++) {
    const byte = buf[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
    else if (byte === undefined) throw MORE
  }
}
