/**
 * Rows of events on their way to the store, and the buffers that hold them: in columns (blocks of the engine's format Native), or as
 * texts that the engine parses (JSONCompactEachRow: data, _time, _sysTime, _row, and where there is any, rest).
 */
import { ByteWriter } from '../native/byte-writer.ts'
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
  /** Rows as texts. */
  texts: ByteWriter
  /** The end of each text, in bytes. */
  ends: number[]
  /** The index of each text's event in the request. */
  events: number[]
}

export function noRows(): Rows {
  return { count: 0, bytes: 0, blocks: [], areSimple: true, texts: new ByteWriter(), ends: [], events: [] }
}

/** Takes back the memory of stored rows. */
export function releaseRows({ blocks, texts }: Rows): void {
  for (const part of [...blocks, texts]) part[Symbol.dispose]()
}

const [OPEN, COMMA] = [0x5b, 0x2c]

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

/** Adds the event to the rows as a text, with its edits applied and the labels added. */
export function appendText(rows: Rows, shape: EventShape, labels: readonly Label[], envelope: Envelope): void {
  const { timeNs, sysTimeNs, row, rest, event, isSimple } = envelope
  const { texts } = rows
  texts.byte(OPEN)
  let copied = shape.from
  for (const { from, to, put } of shape.sortedEdits()) {
    texts.copy(shape.buf, copied, from)
    texts.append(put)
    copied = to
  }
  texts.copy(shape.buf, copied, shape.closeAt)
  for (const [index, label] of labels.entries()) {
    if (index > 0 || shape.memberCount > 0) texts.byte(COMMA)
    texts.append(label.text)
  }
  texts.copy(shape.buf, shape.closeAt, shape.end)
  texts.append(Buffer.from(`,${timeNs},${sysTimeNs},${row}${rest.length > 0 ? `,${restText(rest)}` : ''}]\n`))
  rows.count++
  rows.ends.push(texts.length)
  rows.events.push(event)
  rows.areSimple &&= isSimple
}

/** @returns the column as an object of texts */
function restText(rest: readonly RestValue[]): string {
  return JSON.stringify(Object.fromEntries(rest.map(({ node, text }) => [node.path.toString(), text.toString()])))
}
