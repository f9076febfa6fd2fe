/**
 * Where the values of a JSON text begin and end, read strictly and without making any of them.
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

/** For each value two numbers: where it begins, and where it ends; of an object or an array, the index of the value after it. */
export class JsonValues extends JsonReader {
  #list: Int32Array
  #count = 0

  constructor(bytes: Buffer) {
    super()
    this.buf = bytes
    this.#list = new Int32Array(Math.max(64, bytes.length >> 2))
  }

  /** @throws JsonSyntaxError, MORE */
  read(): Int32Array {
    const parents: number[] = []
    let open = -1
    for (;;) {
      const byte = this.next()
      if (byte === LBRACE || byte === LBRACKET) {
        parents.push(open)
        open = this.#add(this.pos, 0)
        this.pos++
        if (this.next() !== (byte === LBRACE ? RBRACE : RBRACKET)) {
          if (byte === LBRACE) this.#key()
          continue
        }
      } else this.#single(byte)
      open = this.#close(open, parents)
      if (open < 0) break
    }
    if (this.next() !== undefined) this.wrong('nothing after the request')
    return this.#list
  }

  /** Goes to the next value. @returns the object or array that it is in, -1 at the end */
  #close(opened: number, parents: number[]): number {
    let open = opened
    while (open >= 0) {
      const isObject = this.buf[this.#list[2 * open] as number] === LBRACE
      const byte = this.next()
      if (byte === COMMA) {
        this.pos++
        if (isObject) {
          this.next()
          this.#key()
        }
        return open
      }
      if (byte !== (isObject ? RBRACE : RBRACKET)) this.wrong(isObject ? "',' or '}'" : "',' or ']'")
      this.pos++
      this.#list[2 * open + 1] = this.#count
      open = parents.pop() as number
    }
    return open
  }

  #key(): void {
    if (this.buf[this.pos] !== QUOTE) this.wrong('a name in double quotes')
    this.#single(QUOTE)
    if (this.next() !== COLON) this.wrong("':'")
    this.pos++
  }

  #single(byte: number | undefined): void {
    const from = this.pos
    if (byte === QUOTE) this.string()
    else this.scalar(byte)
    this.#add(from, this.pos)
  }

  #add(from: number, to: number): number {
    const index = this.#count++
    if (2 * index + 1 >= this.#list.length) {
      const larger = new Int32Array(this.#list.length * 2)
      larger.set(this.#list)
      this.#list = larger
    }
    this.#list[2 * index] = from
    this.#list[2 * index + 1] = to
    return index
  }
}
