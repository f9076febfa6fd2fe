/**
 * Turns the events of one request into rows of the engine and a list of refused events. It reads one event at a time; an event ends up
 * in one of the two, never half in both.
 * Deliberately not here: the framing of bodies, and storing rows.
 */
import { isStorable } from '@deployment-annotations/contract/timestamp'
import type { FieldTransaction, FieldTree } from '../fields/field-tree.ts'
import { EventBlocks, type Rows } from '../native/event-block.ts'
import { type BuiltEvent, EventBuilder } from '../scan/event-builder.ts'
import { EventScanner, type TimeRoles } from '../scan/event-scanner.ts'
import { readEventTime, readLikelyTime } from '../scan/event-time.ts'
import type { SourcedValues } from '../scan/event-values.ts'
import type { TimeLayout } from '../scan/go-layout.ts'
import { IngestCounts, type RequestExtent } from './ingest-counts.ts'
import { readLabels } from './labels.ts'
import { appendRow } from './row-block.ts'
import type { RowIds } from './row-ids.ts'

interface RowWriterParts {
  tree: FieldTree
  transaction: FieldTransaction
  rowIds: RowIds
  /** When the request came, in decimal nanoseconds: the time of events without one. */
  receivedNs: string
  /** A time that no other request has; see row-ids.ts. */
  sysTimeNs: string
  timestampField: string | undefined
  /** Whether an event without its time there may have it in another likely member. */
  readsLikelyTimes?: boolean
  layout: TimeLayout | undefined
  /** A JSON object whose members are added to every event that lacks them. */
  labels: Buffer | undefined
  isCsv: boolean
}

export class RowWriter implements Disposable {
  readonly tally: IngestCounts
  readonly #parts: RowWriterParts
  readonly #scanner: EventScanner
  readonly #labels: SourcedValues | undefined
  readonly #blocks = new EventBlocks()
  readonly #receivedNs: bigint
  readonly #sysTime: bigint
  /** Absent where each event has to be written as JSON. */
  readonly #builder: EventBuilder | undefined

  /** @throws ServiceError `invalid` if the labels cannot be stored */
  constructor(parts: RowWriterParts) {
    this.tally = new IngestCounts(parts.receivedNs)
    this.#parts = parts
    this.#receivedNs = BigInt(parts.receivedNs)
    this.#sysTime = BigInt(parts.sysTimeNs)
    this.#scanner = new EventScanner(timeRoles(parts), parts.transaction)
    if (parts.labels) this.#labels = readLabels(parts.labels, parts.tree, parts.transaction)
    else this.#builder = new EventBuilder(parts.tree, parts.transaction)
  }

  /** The bytes of rows that are not drained yet. */
  get waitingBytes(): number {
    return this.#blocks.bytes
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
    const scanner = this.#scanner
    const end = scanner.scan(buf, from)
    const time = this.#readTime()
    const isTime = typeof time !== 'string'
    const reason = scanner.failure ?? (isTime ? undefined : time)
    if (reason === undefined) this.#write(isTime ? time : undefined)
    else {
      transaction.rejectEvent()
      this.tally.refuse(reason, isTime ? time : undefined, line)
    }
    return end
  }

  /**
   * Takes the next event of the request from its members.
   * @returns about how many bytes they take; 0 if it is no row: give it to {@link take} as JSON, which may refuse it for a reason
   */
  takeBuilt(event: BuiltEvent): number {
    const { transaction } = this.#parts
    const { timeNs = this.#receivedNs } = event
    const builder = this.#builder
    if (!builder || !isStorable(timeNs)) return 0
    const bytes = builder.build(event)
    if (bytes === 0 || transaction.acceptEvent() !== undefined) {
      transaction.rejectEvent()
      return 0
    }
    this.#store([builder], timeNs)
    return bytes
  }

  /** @returns the time of the scanned event in nanoseconds, `undefined` if it has none, or the reason why it cannot be read */
  #readTime(): bigint | string | undefined {
    const { layout, isCsv, readsLikelyTimes, tree } = this.#parts
    const { buf, values, ownTime, objectId } = this.#scanner
    const own = ownTime && readEventTime(buf, ownTime, layout, isCsv)
    if (own !== undefined || !readsLikelyTimes) return own
    for (const node of tree.likelyTimes) {
      const value = node.seenIn === objectId ? values.find(node) : undefined
      const time = value && readLikelyTime(buf, value, this.#receivedNs)
      if (time === undefined) continue
      this.tally.timeFields.add(node.name)
      return time
    }
    return undefined
  }

  /** Returns the rows so far and forgets them. */
  drain(): Rows {
    return this.#blocks.drain()
  }

  [Symbol.dispose](): void {
    this.#blocks[Symbol.dispose]()
  }

  #write(timeNs = this.#receivedNs): void {
    const scanner = this.#scanner
    const unlisted = this.#parts.transaction.acceptEvent()
    // Values for whose fields the dataset has no place are stored beside the event.
    if (unlisted) scanner.takeOut(unlisted)
    const labels = this.#labels && { buf: this.#labels.buf, values: this.#labels.values.absentFrom(scanner.objectId) }
    this.#store(labels ? [scanner, labels] : [scanner], timeNs)
  }

  #store(sources: readonly SourcedValues[], timeNs: bigint): void {
    appendRow(this.#blocks, sources, { time: timeNs, sysTime: this.#sysTime, row: this.#parts.rowIds.next() })
    this.tally.store(timeNs)
  }
}

/** The nodes are held, so that keys can be compared with them during the whole request. */
function timeRoles({ tree, transaction, timestampField }: RowWriterParts): TimeRoles {
  const { root, time, wrapTime, wrapRest } = tree
  const names = timestampField === undefined || timestampField === '_time' ? [] : [timestampField]
  const nodes = names.flatMap((name) => [root.childOf(JSON.stringify(name).slice(1, -1)), tree.nodeOf(name)])
  return { root, time, named: [...new Set(nodes.map((node) => transaction.hold(node)))], wrapTime, wrapRest }
}
