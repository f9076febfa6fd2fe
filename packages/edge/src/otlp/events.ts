/**
 * A request of OTLP as events: `otlp/` from its start to its end. Each item becomes an event of members, and that a row, or text that is
 * read as any event.
 * Deliberately not here: HTTP, and what becomes of the events.
 */
import type { RowWriter } from '@deployment-annotations/event-store/rows/row-writer'
import type { BuiltEvent } from '@deployment-annotations/event-store/scan/event-builder'
import { type EventMembers, membersText, timeText } from '@deployment-annotations/event-store/scan/event-text'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Attributes } from './attributes.ts'
import { JsonSource } from './json-source.ts'
import { type CountMessages, eachItem, type Frame, type Message, SIGNALS, type SignalName, WireError } from './levels.ts'
import { logEvent } from './logs.ts'
import { metricMembers, pointEvent } from './metrics.ts'
import { ProtobufSource } from './protobuf-source.ts'
import { spanEvent } from './spans.ts'
import { count, filled, message, type OwnMembers, text } from './values.ts'

/** How a request is written, which is how it is answered. */
export type Encoding = 'protobuf' | 'json'

const EVENTS: Readonly<Record<SignalName, (item: Message, attributes: Attributes, frame: Frame) => OwnMembers>> = {
  traces: spanEvent,
  logs: logEvent,
  metrics: pointEvent,
}

/** About how much is read at once. */
const PIECE_BYTES = 65_536

interface EventsParts {
  bytes: Buffer
  encoding: Encoding
  attributes: Attributes
  /** Called with the number of bytes so far. */
  growth: (bytes: number) => void
  messages: CountMessages
}

export class OtlpEvents {
  readonly #parts: EventsParts
  readonly #events: Iterator<BuiltEvent | undefined>
  /** The first event, if it was read to know whether there is one. */
  #first: IteratorResult<BuiltEvent | undefined> | undefined
  /** Members that were written before, and their text. */
  #shared: EventMembers | undefined
  #sharedText = ''
  #made = 0

  constructor(name: SignalName, parts: EventsParts) {
    this.#parts = parts
    this.#events = eachEvent(name, parts)
  }

  /** Call this before the events are read. @throws ServiceError `malformed`, `too_large` */
  async isEmpty(): Promise<boolean> {
    let sliceFrom = performance.now()
    let first = this.#events.next()
    for (; !first.done && !first.value; first = this.#events.next()) sliceFrom = await endSlice(sliceFrom)
    this.#first = first
    return first.done === true
  }

  /**
   * The events as text.
   * @yields whole lines; an empty piece where many messages have no event
   * @throws ServiceError `malformed`, `too_large`
   */
  *lines(): Generator<Buffer> {
    for (let isMore = true; isMore; ) {
      const lines: Buffer[] = []
      isMore = this.#read((event) => {
        const line = this.#lineOf(event)
        lines.push(line)
        return line.length
      })
      if (isMore || lines.length > 0) yield Buffer.concat(lines)
    }
  }

  /**
   * Writes the events without text as far as possible.
   * @yields how many bytes they take, now and then
   * @throws ServiceError `malformed`, `too_large`
   */
  *writeRows(writer: RowWriter): Generator<number> {
    for (let isMore = true; isMore; ) {
      const before = this.#made
      isMore = this.#read((event) => writer.takeBuilt(event) || this.#writeLine(event, writer))
      yield this.#made - before
    }
  }

  /** Reads a piece, which ends early where many messages have no event. @returns whether there may be more */
  #read(take: (event: BuiltEvent) => number): boolean {
    let bytes = 0
    let next = this.#first ?? this.#events.next()
    this.#first = undefined
    for (; next.value; next = this.#events.next()) {
      bytes += take(next.value)
      if (bytes >= PIECE_BYTES) break
    }
    this.#made += bytes
    this.#parts.growth(this.#made)
    return !next.done
  }

  #writeLine(event: BuiltEvent, writer: RowWriter): number {
    const line = this.#lineOf(event)
    writer.take(line, 0)
    return line.length
  }

  #lineOf({ timeNs, members, shared }: BuiltEvent): Buffer {
    if (this.#shared !== shared) {
      this.#shared = shared
      this.#sharedText = membersText(shared)
    }
    const parts = [timeNs === undefined ? '' : timeText(timeNs), membersText(members), this.#sharedText]
    return Buffer.from(`{${parts.filter((part) => part !== '').join()}}\n`)
  }
}

/** @yields each event; nothing after many messages without one, for a pause @throws ServiceError `malformed`, `too_large` */
function* eachEvent(name: SignalName, { bytes, encoding, attributes, messages }: EventsParts): Generator<BuiltEvent | undefined> {
  const Source = encoding === 'protobuf' ? ProtobufSource : JsonSource
  let before: Frame | undefined
  let shared: EventMembers = {}
  try {
    for (const item of eachItem(new Source(bytes, messages), SIGNALS[name].request)) {
      if (item && item.frame !== before) {
        before = item.frame
        shared = sharedMembers(name, before, attributes)
      }
      const own = item && EVENTS[name](item.message, attributes, item.frame)
      yield own && { timeNs: own.timeNs, members: own.members, shared }
    }
  } catch (cause) {
    if (cause instanceof ServiceError || cause instanceof TypeError) throw cause
    const why = cause instanceof WireError ? cause.message : `it is not valid ${encoding}: ${(cause as Error).message}`
    throw new ServiceError('malformed', `the body is not a request of OTLP: ${why}; nothing was stored`, { cause })
  }
}

/** @returns what all events of a scope have, or of a metric */
function sharedMembers(name: SignalName, frame: Frame, attributes: Attributes): EventMembers {
  const [resource, scope] = frame.heads as [Message, Message]
  return {
    ...(name === 'metrics' && metricMembers(frame)),
    ...resourceMembers(resource, attributes),
    scope: scopeMembers(scope, attributes),
  }
}

function resourceMembers({ resource, schemaUrl }: Message, attributes: Attributes): EventMembers {
  const { attributes: pairs, droppedAttributesCount } = message(resource, 'resource')
  const { nested, top } = attributes.placeOfResource(pairs)
  nested.schema_url = text(schemaUrl, 'schemaUrl')
  nested.dropped_attributes_count = count(droppedAttributesCount, 'droppedAttributesCount')
  return { resource: filled(nested), ...top }
}

function scopeMembers({ scope, schemaUrl }: Message, attributes: Attributes): EventMembers | undefined {
  const { name, version, attributes: pairs, droppedAttributesCount } = message(scope, 'scope')
  return filled({
    name: text(name, 'name'),
    version: text(version, 'version'),
    schema_url: text(schemaUrl, 'schemaUrl'),
    attributes: attributes.place(pairs),
    dropped_attributes_count: count(droppedAttributesCount, 'droppedAttributesCount'),
  })
}
