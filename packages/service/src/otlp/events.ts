/**
 * A request of OTLP as events: `otlp/` from its start to its end. Each item becomes an event of members, and that a row, or text that is
 * read as any event.
 * Deliberately not here: HTTP, and what becomes of the events.
 */
import type { RowWriter } from '@deployment-annotations/event-store/rows/row-writer'
import type { BuiltEvent, EventMembers } from '@deployment-annotations/event-store/scan/event-builder'
import { SMALL_BYTES_MAX } from '@deployment-annotations/event-store/scan/limits'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Attributes } from './attributes.ts'
import { membersText, timeText } from './event-text.ts'
import { JsonSource } from './json-source.ts'
import {
  type CountMessages,
  eachItem,
  type Frame,
  type Item,
  type Message,
  SIGNALS,
  type SignalName,
  WireError,
} from './levels.ts'
import { logEvent } from './logs.ts'
import { metricMembers, pointEvent } from './metrics.ts'
import { ProtobufSource } from './protobuf-source.ts'
import { spanEvent } from './spans.ts'
import { count, filled, message, text } from './values.ts'

/** How a request is written, which is how it is answered. */
export type Encoding = 'protobuf' | 'json'

/** What an event has that others have not, too. */
export type OwnMembers = Omit<BuiltEvent, 'shared'>

const EVENTS: Readonly<Record<SignalName, (item: Message, attributes: Attributes, frame: Frame) => OwnMembers>> = {
  traces: spanEvent,
  logs: logEvent,
  metrics: pointEvent,
}

/** A request that is small by the rules of ingest is one piece. */
const FIRST_PIECE_BYTES = SMALL_BYTES_MAX
/** What is longer than this is not small as events either, of which as few as possible become text. */
const SURELY_LARGE_BYTES = 8 * SMALL_BYTES_MAX
/** About how much is read at once of what follows. */
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
  readonly #name: SignalName
  readonly #parts: EventsParts
  readonly #items: Iterator<Item | undefined>
  /** What the item before was in, and what all events of it have. */
  #frame: Frame | undefined
  #shared: EventMembers = {}
  #sharedText = ''
  #made = 0

  /** @throws ServiceError `malformed`, `too_large` */
  constructor(name: SignalName, parts: EventsParts) {
    const { bytes, encoding, messages } = parts
    this.#name = name
    this.#parts = parts
    const Source = encoding === 'protobuf' ? ProtobufSource : JsonSource
    this.#items = reading(() => eachItem(new Source(bytes, messages), SIGNALS[name]))
  }

  /**
   * The events as text. Stop at any piece, and the rest is there for {@link writeRows}.
   * @yields whole lines; an empty piece where many messages have no event
   * @throws ServiceError `malformed`
   */
  *lines(): Generator<Buffer> {
    // Whether there is more than the first piece is asked with the second one, which needs one event.
    const sizes = [this.#parts.bytes.length > SURELY_LARGE_BYTES ? 1 : FIRST_PIECE_BYTES, 1]
    for (let isMore = true; isMore; ) {
      const size = sizes.shift() ?? PIECE_BYTES
      let piece = ''
      while (isMore && piece.length < size) {
        const next = this.#next()
        isMore = !next.done
        if (!next.value) break
        piece += this.#textOf(next.value)
      }
      const bytes = Buffer.from(piece)
      this.#grow(bytes.length)
      if (isMore || bytes.length > 0) yield bytes
    }
  }

  /**
   * Writes the events that were not read as text, without text as far as possible.
   * @yields how many bytes they take, now and then
   * @throws ServiceError `malformed`
   */
  *writeRows(writer: RowWriter): Generator<number> {
    for (let isMore = true; isMore; ) {
      // One more, because a slice without bytes is the last.
      let slice = 1
      while (isMore && slice < PIECE_BYTES) {
        const next = this.#next()
        isMore = !next.done
        if (!next.value) break
        slice += writer.takeBuilt(next.value) || this.#writeText(next.value, writer)
      }
      this.#grow(slice)
      yield slice
    }
  }

  /** @returns no event where many messages have none */
  #next(): IteratorResult<BuiltEvent | undefined> {
    return reading(() => {
      const { done, value } = this.#items.next()
      if (!value) return { done: done ?? false, value: undefined }
      const { message: item, frame } = value as Item
      const { attributes } = this.#parts
      if (frame !== this.#frame) {
        this.#frame = frame
        this.#shared = this.#sharedOf(frame)
        this.#sharedText = membersText(this.#shared)
      }
      return { done: false, value: { ...EVENTS[this.#name](item, attributes, frame), shared: this.#shared } }
    })
  }

  #sharedOf(frame: Frame): EventMembers {
    const [resource, scope] = frame.heads as [Message, Message]
    return {
      ...(this.#name === 'metrics' && metricMembers(frame)),
      ...resourceMembers(resource, this.#parts.attributes),
      scope: scopeMembers(scope, this.#parts.attributes),
    }
  }

  #textOf({ timeNs, members }: BuiltEvent): string {
    const parts = [timeNs === undefined ? '' : timeText(timeNs), membersText(members), this.#sharedText]
    return `{${parts.filter((part) => part !== '').join()}}\n`
  }

  /** @returns the number of its bytes */
  #writeText(event: BuiltEvent, writer: RowWriter): number {
    const bytes = Buffer.from(this.#textOf(event))
    for (let at = 0; at < bytes.length; ) at = writer.take(bytes, at) + 1
    return bytes.length
  }

  #grow(bytes: number): void {
    this.#made += bytes
    this.#parts.growth(this.#made)
  }
}

/** @throws ServiceError `malformed` */
function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    throw new ServiceError('malformed', `the body is not a request of OTLP: ${cause.message}; nothing was stored`, { cause })
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
