/**
 * Rows of events on their way to the store, and the buffers that hold them: in columns (blocks of the engine's format Native), or as
 * texts that the engine parses (JSONCompactEachRow: data, _time, _sysTime, _row, and where there is any, rest).
 */
import type { ByteWriter } from '../native/byte-writer.ts'
import type { EventShape, RestValue } from '../scan/event-shape.ts'
import type { Label } from './labels.ts'

export interface Rows {
  /** The number of all rows, and their bytes. */
  count: number
  bytes: number
  /** Rows in columns. */
  blocks: ByteWriter[]
  /** Whether the texts have only values that could be in columns too, so that the engine certainly accepts them. */
  areSimple: boolean
  /** Rows as texts; each buffer has complete ones. */
  buffers: Buffer[]
  /** The end of each text, in bytes from the start of the first buffer. */
  ends: number[]
  /** The index of each text's event in the request. */
  events: number[]
}

export function noRows(): Rows {
  return { count: 0, bytes: 0, blocks: [], areSimple: true, buffers: [], ends: [], events: [] }
}

const BUFFER_BYTES_MAX = 1_048_576

/** Free buffers of full size, which are reused, because the garbage collector is slow to free memory outside of its heap. */
const freeBuffers: Buffer[] = []
const FREE_BUFFERS_MAX = 16

/** @returns a buffer of full size, which {@link releaseRows} takes back */
function acquireBuffer(): Buffer {
  return freeBuffers.pop() ?? Buffer.from(new ArrayBuffer(BUFFER_BYTES_MAX))
}

/** Takes back the buffers of stored rows. */
export function releaseRows(rows: Rows): void {
  for (const { buffer } of rows.buffers) {
    if (buffer.byteLength === BUFFER_BYTES_MAX && freeBuffers.length < FREE_BUFFERS_MAX) freeBuffers.push(Buffer.from(buffer))
  }
  for (const block of rows.blocks) block[Symbol.dispose]()
  rows.buffers = []
  rows.blocks = []
}

/** This has room for a few events, and comes from Node's pool of buffers. */
const FIRST_BUFFER_BYTES = 2_048
const [OPEN, COMMA] = [0x5b, 0x2c]
const EMPTY = Buffer.alloc(0)

/** The parts of a row beside the event's data. Times are decimal nanoseconds. */
interface Envelope {
  timeNs: string
  sysTimeNs: string
  row: string
  rest: readonly RestValue[]
  /** The index of the event in the request. */
  event: number
  /** Whether it has only values that could be in columns too. */
  isSimple: boolean
}

export class RowBuffer {
  #rows: Rows = noRows()
  #out: Buffer = EMPTY
  #size = FIRST_BUFFER_BYTES / 4
  #at = 0

  /** The bytes of rows that are not drained yet. */
  get bytes(): number {
    return this.#rows.bytes + this.#at
  }

  /** Writes the event as a row, with its edits applied and the labels added. */
  append(shape: EventShape, labels: readonly Label[], { timeNs, sysTimeNs, row, rest, event, isSimple }: Envelope): void {
    const { buf, closeAt } = shape
    const edits = shape.sortedEdits()
    const tail = Buffer.from(`,${timeNs},${sysTimeNs},${row}${rest.length > 0 ? `,${restText(rest)}` : ''}]\n`)
    let need = shape.end - shape.from + tail.length + 1
    for (const edit of edits) need += edit.put.length
    for (const label of labels) need += label.text.length + 1
    if (this.#at + need > this.#out.length) this.#grow(need)
    const out = this.#out
    let at = this.#at
    out[at++] = OPEN
    let copied = shape.from
    for (const edit of edits) {
      at += buf.copy(out, at, copied, edit.from)
      at += edit.put.copy(out, at)
      copied = edit.to
    }
    at += buf.copy(out, at, copied, labels.length > 0 ? closeAt : shape.end)
    if (labels.length > 0) {
      let comma = shape.memberCount > 0
      for (const label of labels) {
        if (comma) out[at++] = COMMA
        at += label.text.copy(out, at)
        comma = true
      }
      at += buf.copy(out, at, closeAt, shape.end)
    }
    at += tail.copy(out, at)
    this.#at = at
    this.#rows.count++
    this.#rows.ends.push(this.#rows.bytes + at)
    this.#rows.events.push(event)
    this.#rows.areSimple &&= isSimple
  }

  /** Returns the rows so far and forgets them. */
  drain(): Rows {
    this.#flush()
    const rows = this.#rows
    this.#rows = noRows()
    return rows
  }

  #grow(need: number): void {
    this.#size = Math.min(BUFFER_BYTES_MAX, this.#size * 4)
    this.#flush()
    const isFullSize = need <= BUFFER_BYTES_MAX && this.#size === BUFFER_BYTES_MAX
    this.#out = isFullSize ? acquireBuffer() : Buffer.allocUnsafe(Math.max(this.#size, need))
  }

  #flush(): void {
    if (this.#at === 0) return
    this.#rows.buffers.push(this.#out.subarray(0, this.#at))
    this.#rows.bytes += this.#at
    // The rest of a small buffer is used further; a large one is given back as a whole.
    this.#out = this.#out.length < BUFFER_BYTES_MAX ? this.#out.subarray(this.#at) : EMPTY
    this.#at = 0
  }
}

/** @returns the column as an object of texts */
function restText(rest: readonly RestValue[]): string {
  return JSON.stringify(Object.fromEntries(rest.map(({ node, text }) => [node.path.toString(), text.toString()])))
}
