/**
 * Reads the tokens of JSON (RFC 8259) strictly and byte by byte: strings, numbers, true, false and null. Invalid JSON is thrown; valid
 * JSON that the engine could not store is a reason to refuse the event. The bytes of values are never rewritten, so that integers
 * beyond 2^53 and every string survive.
 * It is a base class, because a reader passes its position along with every byte: event-scanner.ts reads whole events.
 */
import { TYPE_BITS, UNSIGNED } from '../fields/field.ts'
import { NESTING_MAX, VALUE_BYTES_MAX } from './limits.ts'
import { whyNotFloat, whyNotInteger } from './numbers.ts'

/** Thrown if the bytes end inside the event. Scan again from its start with more bytes. */
export const MORE = new Error('the event goes on')

/** The bytes are not JSON. */
export class JsonSyntaxError extends Error {
  /** The position in the scanned buffer. */
  readonly at: number
  constructor(at: number, expected: string, found: number | undefined) {
    super(`expected ${expected}, found ${found === undefined ? 'the end of the body' : nameByte(found)}`)
    this.at = at
  }
}

export const [QUOTE, BACKSLASH, COMMA, COLON, LBRACE, RBRACE, LBRACKET, RBRACKET, MINUS, DOT] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d, 0x2d, 0x2e,
] as const
const { integer: INTEGER, float: FLOAT, boolean: BOOLEAN } = TYPE_BITS
/** The roles of a byte inside of a string. */
const [PLAIN, CLOSES, ESCAPES, HIGH, FORBIDDEN] = [0, 1, 2, 3, 4]
const ROLES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return CLOSES
  if (byte === BACKSLASH) return ESCAPES
  return byte < 0x20 ? FORBIDDEN : byte > 0x7f ? HIGH : PLAIN
})
const NOTHING: Buffer = Buffer.alloc(0)
/** Half of a surrogate pair, which is no character. */
export const HALF_OF_PAIR = /\p{Surrogate}/u
/** Backslashes, of which the last has nothing after it that stands for a character. */
const BAD_ESCAPE = /(?<!\\)(?:\\\\)*\\(?!["\\/bfnrt]|u[\da-f]{4})/i

export abstract class JsonReader {
  /** The first reason why the event cannot be stored. */
  failure: string | undefined = undefined
  /** The bytes of the event that was read last. */
  buf = NOTHING
  /** The position of the next byte. */
  protected pos = 0
  protected hasHighBytes = false
  /** Whether the engine would read a part of the JSON differently, so that it must be written in another way. */
  protected isMisread = false
  /** Whether a string had an escape; a caller that needs to know resets it before. */
  protected hasEscapes = false

  /** Reads a string from its quote on; `pos` ends after the closing one. */
  protected string(): void {
    const buf = this.buf
    const end = buf.length
    const from = this.pos
    let i = from + 1
    let isEscaped = false
    while (i < end) {
      // Nearly all time is spent here, so it takes only one table look-up for each byte.
      const role = ROLES[buf[i] as number] as number
      if (role === PLAIN) i++
      else if (role === CLOSES) {
        this.pos = i + 1
        if (isEscaped) this.#checkEscapes(from)
        this.sized(from, 'string')
        return
      } else if (role === HIGH) {
        this.hasHighBytes = true
        i++
      } else if (role === ESCAPES) {
        isEscaped = true
        i += 2
      } else break
    }
    this.pos = i
    this.wrong('a character of a string or its closing quote (control characters must be escaped)')
  }

  #checkEscapes(from: number): void {
    this.hasEscapes = true
    const text = this.buf.toString('utf8', from, this.pos)
    try {
      if (!HALF_OF_PAIR.test(JSON.parse(text) as string)) return
    } catch {
      const bad = BAD_ESCAPE.exec(text)
      this.pos = from + Buffer.byteLength(text.slice(0, bad ? bad.index + bad[0].length : 0))
      this.wrong('one of " \\ / b f n r t, or u and four hexadecimal digits, after a backslash')
    }
    this.fail('a string holds half of a surrogate pair (\\ud800 to \\udfff alone), which is not a character')
  }

  /** Reads a number or one of true, false, null. @returns its type bit, and for integers {@link UNSIGNED}; 0 for null */
  protected scalar(byte: number | undefined): number {
    const word = byte === 0x74 ? 'true' : byte === 0x66 ? 'false' : byte === 0x6e ? 'null' : ''
    if (word === '') return this.#number()
    this.#word(word)
    return word === 'null' ? 0 : BOOLEAN
  }

  #word(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.buf[this.pos + i] === word.charCodeAt(i)) continue
      this.pos += i
      this.wrong(`the word ${word}`)
    }
    this.pos += word.length
  }

  /** @returns its type bit, with {@link UNSIGNED} if it applies */
  #number(): number {
    const buf = this.buf
    const from = this.pos
    let i = from
    if (buf[i] === MINUS) i++
    const whole = i
    // Python and others write these words for numbers that JSON does not have: they cost one event, and not the body.
    const word = buf[i] === 0x49 ? 'Infinity' : buf[i] === 0x4e && i === from ? 'NaN' : ''
    if (word !== '') {
      this.pos = i
      this.#word(word)
      this.fail(`JSON has no number ${buf.toString('latin1', from, this.pos)}; send null or a string`)
      return FLOAT
    }
    if (buf[i] === 0x30) i++
    else i = this.#digits(i, i === from ? 'a value (string, number, object, array, true, false or null)' : 'a digit')
    let isFloat = false
    if (buf[i] === DOT) {
      isFloat = true
      i = this.#digits(i + 1, "a digit after '.'")
    }
    let hasExponent = false
    if (buf[i] === 0x65 || buf[i] === 0x45) {
      isFloat = hasExponent = true
      i++
      if (buf[i] === 0x2b || buf[i] === MINUS) i++
      i = this.#digits(i, 'a digit of the exponent')
    }
    if (i === buf.length) throw MORE
    this.pos = i
    if (i - from > VALUE_BYTES_MAX) this.sized(from, 'number')
    else if (isFloat) {
      if (hasExponent || i - whole > 16) this.fail(whyNotFloat(buf.toString('latin1', from, i)))
    } else if (i - whole > 15) return this.#longInteger(buf.toString('latin1', from, i))
    else if (i === from + 2 && whole > from && buf[whole] === 0x30) {
      // The engine reads -0 as the integer 0.
      this.isMisread = true
      return FLOAT
    }
    return isFloat ? FLOAT : INTEGER
  }

  #longInteger(text: string): number {
    const value = BigInt(text)
    if (BigInt.asIntN(64, value) === value) return INTEGER
    if (BigInt.asUintN(64, value) !== value) this.fail(whyNotInteger(text))
    return INTEGER | UNSIGNED
  }

  #digits(at: number, expected: string): number {
    const buf = this.buf
    let i = at
    let byte = buf[i]
    while (byte !== undefined && byte >= 0x30 && byte <= 0x39) byte = buf[++i]
    if (i === at) {
      this.pos = i
      this.wrong(expected)
    }
    return i
  }

  /** Skips an object or array that is nested too deep; only brackets and strings are recognized. */
  protected skipDeep(): void {
    this.fail(`the event is nested deeper than ${NESTING_MAX} levels`)
    let open = 0
    for (;;) {
      const byte = this.buf[this.pos]
      if (byte === undefined) throw MORE
      if (byte === QUOTE) this.string()
      else {
        this.pos++
        if (byte === LBRACE || byte === LBRACKET) open++
        else if ((byte === RBRACE || byte === RBRACKET) && --open === 0) return
      }
    }
  }

  protected sized(from: number, what: string): void {
    const bytes = this.pos - from
    if (bytes > VALUE_BYTES_MAX + 2) this.fail(`a ${what} of ${bytes} bytes; at most ${VALUE_BYTES_MAX} are allowed`)
  }

  /** Refuses the event; the first reason counts. */
  protected fail(reason: string | undefined): void {
    this.failure ??= reason
  }

  /** Skips whitespace. @returns the byte at `pos`; `undefined` at the end of the buffer */
  protected next(): number | undefined {
    this.pos = skipWhitespace(this.buf, this.pos)
    return this.buf[this.pos]
  }

  /** Call this behind the bracket or brace that opens an array or an object. @returns whether anything is in it, at `pos` */
  protected isFilled(close: number): boolean {
    if (this.next() !== close) return true
    this.pos++
    return false
  }

  /** Call this behind an element or a member. @returns whether another one follows, at `pos`; else `pos` is behind the closing byte */
  protected hasMore(close: number): boolean {
    const byte = this.next()
    if (byte !== COMMA && byte !== close) this.wrong(`',' or '${String.fromCharCode(close)}'`)
    this.pos++
    if (byte === close) return false
    this.next()
    return true
  }

  /** Call this behind a key. @returns the first byte of its value, at `pos` */
  protected colon(): number | undefined {
    if (this.next() !== COLON) this.wrong("':'")
    this.pos++
    return this.next()
  }

  /** Reads a key. @returns it as JSON text without its quotes */
  protected keyText(): string {
    const from = this.pos
    if (this.buf[from] !== QUOTE) this.wrong('a field name in double quotes')
    this.string()
    return this.buf.toString('utf8', from + 1, this.pos - 1)
  }

  protected wrong(expected: string): never {
    const found = this.buf[this.pos]
    if (found === undefined) throw MORE
    throw new JsonSyntaxError(this.pos, expected, found)
  }
}

export function nameByte(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `the byte 0x${byte.toString(16).padStart(2, '0')}`
}

/** @returns the position of the first byte from `from` on that is no whitespace */
export function skipWhitespace(buf: Buffer, from: number): number {
  let at = from
  let byte = buf[at]
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = buf[++at]
  return at
}
