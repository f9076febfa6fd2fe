/**
 * A request of OTLP in JSON, by the protocol's rules: integers of 64 bits as strings or numbers, ids in hexadecimal digits, bytes in
 * base64. The body is read once, strictly, into a list of where its values begin and end; the place of a value is its index there.
 */
import { isUtf8 } from 'node:buffer'
import { TYPE_BITS } from '@deployment-annotations/event-store/fields/field'
import type { EventBuilder } from '@deployment-annotations/event-store/scan/event-builder'
import { ESCAPED } from '@deployment-annotations/event-store/scan/event-shape'
import {
  BACKSLASH,
  JsonSyntaxError,
  LBRACE,
  LBRACKET,
  MINUS,
  MORE,
  QUOTE,
} from '@deployment-annotations/event-store/scan/json-reader'
import type { JsonText } from './json-text.ts'
import { JsonValues } from './json-values.ts'
import { AnyValue, KeyValue } from './messages.ts'
import { ABSENT, type MessageFields, REQUEST, type Source } from './source.ts'
import { type Fields, isSame, type Message, type NamedField, WireError } from './wire.ts'

const [LOWER_N, LOWER_T, LOWER_F] = [0x6e, 0x74, 0x66]
const { key: KEY, value: VALUE } = KeyValue.fields
const { string: STRING, integer: INTEGER } = TYPE_BITS
const ZERO = 0x30
/** Whole numbers with fewer digits fit into 64 bits. */
const PLAIN_DIGITS_MAX = 19
/** A double as the halves of its bits, on a machine whose lower half is first. */
const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)
/** How much of a wrong value a message shows. */
const SHOWN_MAX = 100

export class JsonSource implements Source {
  keyAt = ABSENT
  valueAt = ABSENT
  anyAt = ABSENT
  readonly #buf: Buffer
  readonly #values: Int32Array

  /** @throws WireError */
  constructor(bytes: Buffer) {
    this.#buf = bytes
    try {
      if (!isUtf8(bytes)) throw new WireError('it is not UTF-8')
      this.#values = new JsonValues(bytes).read()
    } catch (cause) {
      if (cause instanceof JsonSyntaxError) throw new WireError(`it is not JSON: ${cause.message} at byte ${cause.at}`, { cause })
      if (cause === MORE) throw new WireError('it is not JSON: it ends too early', { cause })
      throw cause
    }
  }

  find(place: number, found: MessageFields): void {
    const { message } = found
    found.clear()
    this.#each(place === REQUEST ? 0 : place, message, (field, at) => {
      if (!field.isRepeated) found.set(field, at)
      else this.#list(field, at, found)
    })
  }

  pair(place: number): void {
    this.keyAt = ABSENT
    this.valueAt = ABSENT
    const end = this.#open(place, KeyValue.name)
    for (let at = place + 1; at < end; at = this.#after(at + 1)) {
      const from = (this.#from(at) as number) + 1
      const to = this.#to(at) - 1
      if (this.#buf[this.#from(at + 1)] === LOWER_N) continue
      if (isSame(KEY.nameBytes, this.#buf, from, to)) this.keyAt = at + 1
      else if (isSame(VALUE.nameBytes, this.#buf, from, to)) this.valueAt = at + 1
      else if (this.#hasEscapes(from, to)) {
        const name = this.#textOf(at)
        if (name === 'key') this.keyAt = at + 1
        else if (name === 'value') this.valueAt = at + 1
      }
    }
  }

  any(place: number): number {
    let id = 0
    this.#each(place, AnyValue, (field, at) => {
      if (id !== 0 && field.id > id) return
      id = field.id
      this.anyAt = at
    })
    return id
  }

  text(at: number, field: NamedField): { bytes: Buffer; from: number; to: number } {
    this.#requireText(at, field)
    const from = this.#from(at) + 1
    const to = this.#to(at) - 1
    if (!this.#hasEscapes(from, to)) return { bytes: this.#buf, from, to }
    const bytes = Buffer.from(this.#textOf(at))
    return { bytes, from: 0, to: bytes.length }
  }

  /** Its bytes are JSON already. */
  writeText(at: number, field: NamedField, out: JsonText): void {
    this.#requireText(at, field)
    out.raw(this.#buf, this.#from(at), this.#to(at))
  }

  isEmpty(at: number, field: NamedField): boolean {
    this.#requireText(at, field)
    return this.#to(at) - this.#from(at) === 2
  }

  bool(at: number, field: NamedField): boolean {
    const first = this.#buf[this.#from(at)]
    if (first !== LOWER_T && first !== LOWER_F) throw this.#unexpected(at, field.name, 'true or false')
    return first === LOWER_T
  }

  int(at: number, field: NamedField): number {
    return Number(this.digits(at, field))
  }

  digits(at: number, field: NamedField): string {
    const isText = this.#buf[this.#from(at)] === QUOTE
    const text = isText ? this.#buf.toString('latin1', this.#from(at) + 1, this.#to(at) - 1) : this.#raw(at)
    if (/^(?:0|-?[1-9]\d{0,19})$/.test(text)) return text
    // Written in another way: 007 as a string, or 5.0 and 1e3 as a number.
    if (isText && /^-?\d{1,20}$/.test(text)) return BigInt(text).toString()
    const number = Number(text)
    if (!isText && Number.isSafeInteger(number)) return String(number)
    throw this.#unexpected(at, field.name, 'a whole number')
  }

  double(at: number, field: NamedField): number {
    const isText = this.#buf[this.#from(at)] === QUOTE
    const text = isText ? this.#textOf(at) : this.#raw(at)
    if (text === 'NaN') return Number.NaN
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isNaN(number)) throw this.#unexpected(at, field.name, 'a number')
    return number
  }

  bytes(at: number, field: NamedField): Buffer {
    this.#requireText(at, field)
    const text = this.#textOf(at)
    if (field.type === 'id') {
      if (/^(?:[\da-f]{2})*$/i.test(text)) return Buffer.from(text, 'hex')
      throw this.#unexpected(at, field.name, 'an id in hexadecimal digits')
    }
    if (/^[\w+/-]*=*$/.test(text)) return Buffer.from(text, 'base64')
    throw this.#unexpected(at, field.name, 'bytes in base64')
  }

  /** Its bytes are JSON already. */
  addText(at: number, field: NamedField, event: EventBuilder): void {
    this.#requireText(at, field)
    const from = this.#from(at)
    const to = this.#to(at)
    const hasEscapes = this.#hasEscapes(from, to)
    // Half of a surrogate pair is no character.
    if (hasEscapes && this.#buf.subarray(from, to).includes('\\u')) event.isComplete = false
    event.json(hasEscapes ? STRING | ESCAPED : STRING, from, to)
  }

  addInteger(at: number, field: NamedField, event: EventBuilder): void {
    const buf = this.#buf
    let from = this.#from(at)
    let to = this.#to(at)
    if (buf[from] === QUOTE) {
      from++
      to--
    }
    let i = buf[from] === MINUS ? from + 1 : from
    const isPlain = to - i < PLAIN_DIGITS_MAX && i < to && (buf[i] !== ZERO || to === from + 1)
    while (i < to && (buf[i] as number) >= ZERO && (buf[i] as number) < ZERO + 10) i++
    if (isPlain && i === to) event.json(INTEGER, from, to)
    else event.digits(this.digits(at, field))
  }

  addDouble(at: number, field: NamedField, event: EventBuilder): void {
    const value = this.double(at, field)
    if (!Number.isFinite(value)) return
    double[0] = value
    event.float(halves[0] as number, halves[1] as number)
  }

  /** Members that are not described are ignored, as the protocol wants it. */
  #each(place: number, message: Message<Fields>, take: (field: NamedField, at: number) => void): void {
    const end = this.#open(place, message.name)
    const buf = this.#buf
    for (let at = place + 1; at < end; at = this.#after(at + 1)) {
      const from = this.#from(at) + 1
      const to = this.#to(at) - 1
      let field = message.named(buf, from, to)
      if (!field && this.#hasEscapes(from, to)) {
        const name = Buffer.from(this.#textOf(at))
        field = message.named(name, 0, name.length)
      }
      if (field && buf[this.#from(at + 1)] !== LOWER_N) take(field, at + 1)
    }
  }

  #list(field: NamedField, place: number, found: MessageFields): void {
    if (this.#buf[this.#from(place)] !== LBRACKET) throw this.#unexpected(place, field.name, 'an array')
    const end = this.#to(place)
    for (let at = place + 1; at < end; at = this.#after(at)) found.set(field, at)
  }

  /** @returns the index after the last value in an object */
  #open(place: number, name: string): number {
    if (this.#buf[this.#from(place)] !== LBRACE) throw this.#unexpected(place, name, 'an object')
    return this.#to(place)
  }

  #from(at: number): number {
    return this.#values[2 * at] as number
  }

  #to(at: number): number {
    return this.#values[2 * at + 1] as number
  }

  #after(at: number): number {
    const first = this.#buf[this.#from(at)]
    return first === LBRACE || first === LBRACKET ? this.#to(at) : at + 1
  }

  #hasEscapes(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (this.#buf[i] === BACKSLASH) return true
    return false
  }

  #raw(at: number): string {
    const first = this.#buf[this.#from(at)]
    return first === LBRACE || first === LBRACKET ? '' : this.#buf.toString('latin1', this.#from(at), this.#to(at))
  }

  #textOf(at: number): string {
    return JSON.parse(this.#buf.toString('utf8', this.#from(at), this.#to(at))) as string
  }

  #requireText(at: number, { name }: NamedField): void {
    if (this.#buf[this.#from(at)] !== QUOTE) throw this.#unexpected(at, name, 'a string')
  }

  #unexpected(at: number, name: string, expected: string): WireError {
    const first = this.#buf[this.#from(at)]
    const whole = first === QUOTE ? this.#textOf(at) : this.#raw(at)
    const got = first === LBRACE ? 'an object' : first === LBRACKET ? 'an array' : whole.slice(0, SHOWN_MAX)
    return new WireError(`${name} must be ${expected}, got ${got}`)
  }
}
