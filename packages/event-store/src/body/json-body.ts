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

type State = 'start' | 'first' | 'event' | 'after' | 'sequence' | 'end'

interface Step {
  /** The states that these bytes lead to. */
  readonly marks: Readonly<Record<number, State>>
  /** The state after an event, where one may come. */
  readonly afterEvent?: State
  /** What is expected, for messages; absent where any value may come, which is then refused as an event. */
  readonly expected?: string
}

const STEPS: Readonly<Record<State, Step>> = {
  start: {
    marks: { [LBRACKET]: 'first' },
    afterEvent: 'sequence',
    expected: 'a JSON array of objects, one object, or one object per line',
  },
  first: { marks: { [RBRACKET]: 'end' }, afterEvent: 'after' },
  event: { marks: {}, afterEvent: 'after' },
  after: { marks: { [COMMA]: 'event', [RBRACKET]: 'end' }, expected: "',' or ']' before it" },
  sequence: { marks: {}, afterEvent: 'sequence', expected: "'{', as every event of a body without brackets is an object" },
  end: { marks: {}, expected: "nothing after the array's end" },
}

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
    if (this.#state === 'start' && this.#held === 0)
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
      const { marks, afterEvent, expected } = STEPS[this.#state]
      const marked = marks[byte]
      if (marked !== undefined) {
        this.#state = marked
        at++
        continue
      }
      if (afterEvent === undefined || (expected !== undefined && byte !== LBRACE))
        throw this.#malformed(this.#before + at, new JsonSyntaxError(at, expected as string, byte).message)
      try {
        at = this.#writer.take(buf, at)
      } catch (error) {
        if (error === MORE) return at
        throw error instanceof JsonSyntaxError ? this.#malformed(this.#before + error.at, error.message) : error
      }
      this.#state = afterEvent
    }
  }

  #malformed(byte: number, message: string): ServiceError {
    return new ServiceError(
      'malformed',
      `event ${this.#writer.tally.events} at byte ${byte} of the body: ${message}; nothing was stored`,
    )
  }
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
