/**
 * A request of OTLP as events: `otlp/` from its start to its end. An item is read once, from its bytes to the row of its event, or to
 * text that is read as any event, and only when it is needed, so that a request takes little more memory than its body.
 * Deliberately not here: HTTP, and what becomes of the events.
 */
import type { RowWriter } from '@deployment-annotations/event-store/rows/row-writer'
import { SMALL_BYTES_MAX } from '@deployment-annotations/event-store/scan/limits'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Attributes } from './attributes.ts'
import { JsonSource } from './json-source.ts'
import { nameOf } from './json-text.ts'
import { writeLogEvents } from './logs.ts'
import type { Members } from './members.ts'
import { LISTS, LOGS, Resource, Scope, TRACES } from './messages.ts'
import { METRICS } from './metric-messages.ts'
import { Metrics } from './metrics.ts'
import { ProtobufSource } from './protobuf-source.ts'
import { RowMembers } from './row-members.ts'
import { ABSENT, type CountMessages, MESSAGES_AT_ONCE, MessageFields, REQUEST, type Source } from './source.ts'
import { writeSpanEvents } from './spans.ts'
import { TextMembers } from './text-members.ts'
import { WireError } from './wire.ts'

/** How a request is written, which is how it is answered. */
export type Encoding = 'protobuf' | 'json'

export const SIGNALS = { traces: TRACES, logs: LOGS, metrics: METRICS } as const

export type SignalName = keyof typeof SIGNALS

/** Writes the event of an item; `end` writes the rest of it. */
type WriteEvent = (item: number, members: Members, attributes: Attributes, end: () => void) => void

/** Signals whose items are events, and the way without text. A metric is an event for each of its points, and most have arrays. */
const ROW_EVENTS: Readonly<Partial<Record<SignalName, WriteEvent>>> = { traces: writeSpanEvents, logs: writeLogEvents }

/** A request that is small by the rules of ingest is one piece. */
const FIRST_PIECE_BYTES = SMALL_BYTES_MAX
/** What is longer than this is not small as events either, of which as few as possible become text. */
const SURELY_LARGE_BYTES = 8 * SMALL_BYTES_MAX
/** About how much is read at once of what follows. */
const PIECE_BYTES = 65_536
const NEWLINE = 0x0a

const N = {
  resource: nameOf('resource'),
  scope: nameOf('scope'),
  name: nameOf('name'),
  version: nameOf('version'),
  attributes: nameOf('attributes'),
  schemaUrl: nameOf('schema_url'),
  dropped: nameOf('dropped_attributes_count'),
}

/** What holds the item that is being read, and how many of these came so far. */
interface Holders {
  readonly resource: MessageFields
  readonly scope: MessageFields
  scopes: number
}

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
  readonly #source: Source
  readonly #holders: Holders
  readonly #items: Iterator<number>
  readonly #text: TextMembers
  readonly #textParts: SharedParts
  readonly #metrics = new Metrics()
  #made = 0

  /** @throws ServiceError `malformed`, `too_large` */
  constructor(name: SignalName, parts: EventsParts) {
    const { bytes, encoding, attributes, messages } = parts
    const { resource, scope } = SIGNALS[name]
    this.#name = name
    this.#parts = parts
    this.#holders = { resource: new MessageFields(resource), scope: new MessageFields(scope), scopes: 0 }
    const Source = encoding === 'protobuf' ? ProtobufSource : JsonSource
    this.#source = reading(() => new Source(bytes, messages))
    const items = eachItem(name, this.#source, this.#holders)
    this.#items = name === 'metrics' ? this.#eachPoint(items) : items
    this.#text = new TextMembers(this.#source)
    this.#textParts = new SharedParts(this.#text, this.#holders, attributes)
  }

  /**
   * The events as text. Stop at any piece, and the rest is there for {@link writeRows}.
   * @yields whole lines; an empty piece where many messages have no event
   * @throws ServiceError `malformed`
   */
  *lines(): Generator<Buffer> {
    const { out } = this.#text
    // Whether there is more than the first piece is asked with the second one, which needs one event.
    const sizes = [this.#parts.bytes.length > SURELY_LARGE_BYTES ? 1 : FIRST_PIECE_BYTES, 1]
    for (let size = sizes.shift(); reading(() => this.#fill(size ?? PIECE_BYTES)); size = sizes.shift()) {
      this.#grow(out.length)
      yield out.take()
    }
    if (out.length > 0) yield out.take()
  }

  /**
   * Writes the events that were not read as text, without text as far as possible.
   * @yields how many bytes they take, now and then
   * @throws ServiceError `malformed`
   */
  *writeRows(writer: RowWriter): Generator<number> {
    const { bytes, attributes } = this.#parts
    const write = ROW_EVENTS[this.#name]
    const event = write && writer.createBuilder(bytes)
    const rows = event && new RowMembers(this.#source, event)
    const parts = rows && new SharedParts(rows, this.#holders, attributes)
    const addParts = () => parts?.add()
    const writeNext = (): number => {
      let slice = 0
      while (slice < PIECE_BYTES) {
        const { done, value: item } = this.#items.next()
        if (done) return slice
        // One more, because a slice without bytes is the last.
        if (item === ABSENT) return slice + 1
        if (rows && parts) {
          parts.read()
          write(item, rows, attributes, addParts)
          slice += event.bytes
        }
        if (event && writer.takeBuilt(event)) continue
        slice += this.#writeText(item, writer)
        // Its text may have made fields known that these were without.
        parts?.forget()
      }
      return slice
    }
    for (let slice = reading(writeNext); slice > 0; slice = reading(writeNext)) {
      this.#grow(slice)
      yield slice
    }
  }

  /** Writes a piece of text. @returns whether there may be more */
  #fill(size: number): boolean {
    const { out } = this.#text
    while (out.length < size) {
      const { done, value: item } = this.#items.next()
      if (done) return false
      if (item === ABSENT) return true
      this.#writeItem(item)
    }
    return true
  }

  /** @returns the number of its bytes */
  #writeText(item: number, writer: RowWriter): number {
    const { out } = this.#text
    this.#writeItem(item)
    const { length } = out
    for (let at = 0; at < length; ) at = writer.take(out.written, at) + 1
    out.cut(0)
    return length
  }

  #writeItem(item: number): void {
    const members = this.#text
    const parts = this.#textParts
    const { attributes } = this.#parts
    parts.read()
    const end = () => {
      parts.add()
      members.close()
      members.out.byte(NEWLINE)
    }
    const write = ROW_EVENTS[this.#name]
    if (write) write(item, members, attributes, end)
    else this.#metrics.write(item, members, attributes, end)
  }

  *#eachPoint(metrics: Iterable<number>): Generator<number, undefined> {
    for (const item of metrics) {
      if (item === ABSENT) yield ABSENT
      else yield* this.#metrics.read(item, this.#text).all()
    }
  }

  #grow(bytes: number): void {
    this.#made += bytes
    this.#parts.growth(this.#made)
  }
}

/** The members that all events of a scope have: those of its resource, and its own. */
class SharedParts<Shared = unknown> {
  readonly #members: Members<Shared>
  readonly #holders: Holders
  readonly #attributes: Attributes
  #shared: Shared[] = []
  #scopes = 0

  constructor(members: Members<Shared>, holders: Holders, attributes: Attributes) {
    this.#members = members
    this.#holders = holders
    this.#attributes = attributes
  }

  /** Reads them where they are others than those of the item before. */
  read(): void {
    const { resource, scope, scopes } = this.#holders
    if (this.#scopes === scopes) return
    this.#scopes = scopes
    const members = this.#members
    const attributes = this.#attributes
    members.forgetShared()
    this.#shared = [
      members.share(() => writeResource(resource, members, attributes)),
      members.share(() => writeScope(scope, members, attributes)),
    ]
  }

  /** Reads them again with the next item. */
  forget(): void {
    this.#scopes = 0
  }

  add(): void {
    for (const shared of this.#shared) this.#members.add(shared)
  }
}

/** @yields the place of each item, with its resource and its scope in `holders`; ABSENT after many messages, for a pause */
function* eachItem(name: SignalName, source: Source, holders: Holders): Generator<number, undefined> {
  const request = new MessageFields(SIGNALS[name].request)
  const { resource, scope } = holders
  let read = 0
  const isPause = () => ++read % MESSAGES_AT_ONCE === 0
  source.find(REQUEST, request)
  for (const ofResource of request.list({ id: LISTS.resources }).all()) {
    source.find(ofResource, resource)
    if (isPause()) yield ABSENT
    for (const ofScope of resource.list({ id: LISTS.scopes }).all()) {
      source.find(ofScope, scope)
      if (isPause()) yield ABSENT
      holders.scopes++
      const items = scope.list({ id: LISTS.items })
      for (let i = 0; i < items.count; i++) {
        if (isPause()) yield ABSENT
        yield items.at(i)
      }
    }
  }
  source.end()
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

const FIRST = { id: 1 }
const RESOURCE = new MessageFields(Resource)
const SCOPE = new MessageFields(Scope)

function writeResource(holder: MessageFields, members: Members, attributes: Attributes): void {
  const { fields } = Resource
  const at = holder.at(FIRST)
  if (at === ABSENT) RESOURCE.clear()
  else members.find(at, RESOURCE)
  attributes.writeResource(N.resource, RESOURCE.list(fields.attributes), members, () => {
    members.text(N.schemaUrl, holder, TRACES.resource.fields.schemaUrl)
    members.count(N.dropped, RESOURCE, fields.droppedAttributesCount)
  })
}

function writeScope(holder: MessageFields, members: Members, attributes: Attributes): void {
  const { fields } = Scope
  const at = holder.at(FIRST)
  if (at === ABSENT) SCOPE.clear()
  else members.find(at, SCOPE)
  members.object(N.scope, () => {
    members.text(N.name, SCOPE, fields.name)
    members.text(N.version, SCOPE, fields.version)
    members.text(N.schemaUrl, holder, TRACES.scope.fields.schemaUrl)
    attributes.write(N.attributes, SCOPE.list(fields.attributes), members)
    members.count(N.dropped, SCOPE, fields.droppedAttributesCount)
  })
}
