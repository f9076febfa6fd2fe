/**
 * JSON as bytes, written into one buffer. Numbers with a decimal point keep it, so that 5.0 stays a float.
 */

const [NEWLINE, QUOTE, BACKSLASH, COMMA, LBRACE, LBRACKET, ZERO] = [0x0a, 0x22, 0x5c, 0x2c, 0x7b, 0x5b, 0x30]
const CAPACITY_MIN = 24_576
/** A longer text is copied faster by a call than byte by byte. */
const COPIED_BY_HAND_MAX = 32
const HEX = Buffer.from('0123456789abcdef')

/** The name of a member as it is written. */
export const nameOf = (name: string): Buffer => Buffer.from(`${JSON.stringify(name)}:`)

export class JsonText {
  #buf: Buffer = Buffer.allocUnsafeSlow(CAPACITY_MIN)
  #at = 0

  get length(): number {
    return this.#at
  }

  /** What was written, valid until the next write. */
  get written(): Buffer {
    return this.#buf.subarray(0, this.#at)
  }

  /** @returns what was written, which is the caller's */
  take(): Buffer {
    const taken = this.#buf.subarray(0, this.#at)
    this.#buf = Buffer.allocUnsafeSlow(CAPACITY_MIN)
    this.#at = 0
    return taken
  }

  /** @returns a copy of what was written from a length on, which is taken back */
  takeFrom(length: number): Buffer {
    const taken = Buffer.from(this.#buf.subarray(length, this.#at))
    this.#at = length
    return taken
  }

  /** Forgets what was written from a length on. */
  cut(length: number): void {
    this.#at = length
  }

  byte(byte: number): void {
    if (this.#at === this.#buf.length) this.#reserve(1)
    this.#buf[this.#at++] = byte
  }

  /** The comma before a member or an element that is not the first. */
  separate(): void {
    const before = this.#buf[this.#at - 1]
    if (before !== LBRACE && before !== LBRACKET && before !== NEWLINE && this.#at > 0) this.byte(COMMA)
  }

  /** @param name made by {@link nameOf}, or whole members */
  member(name: Buffer): void {
    this.separate()
    this.raw(name, 0, name.length)
  }

  /** @param text ASCII that is JSON as it is */
  ascii(text: string): void {
    const { length } = text
    if (this.#at + length > this.#buf.length) this.#reserve(length)
    for (let i = 0; i < length; i++) this.#buf[this.#at++] = text.charCodeAt(i)
  }

  /** Copies bytes that are JSON as they are. */
  raw(bytes: Buffer, from: number, to: number): void {
    const length = to - from
    if (this.#at + length > this.#buf.length) this.#reserve(length)
    if (length > COPIED_BY_HAND_MAX) bytes.copy(this.#buf, this.#at, from, to)
    else for (let i = 0; i < length; i++) this.#buf[this.#at + i] = bytes[from + i] as number
    this.#at += length
  }

  /**
   * Writes a string.
   * @param bytes its characters in UTF-8
   * @returns whether all of them are ASCII
   */
  string(bytes: Buffer, from: number, to: number): boolean {
    // A control character takes six bytes.
    const most = (to - from) * 6 + 2
    if (this.#at + most > this.#buf.length) this.#reserve(most)
    const buf = this.#buf
    let at = this.#at
    let high = 0
    buf[at++] = QUOTE
    for (let i = from; i < to; i++) {
      const byte = bytes[i] as number
      high |= byte
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) buf[at++] = byte
      else if (byte >= 0x20) {
        buf[at++] = BACKSLASH
        buf[at++] = byte
      } else {
        for (const part of [BACKSLASH, 0x75, ZERO, ZERO, HEX[byte >> 4], HEX[byte & 15]]) buf[at++] = part as number
      }
    }
    buf[at++] = QUOTE
    this.#at = at
    return high < 0x80
  }

  /** JSON has no way to write what is not finite: as everywhere here, that is null. */
  double(value: number): void {
    if (!Number.isFinite(value)) this.ascii('null')
    else if (Object.is(value, -0)) this.ascii('-0.0')
    else {
      const text = String(value)
      this.ascii(text)
      if (Number.isInteger(value) && !text.includes('e')) this.ascii('.0')
    }
  }

  /** Writes bytes as a string of hexadecimal digits, in lower case. */
  hex(bytes: Buffer): void {
    const most = bytes.length * 2 + 2
    if (this.#at + most > this.#buf.length) this.#reserve(most)
    this.#buf[this.#at++] = QUOTE
    for (const byte of bytes) {
      this.#buf[this.#at++] = HEX[byte >> 4] as number
      this.#buf[this.#at++] = HEX[byte & 15] as number
    }
    this.#buf[this.#at++] = QUOTE
  }

  #reserve(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + bytes, this.#buf.length * 2))
    this.#buf.copy(larger, 0, 0, this.#at)
    this.#buf = larger
  }
}
