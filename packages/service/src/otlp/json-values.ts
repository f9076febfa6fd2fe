/**
 * Where the values of a JSON text begin and end, and which of them are members with the name of a field of OTLP, read strictly and
 * without making any of them.
 */
import {
  COLON,
  COMMA,
  JsonReader,
  LBRACE,
  LBRACKET,
  QUOTE,
  RBRACE,
  RBRACKET,
} from '@deployment-annotations/event-store/scan/json-reader'
import { KeyValue } from './messages.ts'
import type { CountMessages } from './source.ts'
import { nameAt, nameBytes, nameIdOf } from './wire.ts'

/**
 * How many numbers of the list a value has: where it begins; where it ends, or of an object or an array the place of the value after it
 * in the list; and twice the number of its name, 0 where it has none, with {@link ESCAPES} added.
 */
export const VALUE_SIZE = 3
/** A string with escapes. */
export const ESCAPES = 1
/** About how many bytes a value takes; where they take less, the list grows. */
const BYTES_OF_VALUE = 12

/** Lists that are not used any more, for the next requests: memory outside of the heap is dear to the garbage collector. */
const spare: Int32Array[] = []
const SPARE_MAX = 4
const SPARE_LENGTH_MAX = 524_288

/** @param list that nobody reads any more */
export function releaseList(list: Int32Array): void {
  if (spare.length < SPARE_MAX && list.length <= SPARE_LENGTH_MAX) spare.push(list)
}

function acquireList(length: number): Int32Array {
  const list = spare.pop()
  return list && list.length >= length ? list : new Int32Array(length)
}

const { key: KEY, value: VALUE } = KeyValue.fields
/** How an attribute begins and goes on after its key, four bytes at a time. */
const fourBytes = (text: string) => Buffer.from(text).readInt32LE()
const [BEGIN_1, BEGIN_2, BEGIN_BYTES] = [fourBytes('{"ke'), fourBytes('y":"'), 8]
const [MIDDLE_1, MIDDLE_2, MIDDLE_BYTES] = [fourBytes(',"va'), fourBytes('lue"'), 10]
/** An attribute is at least as long. */
const PAIR_BYTES_MIN = '{"key":"","value":{"intValue":1}}'.length
const SPACE = 0x20

export class JsonValues extends JsonReader {
  readonly #view: DataView
  readonly #requireMessages: CountMessages
  #list: Int32Array
  #length = 0
  /** The number of the name of the value that is read next. */
  #nameId = 0

  constructor(bytes: Buffer, requireMessages: CountMessages) {
    super()
    this.buf = bytes
    this.#requireMessages = requireMessages
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#list = acquireList(VALUE_SIZE * Math.max(32, Math.ceil(bytes.length / BYTES_OF_VALUE)))
  }

  /** @throws JsonSyntaxError, MORE */
  read(): Int32Array {
    const parents: number[] = []
    let open = -1
    for (;;) {
      const byte = this.next()
      if (byte === LBRACE && this.#isArray(open) && this.#usualPairs()) {
        // They are read, with all that is in them.
      } else if (byte === LBRACE || byte === LBRACKET) {
        parents.push(open)
        open = this.#add(this.pos, 0, this.#nameId, 0)
        this.pos++
        if (this.next() !== (byte === LBRACE ? RBRACE : RBRACKET)) {
          this.#nameId = byte === LBRACE ? this.#name() : 0
          continue
        }
      } else {
        const from = this.pos
        const escapes = this.#single(from)
        this.#add(from, this.pos, this.#nameId, escapes)
      }
      open = this.#close(open, parents)
      if (open < 0) break
    }
    if (this.next() !== undefined) this.wrong('nothing after the request')
    return this.#list
  }

  /** Reads attributes that follow each other. @returns whether there is one; if not, nothing is read */
  #usualPairs(): boolean {
    if (!this.#usualPair()) return false
    for (let end = this.pos; this.buf[end] === COMMA; end = this.pos) {
      this.pos = end + 1
      if (this.#usualPair()) continue
      this.pos = end
      return true
    }
    return true
  }

  /**
   * Reads an attribute as nearly all are written, `{"key":"name","value":{"stringValue":"text"}}`, in a third of the time.
   * @returns whether it is one; if not, nothing is read
   */
  #usualPair(): boolean {
    const buf = this.buf
    const view = this.#view
    const from = this.pos
    if (from + PAIR_BYTES_MIN > buf.length || view.getInt32(from, true) !== BEGIN_1 || view.getInt32(from + 4, true) !== BEGIN_2)
      return false
    const key = from + BEGIN_BYTES - 1
    const keyEscapes = this.#single(key)
    const keyEnd = this.pos
    const value = keyEnd + MIDDLE_BYTES - 1
    const isValue = value + 4 < buf.length && view.getInt32(keyEnd, true) === MIDDLE_1
    if (isValue && view.getInt32(keyEnd + 4, true) === MIDDLE_2 && buf[value - 1] === COLON && buf[value] === LBRACE) {
      const name = nameAt(buf, value + 1)
      const colon = value + 1 + nameBytes(name)
      const first = buf[colon + 1]
      if (name !== 0 && buf[colon] === COLON && first !== LBRACE && first !== LBRACKET && (first ?? 0) > SPACE) {
        const escapes = this.#single(colon + 1)
        const end = this.pos
        if (buf[end] === RBRACE && buf[end + 1] === RBRACE) {
          this.pos = end + 2
          const after = this.#length + 4 * VALUE_SIZE
          this.#add(from, after, 0, 0)
          this.#add(key, keyEnd, KEY.nameId, keyEscapes)
          this.#add(value, after, VALUE.nameId, 0)
          this.#add(colon + 1, end, name, escapes)
          return true
        }
      }
    }
    this.pos = from
    return false
  }

  #isArray(at: number): boolean {
    return at >= 0 && this.buf[this.#list[at] as number] === LBRACKET
  }

  /** Reads a string, a number or a word. @returns {@link ESCAPES} where it has any */
  #single(from: number): number {
    this.pos = from
    this.hasEscapes = false
    const byte = this.buf[from]
    if (byte === QUOTE) this.string()
    else this.scalar(byte)
    return this.hasEscapes ? ESCAPES : 0
  }

  /** Goes to the next value. @returns the object or array that it is in, -1 at the end */
  #close(opened: number, parents: number[]): number {
    let open = opened
    while (open >= 0) {
      const isObject = this.buf[this.#list[open] as number] === LBRACE
      const byte = this.next()
      if (byte === COMMA) {
        this.pos++
        if (isObject) this.next()
        this.#nameId = isObject ? this.#name() : 0
        return open
      }
      if (byte !== (isObject ? RBRACE : RBRACKET)) this.wrong(isObject ? "',' or '}'" : "',' or ']'")
      this.pos++
      this.#list[open + 1] = this.#length
      open = parents.pop() as number
    }
    return open
  }

  /** Reads a name and its colon. @returns its number */
  #name(): number {
    const quote = this.pos
    if (this.buf[quote] !== QUOTE) this.wrong('a name in double quotes')
    let id = nameAt(this.buf, quote)
    if (id > 0) this.pos = quote + nameBytes(id)
    else if (this.#single(quote) === ESCAPES) id = nameIdOf(this.textOf(quote, this.pos))
    if (this.next() !== COLON) this.wrong("':'")
    this.pos++
    return id
  }

  #add(from: number, to: number, name: number, escapes: number): number {
    const at = this.#length
    if (at + VALUE_SIZE > this.#list.length) this.#grow()
    const list = this.#list
    list[at] = from
    list[at + 1] = to
    list[at + 2] = (name << 1) | escapes
    this.#length = at + VALUE_SIZE
    return at
  }

  /** Called where values take fewer bytes than usual; each of them counts as a message. */
  #grow(): void {
    this.#requireMessages(this.#length / VALUE_SIZE)
    const larger = new Int32Array(this.#list.length * 2)
    larger.set(this.#list)
    this.#list = larger
  }
}
