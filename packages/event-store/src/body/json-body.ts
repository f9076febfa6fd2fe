/**
 * Reads a JSON body: an array of events, one event, or one event after the other (NDJSON), which the first byte distinguishes.
 * Chunks are read as they arrive; only an unfinished event is held for the next chunk. One syntax error refuses the body.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { RowWriter } from '../rows/row-writer.ts'
import { JsonSyntaxError, MORE, skipWhitespace } from '../scan/json-reader.ts'
import { EVENT_BYTES_MAX } from '../scan/limits.ts'

const [LBRACE, LBRACKET, RBRACKET, COMMA] = [0x7b, 0x5b, 0x5d, 0x2c]

const EMPTY = Buffer.alloc(0)
/** Room for a chunk from a socket and an unfinished event. */
const WORK_BYTES_MIN = 131_072

/** The expected input: the start of the body, an event or the end of the array, an event after a comma, a comma or the end. */
type State = 'start' | 'first' | 'event' | 'after' | 'sequence' | 'end'

export class JsonBody {
  readonly #writer: RowWriter
  #state: State = 'start'
  /** Holds the unfinished event at its start. It is reused for all chunks, so that a long body makes no garbage. */
  #work: Buffer = EMPTY
  #held = 0
  /** An unfinished event is scanned again only once this many bytes of it are there, so that the work stays linear. */
  #waitFor = 0
  /** How many bytes of the body come before the held ones. */
  #before = 0

  constructor(writer: RowWriter) {
    this.#writer = writer
  }

  /** @throws ServiceError `malformed` or `too_large`, naming the event's index */
  push(chunk: Buffer): void {
    if (this.#held === 0) this.#read(chunk)
    else {
      this.#hold(chunk)
      if (this.#held >= this.#waitFor) this.#read(this.#work.subarray(0, this.#held))
    }
  }

  /** Ends the body. @throws as {@link push} */
  end(): void {
    if (this.#held > 0) this.#read(this.#work.subarray(0, this.#held))
    if (this.#state === 'start')
      throw new ServiceError(
        'malformed',
        'the body holds no event; expected a JSON array of objects, one object, or one object per line',
      )
    if (this.#held > 0 || (this.#state !== 'end' && this.#state !== 'sequence')) {
      const expected = this.#state === 'after' || this.#state === 'first' ? "',' or ']' after it" : 'more of it'
      throw this.#malformed(this.#before + this.#held, `expected ${expected}, found the end of the body`)
    }
  }

  /** Reads all complete events, and holds the rest. */
  #read(bytes: Buffer): void {
    const rest = this.#frame(bytes)
    this.#before += rest
    this.#held = 0
    this.#hold(bytes.subarray(rest))
    this.#waitFor = Math.min(this.#held * 2, EVENT_BYTES_MAX + 1)
    if (this.#held > EVENT_BYTES_MAX) {
      throw new ServiceError(
        'too_large',
        `event ${this.#writer.tally.events} has more than ${EVENT_BYTES_MAX} bytes; nothing was stored`,
      )
    }
  }

  #hold(bytes: Buffer): void {
    const need = this.#held + bytes.length
    if (need > this.#work.length) {
      const larger = Buffer.allocUnsafe(Math.max(need, this.#work.length * 2, WORK_BYTES_MIN))
      this.#work.copy(larger, 0, 0, this.#held)
      this.#work = larger
    }
    bytes.copy(this.#work, this.#held)
    this.#held = need
  }

  /** @returns where the unfinished event begins, or the end of the buffer */
  #frame(buf: Buffer): number {
    let at = 0
    if (this.#state === 'start' && this.#before === 0) {
      if (buf.length < BOM.length && BOM.subarray(0, buf.length).equals(buf)) return 0
      if (buf.subarray(0, BOM.length).equals(BOM)) at = BOM.length
    }
    for (;;) {
      at = skipWhitespace(buf, at)
      if (at >= buf.length) return at
      const byte = buf[at] as number
      switch (this.#state) {
        case 'start':
          if (byte === LBRACKET) {
            this.#state = 'first'
            at++
          } else if (byte === LBRACE) this.#state = 'sequence'
          else throw this.#unexpected(buf, at, 'a JSON array of objects, one object, or one object per line')
          break
        case 'first':
        case 'event': {
          if (this.#state === 'first' && byte === RBRACKET) {
            this.#state = 'end'
            at++
            break
          }
          const next = this.#event(buf, at)
          if (next === undefined) return at
          at = next
          this.#state = 'after'
          break
        }
        case 'sequence': {
          if (byte !== LBRACE) throw this.#unexpected(buf, at, "'{', as every event of a body without brackets is an object")
          const next = this.#event(buf, at)
          if (next === undefined) return at
          at = next
          break
        }
        case 'after':
          if (byte === COMMA) this.#state = 'event'
          else if (byte === RBRACKET) this.#state = 'end'
          else throw this.#unexpected(buf, at, "',' or ']' before it")
          at++
          break
        case 'end':
          throw this.#unexpected(buf, at, "nothing after the array's end")
      }
    }
  }

  #event(buf: Buffer, at: number): number | undefined {
    try {
      return this.#writer.take(buf, at)
    } catch (error) {
      if (error === MORE) return undefined
      if (error instanceof JsonSyntaxError) throw this.#malformed(this.#before + error.at, error.message)
      throw error
    }
  }

  #unexpected(buf: Buffer, at: number, expected: string): ServiceError {
    return this.#malformed(this.#before + at, new JsonSyntaxError(at, expected, buf[at]).message)
  }

  #malformed(byte: number, message: string): ServiceError {
    return new ServiceError(
      'malformed',
      `event ${this.#writer.tally.events} at byte ${byte} of the body: ${message}; nothing was stored`,
    )
  }
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
