/**
 * Where rows are written to: a small buffer at first, full-size ones for a large body. Deliberately not here: what an event is.
 */
import type { EventShape } from '../scan/event-shape.ts'
import type { Label } from './labels.ts'
import { acquireBuffer, BUFFER_BYTES_MAX, noRows, type Rows } from './rows.ts'

/** Room for a few events; of this size buffers come from Node's pool. */
const FIRST_BUFFER_BYTES = 2_048
/** The brackets, two times and an id behind the data. */
const ENVELOPE_BYTES = 80
const [OPEN, COMMA] = [0x5b, 0x2c]
const EMPTY = Buffer.alloc(0)

/** What a row has beside the event's data. Times are nanoseconds, decimal. */
interface Envelope {
  timeNs: string
  sysTimeNs: string
  row: string
  /** Which event of the request it is. */
  event: number
  /** Whether it has only values that could be in columns too. */
  isSimple: boolean
}

export class RowBuffer {
  #rows: Rows = noRows()
  #out: Buffer = EMPTY
  #size = FIRST_BUFFER_BYTES / 4
  #at = 0

  /** Bytes of rows waiting. */
  get bytes(): number {
    return this.#rows.bytes + this.#at
  }

  /** Writes the event as a row, its edits made and the labels added. */
  append(shape: EventShape, labels: readonly Label[], { timeNs, sysTimeNs, row, event, isSimple }: Envelope): void {
    const { buf, closeAt } = shape
    const edits = shape.sortedEdits()
    let need = shape.end - shape.from + ENVELOPE_BYTES
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
    at += out.write(`,${timeNs},${sysTimeNs},${row}]\n`, at, 'latin1')
    this.#at = at
    this.#rows.count++
    this.#rows.ends.push(this.#rows.bytes + at)
    this.#rows.events.push(event)
    this.#rows.areSimple &&= isSimple
  }

  /** Hands over the rows written so far. */
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
    // The rest of a small buffer goes on being used; a large one is given back whole.
    this.#out = this.#out.length < BUFFER_BYTES_MAX ? this.#out.subarray(this.#at) : EMPTY
    this.#at = 0
  }
}
