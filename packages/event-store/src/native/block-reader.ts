/** Reads the bytes of a block that this program has written. Deliberately not here: the columns (event-block.ts). */
import type { ByteWriter } from './byte-writer.ts'

export class BlockReader {
  readonly #bytes: Buffer
  at = 0

  constructor({ buffer, byteOffset, length }: Uint8Array) {
    this.#bytes = Buffer.from(buffer, byteOffset, length)
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length
  }

  byte(): number {
    const byte = this.#bytes[this.at++]
    if (byte === undefined) throw new Error('a block of rows ends too early')
    return byte
  }

  varUint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }

  /** @returns an integer that is safe */
  int64(): number {
    this.at += 8
    return this.#bytes.readUInt32LE(this.at - 8) + this.#bytes.readInt32LE(this.at - 4) * 2 ** 32
  }

  /** Skips so many strings. */
  skipStrings(count: number): void {
    for (let i = 0; i < count; i++) {
      const length = this.varUint()
      this.at += length
    }
  }

  /** @returns the bytes of a string */
  string(): Buffer {
    const length = this.varUint()
    this.at += length
    return this.slice(this.at - length)
  }

  /** @returns the bytes from a position to this one */
  slice(from: number): Buffer {
    return this.#bytes.subarray(from, this.at)
  }

  /** Whether these bytes come next. */
  isNext(bytes: Buffer): boolean {
    return this.#bytes.compare(bytes, 0, bytes.length, this.at, Math.min(this.at + bytes.length, this.#bytes.length)) === 0
  }

  copy(to: ByteWriter, bytes: number): void {
    to.copy(this.#bytes, this.at, this.at + bytes)
    this.at += bytes
  }

  /** Copies so many strings with their lengths. */
  copyStrings(to: ByteWriter, count: number): void {
    const from = this.at
    this.skipStrings(count)
    to.copy(this.#bytes, from, this.at)
  }
}
