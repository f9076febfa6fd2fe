/**
 * Turns the events of one request into rows of the engine and a list of refused events. It reads one event at a time; an event ends up
 * in one of the two, never half in both.
 * Deliberately not here: the framing of bodies, and storing rows.
 */
import type { FieldTransaction, FieldTree } from '../fields/field-tree.ts'
import { type BuiltEvent, EventBuilder } from '../scan/event-builder.ts'
import { EventScanner, type TimeRoles } from '../scan/event-scanner.ts'
import type { EventShape } from '../scan/event-shape.ts'
import { EventTimeError, readEventTime } from '../scan/event-time.ts'
import type { TimeLayout } from '../scan/go-layout.ts'
import { IngestCounts, type RequestExtent } from './ingest-counts.ts'
import { type Labels, NO_LABELS, readLabels } from './labels.ts'
import { RowBlock, type Rows } from './row-block.ts'
import type { RowIds } from './row-ids.ts'

/** Nanoseconds from 2001 to 2255, about which there is nothing to say; other times are read by the scanner. */
const [BUILT_FIRST_NS, BUILT_LAST_NS] = [10n ** 18n, 9n * 10n ** 18n - 1n]

interface RowWriterParts {
  tree: FieldTree
  transaction: FieldTransaction
  rowIds: RowIds
  /** When the request came, in decimal nanoseconds: the time of events without one. */
  receivedNs: string
  /** A time that no other request has; see row-ids.ts. */
  sysTimeNs: string
  timestampField: string | undefined
  layout: TimeLayout | undefined
  /** A JSON object whose members are added to every event that lacks them. */
  labels: Buffer | undefined
  isCsv: boolean
}

export class RowWriter implements Disposable {
  readonly tally: IngestCounts
  readonly #parts: RowWriterParts
  readonly #scanner: EventScanner
  readonly #labels: Labels
  readonly #block = new RowBlock()
  readonly #sysTime: bigint
  /** Absent where each event has to be written as JSON. */
  readonly #builder: EventBuilder | undefined

  /** @throws ServiceError `invalid` if the labels cannot be stored */
  constructor(parts: RowWriterParts) {
    this.tally = new IngestCounts(parts.receivedNs)
    this.#parts = parts
    this.#sysTime = BigInt(parts.sysTimeNs)
    this.#scanner = new EventScanner(parts.tree.root, parts.transaction, timeRoles(parts))
    this.#labels = parts.labels ? readLabels(parts.labels, parts) : NO_LABELS
    if (this.#labels === NO_LABELS) this.#builder = new EventBuilder(parts.tree, parts.transaction)
  }

  /** The bytes of rows that are not drained yet. */
  get waitingBytes(): number {
    return this.#block.bytes
  }

  /** The extent of all rows of the request so far. */
  get extent(): RequestExtent {
    return this.tally.extentOf(this.#parts.sysTimeNs)
  }

  /**
   * Reads the event at `from`, the next one of the request.
   * @param line the line of the event, in CSV
   * @returns the position of the first byte after it
   * @throws MORE if the buffer ends before the event, JsonSyntaxError if it is not JSON; then nothing is counted
   */
  take(buf: Buffer, from: number, line?: number): number {
    const { transaction } = this.#parts
    const sent = this.#scan(buf, from)
    const shape = sent.hasDuplicates && sent.failure === undefined ? this.#keepLast(sent) : sent
    let reason = shape.failure ?? (shape.hasDuplicates ? 'two of its fields would have the same name' : undefined)
    let timeNs: string | undefined
    try {
      timeNs = shape.isObject ? this.#timeOf(shape) : undefined
    } catch (error) {
      if (!(error instanceof EventTimeError)) throw error
      reason ??= error.message
    }
    if (reason === undefined) {
      this.#acceptFields(shape)
      this.#write(shape, timeNs)
    } else {
      transaction.rejectEvent()
      this.tally.refuse({ reason, line, timeNs })
    }
    return sent.end
  }

  /**
   * Takes the next event of the request from its members.
   * @returns about how many bytes they take; 0 if it is no row: give it to {@link take} as JSON, which may refuse it for a reason
   */
  takeBuilt(event: BuiltEvent): number {
    const { transaction, receivedNs, rowIds } = this.#parts
    const { timeNs = BigInt(receivedNs) } = event
    const builder = this.#builder
    if (!builder || timeNs < BUILT_FIRST_NS || timeNs > BUILT_LAST_NS) return 0
    builder.build(event)
    if (!builder.isComplete || transaction.acceptEvent() !== undefined) {
      transaction.rejectEvent()
      return 0
    }
    const envelope = { time: timeNs, sysTime: this.#sysTime, row: rowIds.next() }
    this.#block.append([builder], envelope)
    this.tally.store(String(timeNs))
    return builder.bytes
  }

  /** Returns the rows so far and forgets them. */
  drain(): Rows {
    return this.#block.drain()
  }

  [Symbol.dispose](): void {
    this.#block[Symbol.dispose]()
  }

  #scan(buf: Buffer, from: number): EventShape {
    try {
      return this.#scanner.scan(buf, from)
    } catch (error) {
      this.#parts.transaction.rejectEvent()
      throw error
    }
  }

  /** Writes the event again with only the last value of each name, as JSON.parse does, and scans that. Numbers keep their text. */
  #keepLast({ buf, from, end }: EventShape): EventShape {
    this.#parts.transaction.rejectEvent()
    return this.#scanner.scan(Buffer.from(JSON.stringify(parseWithTexts(buf.toString('utf8', from, end)))), 0)
  }

  #timeOf({ buf, ownTime }: EventShape): string | undefined {
    const { layout, isCsv } = this.#parts
    return ownTime && readEventTime(buf, ownTime.from, ownTime.to, layout, isCsv)
  }

  /** Values for whose fields the dataset has no place are stored beside the event. */
  #acceptFields(shape: EventShape): void {
    const { transaction } = this.#parts
    for (const [node, bits] of this.#labels.fields) transaction.note(node, bits)
    const unlisted = transaction.acceptEvent()
    if (unlisted) this.#scanner.values.takeOut(unlisted, shape)
  }

  #write({ buf, objectId }: EventShape, ownTimeNs: string | undefined): void {
    const { receivedNs, rowIds } = this.#parts
    const timeNs = ownTimeNs ?? receivedNs
    const envelope = { time: BigInt(timeNs), sysTime: this.#sysTime, row: rowIds.next() }
    const labels = this.#labels.labels.filter(({ node }) => node.seenIn !== objectId)
    this.#block.append([{ buf, values: this.#scanner.values }, ...labels], envelope)
    this.tally.store(timeNs)
  }
}

/**
 * Parses JSON and keeps every number as its text: `1.0` must stay a float, which the contract's reader of exact integers does not
 * preserve. JSON.stringify prints such numbers unchanged; TypeScript's types do not know them yet.
 */
function parseWithTexts(text: string): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
  const keepText = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && context ? rawJSON(context.source) : value
  return (JSON.parse as (text: string, reviver: typeof keepText) => unknown)(text, keepText)
}

/** The nodes are held, so that keys can be compared with them during the whole request. */
function timeRoles({ tree, transaction, timestampField }: RowWriterParts): TimeRoles {
  const { root, time, wrapTime, wrapRest } = tree
  if (timestampField === undefined || timestampField === '_time') return { time, named: [], wrapTime, wrapRest }
  const asKey = transaction.hold(root.childOf(JSON.stringify(timestampField).slice(1, -1)))
  const asName = transaction.hold(tree.nodeOf(timestampField))
  return { time, named: [...new Set([asKey, asName])], wrapTime, wrapRest }
}
