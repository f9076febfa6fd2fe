/**
 * A request of OTLP in JSON, by the protocol's rules: integers of 64 bits as strings or numbers, ids in hexadecimal digits, bytes in
 * base64. The body is read once, strictly, into a list of where its values begin and end; the place of a value is where it is in the list.
 */
import { isUtf8 } from 'node:buffer'
import { TYPE_BITS } from '@deployment-annotations/event-store/fields/field'
import type { EventBuilder } from '@deployment-annotations/event-store/scan/event-builder'
import { ESCAPED } from '@deployment-annotations/event-store/scan/event-shape'
import { JsonSyntaxError, LBRACE, LBRACKET, MINUS, MORE, QUOTE } from '@deployment-annotations/event-store/scan/json-reader'
import { readFloat } from '@deployment-annotations/event-store/scan/numbers'
import type { JsonText } from './json-text.ts'
import { ESCAPES, JsonValues, releaseList, VALUE_SIZE } from './json-values.ts'
import { AnyValue, KeyValue } from './messages.ts'
import { ABSENT, type CountMessages, type MessageFields, REQUEST, type Source } from './source.ts'
import { type NamedField, WireError } from './wire.ts'

const [LOWER_N, LOWER_T, LOWER_F] = [0x6e, 0x74, 0x66]
const { key: KEY, value: VALUE } = KeyValue.fields
const { string: STRING, integer: INTEGER } = TYPE_BITS
const ZERO = 0x30
/** Whole numbers with fewer digits fit into 64 bits. */
const PLAIN_DIGITS_MAX = 19
/** A double as the halves of its bits, on a machine whose lower half is first. */
const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)
const NOTHING = new Int32Array(0)
/** How much of a wrong value a message shows. */
const SHOWN_MAX = 100

export class JsonSource implements Source {
  keyAt = ABSENT
  valueAt = ABSENT
  anyAt = ABSENT
  textBytes: Buffer
  textFrom = 0
  textTo = 0
  readonly #buf: Buffer
  #values: Int32Array

  /** @throws WireError */
  constructor(bytes: Buffer, requireMessages: CountMessages) {
    this.#buf = this.textBytes = bytes
    try {
      if (!isUtf8(bytes)) throw new WireError('it is not UTF-8')
      this.#values = new JsonValues(bytes, requireMessages).read()
    } catch (cause) {
      if (cause instanceof JsonSyntaxError) throw new WireError(`it is not JSON: ${cause.message} at byte ${cause.at}`, { cause })
      if (cause === MORE) throw new WireError('it is not JSON: it ends too early', { cause })
      throw cause
    }
  }

  find(place: number, found: MessageFields): void {
    const { message } = found
    found.clear()
    const start = place === REQUEST ? 0 : place
    const end = this.#open(start, message.name)
    for (let at = start + VALUE_SIZE; at < end; at = this.#after(at)) {
      // Members that are not described are ignored, as the protocol wants it.
      const field = message.withName(this.#nameId(at))
      if (!field || this.#isNull(at)) continue
      if (field.isRepeated) this.#list(field, at, found)
      else found.set(field, at)
    }
  }

  pair(place: number): void {
    const end = this.#open(place, KeyValue.name)
    this.keyAt = ABSENT
    this.valueAt = ABSENT
    for (let at = place + VALUE_SIZE; at < end; at = this.#after(at)) {
      const name = this.#nameId(at)
      if (this.#isNull(at)) continue
      if (name === KEY.nameId) this.keyAt = at
      else if (name === VALUE.nameId) this.valueAt = at
    }
  }

  any(place: number): number {
    let id = 0
    const end = this.#open(place, AnyValue.name)
    for (let at = place + VALUE_SIZE; at < end; at = this.#after(at)) {
      const field = AnyValue.withName(this.#nameId(at))
      if (!field || this.#isNull(at) || (id !== 0 && field.id > id)) continue
      id = field.id
      this.anyAt = at
    }
    return id
  }

  text(at: number, field: NamedField): void {
    this.#requireText(at, field)
    if (this.#hasEscapes(at)) {
      this.textBytes = Buffer.from(this.#textOf(at))
      this.textFrom = 0
      this.textTo = this.textBytes.length
    } else {
      this.textBytes = this.#buf
      this.textFrom = this.#from(at) + 1
      this.textTo = this.#to(at) - 1
    }
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
    if (isPlainInteger(text)) return text
    // Written in another way: 007 as a string, or 5.0 and 1e3 as a number.
    if (isText && /^-?\d{1,20}$/.test(text)) return BigInt(text).toString()
    const number = Number(text)
    if (!isText && Number.isSafeInteger(number)) return String(number)
    throw this.#unexpected(at, field.name, 'a whole number')
  }

  double(at: number, field: NamedField): number {
    const isText = this.#buf[this.#from(at)] === QUOTE
    if (!isText) {
      const number = this.#isOpen(at) ? Number.NaN : readFloat(this.#buf, this.#from(at), this.#to(at))
      if (Number.isNaN(number)) throw this.#unexpected(at, field.name, 'a number')
      return number
    }
    const text = this.#textOf(at)
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
    const hasEscapes = this.#hasEscapes(at)
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

  end(): void {
    releaseList(this.#values)
    this.#values = NOTHING
  }

  #list(field: NamedField, place: number, found: MessageFields): void {
    if (this.#buf[this.#from(place)] !== LBRACKET) throw this.#unexpected(place, field.name, 'an array')
    const end = this.#to(place)
    for (let at = place + VALUE_SIZE; at < end; at = this.#after(at)) found.set(field, at)
  }

  /** @returns the place after the last value in an object */
  #open(place: number, name: string): number {
    if (this.#buf[this.#from(place)] !== LBRACE) throw this.#unexpected(place, name, 'an object')
    return this.#to(place)
  }

  #from(at: number): number {
    return this.#values[at] as number
  }

  #to(at: number): number {
    return this.#values[at + 1] as number
  }

  #nameId(at: number): number {
    return (this.#values[at + 2] as number) >> 1
  }

  #hasEscapes(at: number): boolean {
    return ((this.#values[at + 2] as number) & ESCAPES) !== 0
  }

  #isNull(at: number): boolean {
    return this.#buf[this.#from(at)] === LOWER_N
  }

  /** Whether a value is an object or an array. */
  #isOpen(at: number): boolean {
    const first = this.#buf[this.#from(at)]
    return first === LBRACE || first === LBRACKET
  }

  #after(at: number): number {
    return this.#isOpen(at) ? this.#to(at) : at + VALUE_SIZE
  }

  #raw(at: number): string {
    return this.#isOpen(at) ? '' : this.#buf.toString('latin1', this.#from(at), this.#to(at))
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

/** Whether a text is a whole number without needless zeros, of twenty digits at most. */
function isPlainInteger(text: string): boolean {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0
  if (text.charCodeAt(first) === ZERO) return text.length === 1
  for (let i = first; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return false
  }
  return text.length > first && text.length - first <= PLAIN_DIGITS_MAX + 1
}
