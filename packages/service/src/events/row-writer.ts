/**
 * Turns the events of one request into rows of the engine (JSONCompactEachRow: data, _time, _sysTime, _row) and a list of
 * the events that cannot be stored. One event is read at a time, whole; it ends up in one of the two, never half in both.
 * Deliberately not here: bodies and their framing, and who stores the rows. Long, because it is one thing: what becomes of an event.
 */

import { type Edit, EventScanner, type Member, MORE, type TimeRoles } from './event-scanner.ts'
import { EventTimeError, printNs, readEventTime } from './event-time.ts'
import { decodeKey } from './field-name.ts'
import type { FieldDraft, FieldNode, FieldTree } from './field-tree.ts'
import type { TimeLayout } from './go-layout.ts'
import { FAILURES_LISTED_MAX } from './limits.ts'
import type { RowIds } from './row-ids.ts'

/** An event that was not stored. */
export interface Failure {
  /** Its own time, or the time of the request where it has none that can be read. */
  timestamp: string
  error: string
}

export interface RowWriterParts {
  tree: FieldTree
  draft: FieldDraft
  rowIds: RowIds
  /** Receive time in ns, decimal. */
  receivedNs: string
  timestampField: string | undefined
  layout: TimeLayout | undefined
  /** A JSON object whose members every event gets that has no such field of its own. */
  labels: Buffer | undefined
  isCsv: boolean
}

/** Rows waiting to be taken; each buffer holds whole rows. */
export interface Rows {
  buffers: Buffer[]
  bytes: number
  count: number
  /** Where each row ends, in bytes from the begin of the first buffer. */
  ends: number[]
  /** Which event of the request each row is. */
  events: number[]
  /** Time (ns) and id of the first row: enough to find out later whether these rows were stored. */
  first: { timeNs: string; row: string } | undefined
}

/**
 * Full-size buffers that are free again: a large body goes through a few of them, instead of leaving hundreds to the
 * collector, which is in no hurry with memory outside of its heap.
 */
const freeBuffers: Buffer[] = []
const FREE_BUFFERS_MAX = 16

/** Takes back the buffers of rows that are stored. */
export function release(rows: Rows): void {
  for (const { buffer } of rows.buffers) {
    if (buffer.byteLength === BUFFER_BYTES_MAX && freeBuffers.length < FREE_BUFFERS_MAX) freeBuffers.push(Buffer.from(buffer))
  }
  rows.buffers = []
}

const FIRST_BUFFER_BYTES = 4_096
const BUFFER_BYTES_MAX = 1_048_576
/** The brackets, two times and an id behind the data. */
const ENVELOPE_BYTES = 80
const [OPEN, COMMA] = [0x5b, 0x2c]

export class RowWriter {
  readonly failures: Failure[] = []
  failed = 0
  /** Events read, stored or not. */
  events = 0
  stored = 0
  readonly #parts: RowWriterParts
  readonly #scanner: EventScanner
  readonly #time: FieldNode
  readonly #labels: { node: FieldNode; text: Buffer }[] = []
  readonly #labelNotes: [FieldNode, number][] = []
  #rows: Rows = { buffers: [], bytes: 0, count: 0, ends: [], events: [], first: undefined }
  #out: Buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES)
  #size = FIRST_BUFFER_BYTES
  #at = 0

  /** @throws {@link LabelsError} where the labels cannot be stored */
  constructor(parts: RowWriterParts) {
    this.#parts = parts
    const { root } = parts.tree
    const hold = (key: string) => parts.draft.hold(root.childOf(key))
    const field = parts.timestampField
    const named =
      field === undefined || field === '_time'
        ? []
        : [hold(JSON.stringify(field).slice(1, -1)), parts.draft.hold(parts.tree.nodeOf(field))]
    this.#time = hold('_time')
    const roles: TimeRoles = {
      time: this.#time,
      named: [...new Set(named)],
      wrapTime: hold('time'),
      wrapRest: new Set([hold('data'), hold('labels')]),
    }
    this.#scanner = new EventScanner(root, parts.draft, roles)
    if (parts.labels) this.#readLabels(parts.labels)
  }

  /** Bytes of rows waiting. */
  get waitingBytes(): number {
    return this.#rows.bytes + this.#at
  }

  /**
   * Reads the event at `from`, which is number {@link events} of the request.
   * @param place how a failure names the event, for example `event 3`
   * @returns the first byte behind it
   * @throws MORE where the buffer ends before the event, JsonSyntaxError where it is not JSON; the event then never was
   */
  take(buf: Buffer, from: number, place: string): number {
    const scanner = this.#scanner
    const { draft } = this.#parts
    try {
      scanner.event(buf, from)
    } catch (error) {
      draft.rejectEvent()
      throw error
    }
    const end = scanner.pos
    this.events++
    let reason: string | undefined
    let timeNs: string | undefined
    if (scanner.hasDuplicates && scanner.failure === undefined) this.#keepLast(buf.subarray(from, end))
    else reason = scanner.failure
    const { data, start, stop } = { data: scanner.buf, start: scanner.buf === buf ? from : 0, stop: scanner.pos }
    reason ??= scanner.failure ?? (scanner.hasDuplicates ? 'two of its fields would have one name' : undefined)
    try {
      timeNs = scanner.isObject ? this.#timeOf(data) : undefined
    } catch (error) {
      if (!(error instanceof EventTimeError)) throw error
      reason ??= error.message
    }
    if (reason === undefined) {
      for (const [node, bit] of this.#labelNotes) draft.note(node, bit)
      const extra = draft.acceptEvent()
      if (extra !== undefined) {
        reason = `the field ${JSON.stringify(extra)} would be one more than the ${this.#parts.tree.fieldsMax} fields of a dataset`
      }
    }
    if (reason === undefined) this.#write(data, start, stop, timeNs ?? this.#parts.receivedNs)
    else {
      draft.rejectEvent()
      this.fail(`${place}: ${reason}`, timeNs)
    }
    return end
  }

  /** Lists an event that was not even read, such as a ragged line. */
  fail(error: string, timeNs?: string): void {
    this.failed++
    if (this.failures.length < FAILURES_LISTED_MAX)
      this.failures.push({ timestamp: printNs(timeNs ?? this.#parts.receivedNs), error })
  }

  /** Hands over the rows written so far. */
  drain(): Rows {
    this.#seal()
    const rows = this.#rows
    this.#rows = { buffers: [], bytes: 0, count: 0, ends: [], events: [], first: undefined }
    return rows
  }

  /** Writes the event again with the last value of each name, as JSON.parse has it, and scans that. Numbers keep their text. */
  #keepLast(event: Buffer): void {
    this.#parts.draft.rejectEvent()
    this.#scanner.event(Buffer.from(JSON.stringify(parseWithTexts(event.toString()))), 0)
  }

  /** The event's own time; its member is cut out, as it becomes `_time`. */
  #timeOf(buf: Buffer): string | undefined {
    const scanner = this.#scanner
    const { layout, isCsv } = this.#parts
    const read = ({ from, to }: { from: number; to: number }) => readEventTime(buf, from, to, layout, isCsv)
    const { timeMember, namedMember, namedValue, wrapTimeMember } = scanner
    const own = namedMember ?? namedValue
    if (own) {
      if (namedMember) this.#cut(namedMember)
      // What the event calls _time is not the time then, but it is not lost either.
      if (timeMember) scanner.edits.push({ from: timeMember.keyFrom, to: timeMember.keyTo, put: USER_TIME })
      return read(own)
    }
    if (timeMember) {
      this.#cut(timeMember)
      return read(timeMember)
    }
    if (wrapTimeMember && scanner.hasWrapperTime) {
      this.#cut(wrapTimeMember)
      return read(wrapTimeMember)
    }
    return undefined
  }

  #cut({ keyFrom, to, commaBefore, nextFrom }: Member): void {
    const scanner = this.#scanner
    const [from, end] = commaBefore >= 0 ? [commaBefore, to] : [keyFrom, nextFrom]
    scanner.edits = scanner.edits.filter((edit) => edit.to <= from || edit.from >= end)
    scanner.edits.push({ from, to: end, put: NOTHING })
    scanner.memberCount--
  }

  #write(buf: Buffer, from: number, to: number, timeNs: string): void {
    const scanner = this.#scanner
    const edits = scanner.edits
    const labels = this.#labels.filter(({ node }) => node.seenIn !== scanner.objectId)
    let need = to - from + ENVELOPE_BYTES
    for (const edit of edits) need += edit.put.length
    for (const label of labels) need += label.text.length + 1
    if (this.#at + need > this.#out.length) this.#grow(need)
    const out = this.#out
    const row = this.#parts.rowIds.next().toString()
    this.#rows.first ??= { timeNs, row }
    let at = this.#at
    out[at++] = OPEN
    let copied = from
    if (edits.length > 1) edits.sort(byPlace)
    for (const edit of edits) {
      at += buf.copy(out, at, copied, edit.from)
      at += edit.put.copy(out, at)
      copied = edit.to
    }
    at += buf.copy(out, at, copied, labels.length > 0 ? scanner.closeAt : to)
    if (labels.length > 0) {
      let comma = scanner.memberCount > 0
      for (const label of labels) {
        if (comma) out[at++] = COMMA
        at += label.text.copy(out, at)
        comma = true
      }
      at += buf.copy(out, at, scanner.closeAt, to)
    }
    at += out.write(`,${timeNs},${this.#parts.receivedNs},${row}]\n`, at, 'latin1')
    this.#at = at
    this.#rows.count++
    this.#rows.ends.push(this.#rows.bytes + at)
    this.#rows.events.push(this.events - 1)
    this.stored++
  }

  #grow(need: number): void {
    this.#size = Math.min(BUFFER_BYTES_MAX, this.#size * 4)
    this.#seal()
    this.#out =
      need <= BUFFER_BYTES_MAX && this.#size === BUFFER_BYTES_MAX ? takeBuffer() : Buffer.allocUnsafe(Math.max(this.#size, need))
  }

  #seal(): void {
    if (this.#at === 0) return
    this.#rows.buffers.push(this.#out.subarray(0, this.#at))
    this.#rows.bytes += this.#at
    // The rest of a small buffer goes on being used; a large one is given back whole.
    this.#out = this.#out.length < BUFFER_BYTES_MAX ? this.#out.subarray(this.#at) : NOTHING
    this.#at = 0
  }

  #readLabels(text: Buffer): void {
    const scanner = this.#scanner
    try {
      scanner.event(text, 0)
    } catch (error) {
      throw new LabelsError(error === MORE ? 'it ends too early' : (error as Error).message)
    }
    const rest = text.toString('latin1', scanner.pos).trim()
    if (!scanner.isObject || rest !== '') throw new LabelsError('it must be one JSON object')
    const reason = scanner.failure ?? (scanner.hasDuplicates ? 'a field occurs twice' : undefined)
    if (reason !== undefined) throw new LabelsError(reason)
    if (scanner.timeMember) throw new LabelsError('_time cannot be a label')
    this.#parts.draft.takeNotes((node, bit) => this.#labelNotes.push([this.#parts.draft.hold(node), bit]))
    const edits = scanner.edits
    const stored = applyEdits(text, edits)
    for (const [key, value] of Object.entries(parseWithTexts(stored.toString()) as Record<string, unknown>)) {
      const sent = JSON.stringify(decodeKey(key)).slice(1, -1)
      const node = this.#parts.draft.hold(this.#parts.tree.root.childOf(sent))
      this.#labels.push({ node, text: Buffer.from(`${JSON.stringify(key)}:${JSON.stringify(value)}`) })
    }
  }
}

function takeBuffer(): Buffer {
  return freeBuffers.pop() ?? Buffer.from(new ArrayBuffer(BUFFER_BYTES_MAX))
}

/** The labels header cannot be used. */
export class LabelsError extends Error {}

const NOTHING = Buffer.alloc(0)
const USER_TIME = Buffer.from('"_user_time"')

const byPlace = (a: Edit, b: Edit) => a.from - b.from

function applyEdits(text: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = []
  let copied = 0
  for (const { from, to, put } of edits) {
    parts.push(text.subarray(copied, from), put)
    copied = to
  }
  return Buffer.concat([...parts, text.subarray(copied)])
}

/**
 * JSON.parse with every number as the text it was: `1.0` has to stay a float, which the contract's reader of exact integers would not
 * keep. JSON.stringify prints such numbers as they were; the language's types do not know them yet.
 */
function parseWithTexts(text: string): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
  const keepText = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && context ? rawJSON(context.source) : value
  return JSON.parse(text, keepText as (key: string, value: unknown) => unknown)
}
