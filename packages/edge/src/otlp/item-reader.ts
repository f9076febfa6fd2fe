/**
 * Reads the items of a request of OTLP in JSON from its bytes. JSON.parse takes longer, because it does not know that most objects are
 * attributes and their values, and that the names in an item are those in the item before.
 * Deliberately not here: what is wrong with an item that is no JSON, and long lists. Both are left to JSON.parse.
 */
import {
  BACKSLASH,
  COLON,
  COMMA,
  LBRACE,
  LBRACKET,
  QUOTE,
  RBRACE,
  RBRACKET,
  skipWhitespace,
} from '@deployment-annotations/event-store/scan/json-reader'
import { Members } from './values.ts'

/**
 * How much there may be in an item. A value that JSON.parse reads faster costs more than a string in ASCII, so that no body takes much
 * longer than JSON.parse would; so does an object or an array, which bounds the nesting.
 */
const COSTS_MAX = 4_096
const [STRING_COST, NESTED_COST, PARSED_COST] = [1, 8, 64]
const [SPACE, DELETE] = [0x20, 0x7f]
/** Whether a byte of a string stands for itself. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte < DELETE && byte !== QUOTE && byte !== BACKSLASH),
)
/** Whether a byte may be one of a number, or of `true`, `false` and `null`. */
const IS_OF_WORD = Uint8Array.from({ length: 256 }, (_, byte) => Number(/[\w.+-]/.test(String.fromCharCode(byte))))
const INTEGER = /^-?\d+$/
/** Thrown for what JSON.parse is to read; one for all, because there may be many. */
const UNREAD = new SyntaxError('an item is for JSON.parse')

export class ItemReader {
  readonly #buf: Buffer
  /** The item, with a character for each byte. */
  #text = ''
  #start = 0
  #at = 0
  #costs = 0
  /** The names of members and attributes in the order of the item before, where they are, and how many of this one are read. */
  readonly #names: { text: string; from: number }[] = []
  #read = 0

  constructor(buf: Buffer) {
    this.#buf = buf
  }

  /** @returns the item between two positions @throws SyntaxError if JSON.parse is to read it */
  read(from: number, to: number): unknown {
    this.#text = this.#buf.toString('latin1', from, to)
    this.#start = this.#at = from
    this.#costs = this.#read = 0
    const value = this.#value()
    if (skipWhitespace(this.#buf, this.#at) !== to) throw UNREAD
    return value
  }

  #value(): unknown {
    const byte = this.#next()
    if (byte === QUOTE) return this.#string()
    if (byte === LBRACE) return this.#object()
    if (byte === LBRACKET) return this.#array()
    return this.#word()
  }

  #object(): object {
    if (!this.#isFilled(RBRACE)) return {}
    const name = this.#memberName()
    const value = name === 'key' && this.#next() === QUOTE ? this.#name() : this.#value()
    if (!this.#hasMore(RBRACE)) return objectOf(name, value)
    const second = this.#memberName()
    const other = this.#value()
    let hasMore = this.#hasMore(RBRACE)
    if (!hasMore && name === 'key' && second === 'value') return { key: value, value: other }
    const members = new Members<unknown>()
    members[name] = value
    members[second] = other
    for (; hasMore; hasMore = this.#hasMore(RBRACE)) members[this.#memberName()] = this.#value()
    return members
  }

  #array(): unknown[] {
    const items: unknown[] = []
    for (let hasMore = this.#isFilled(RBRACKET); hasMore; hasMore = this.#hasMore(RBRACKET)) items.push(this.#value())
    return items
  }

  #memberName(): string {
    if (this.#next() !== QUOTE) throw UNREAD
    const name = this.#name()
    if (this.#next() !== COLON) throw UNREAD
    this.#at++
    return name
  }

  /** Reads a string that most items have at this place, such as the name of an attribute. */
  #name(): string {
    const buf = this.#buf
    const from = this.#at + 1
    const last = this.#names[this.#read]
    if (last && isSame(buf, last.from, from, last.text.length + 1)) {
      this.#at = from + last.text.length + 1
      this.#read++
      return last.text
    }
    const text = this.#string()
    // Only a name in ASCII without escapes has the length of its bytes.
    if (text.length === this.#at - 1 - from) this.#names[this.#read++] = { text, from }
    return text
  }

  #string(): string {
    const buf = this.#buf
    const isPlain = IS_PLAIN
    const from = this.#at + 1
    let at = from
    while (isPlain[buf[at] as number] === 1) at++
    if (buf[at] === QUOTE) {
      this.#count(STRING_COST)
      this.#at = at + 1
      return this.#text.slice(from - this.#start, at - this.#start)
    }
    this.#count(PARSED_COST)
    this.#at = endOfString(buf, this.#at) + 1
    return JSON.parse(buf.toString('utf8', from - 1, this.#at)) as string
  }

  #word(): unknown {
    this.#count(PARSED_COST)
    const from = this.#at
    let at = from
    while (IS_OF_WORD[this.#buf[at] as number] === 1) at++
    this.#at = at
    const word = this.#text.slice(from - this.#start, at - this.#start)
    const value: unknown = JSON.parse(word)
    return Number.isSafeInteger(value) || !INTEGER.test(word) ? value : BigInt(word)
  }

  /** Goes into an object or an array, and behind it if nothing is in it. */
  #isFilled(close: number): boolean {
    this.#count(NESTED_COST)
    this.#at++
    if (this.#next() !== close) return true
    this.#at++
    return false
  }

  /** Goes behind the comma after a value, or behind the closing byte. */
  #hasMore(close: number): boolean {
    const byte = this.#next()
    if (byte !== COMMA && byte !== close) throw UNREAD
    this.#at++
    return byte === COMMA
  }

  /** Goes to the next byte that is no whitespace. */
  #next(): number | undefined {
    const byte = this.#buf[this.#at] as number
    if (byte > SPACE) return byte
    this.#at = skipWhitespace(this.#buf, this.#at)
    return this.#buf[this.#at]
  }

  #count(cost: number): void {
    this.#costs += cost
    if (this.#costs > COSTS_MAX) throw UNREAD
  }
}

/** @returns an object with this one member */
function objectOf(name: string, value: unknown): object {
  if (name === 'stringValue') return { stringValue: value }
  if (name === 'intValue') return { intValue: value }
  if (name === 'doubleValue') return { doubleValue: value }
  if (name === 'boolValue') return { boolValue: value }
  const members = new Members<unknown>()
  members[name] = value
  return members
}

function isSame(buf: Buffer, one: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (buf[one + i] !== buf[other + i]) return false
  return true
}

/** @returns where its closing quote is, or the end of the body */
export function endOfString(buf: Buffer, from: number): number {
  for (let at = from + 1; ; at++) {
    const byte = buf[at]
    if (byte === QUOTE || byte === undefined) return at
    if (byte === BACKSLASH) at++
  }
}
