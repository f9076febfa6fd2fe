/**
 * A request of OTLP, in either of its encodings, as places of fields: nothing is copied until its value is written into an event.
 * A place is a number that only its source understands. Integers of 64 bits keep every digit.
 */
import type { EventBuilder } from '@deployment-annotations/event-store/scan/event-builder'
import { VALUE_BYTES_MAX } from '@deployment-annotations/event-store/scan/limits'
import type { JsonText } from './json-text.ts'
import { type Fields, type Message, type NamedField, WireError } from './wire.ts'

/** A field that was not sent. */
export const ABSENT = -1
/** The place of the request itself. */
export const REQUEST = -2

/** Called with the number of messages in lists so far. @throws ServiceError `too_large` */
export type CountMessages = (messages: number) => void
/** How many messages are read between two calls of it, and between two pauses. */
export const MESSAGES_AT_ONCE = 4_096

/** A number takes two bytes of an array at least. It may be one byte of protobuf, so numbers do not count as messages. */
const NUMBERS_MAX = VALUE_BYTES_MAX / 2

/** The places of the items of a list. An array that is emptied is made anew, so these are only counted. */
class Places {
  count = 0
  readonly #places: number[] = []

  at(index: number): number {
    return this.#places[index] as number
  }

  *all(): Generator<number> {
    for (let i = 0; i < this.count; i++) yield this.at(i)
  }

  add(place: number): void {
    this.#places[this.count++] = place
  }
}

export type { Places }

export const NONE = new Places()

/** The places of the fields of one message. Of a field that was sent twice, the last one counts. */
export class MessageFields {
  readonly message: Message<Fields>
  readonly #at: Int32Array
  readonly #lists: (Places | undefined)[]

  constructor(message: Message<Fields>) {
    this.message = message
    this.#at = new Int32Array(message.idMax + 1).fill(ABSENT)
    this.#lists = Array.from({ length: message.idMax + 1 }, (_, id) =>
      message.withId(id)?.isRepeated ? new Places() : undefined,
    )
  }

  at({ id }: { id: number }): number {
    return this.#at[id] as number
  }

  list({ id }: { id: number }): Places {
    return this.#lists[id] ?? NONE
  }

  clear(): void {
    this.#at.fill(ABSENT)
    for (const list of this.#lists) if (list) list.count = 0
  }

  /** @throws WireError for a list of more numbers than an event can have */
  set(field: NamedField, at: number): void {
    const list = this.#lists[field.id]
    if (list) list.add(at)
    else this.#at[field.id] = at
    if (list && list.count > NUMBERS_MAX && field.type !== 'message')
      throw new WireError(`${field.name} has more than ${NUMBERS_MAX} numbers`)
  }
}

/** All methods that read throw WireError for what cannot be read. */
export interface Source {
  /** Finds the fields of the message at a place. */
  find(at: number, found: MessageFields): void
  /** Finds the parts of a pair: `keyAt` and `valueAt`. */
  pair(at: number): void
  readonly keyAt: number
  readonly valueAt: number
  /** @returns the number of the field of an AnyValue that is there, 0 for none; its place is `anyAt` */
  any(at: number): number
  readonly anyAt: number
  /** Finds the bytes of a text: those of `textBytes` from `textFrom` to `textTo`. */
  text(at: number, field: NamedField): void
  readonly textBytes: Buffer
  readonly textFrom: number
  readonly textTo: number
  /** Writes a string of JSON. */
  writeText(at: number, field: NamedField, out: JsonText): void
  isEmpty(at: number, field: NamedField): boolean
  bool(at: number, field: NamedField): boolean
  /** An integer of 32 bits. */
  int(at: number, field: NamedField): number
  /** @returns the digits of an integer of 64 bits */
  digits(at: number, field: NamedField): string
  double(at: number, field: NamedField): number
  bytes(at: number, field: NamedField): Buffer
  /** The same values as members of an event that is built without text. */
  addText(at: number, field: NamedField, event: EventBuilder): void
  addInteger(at: number, field: NamedField, event: EventBuilder): void
  addDouble(at: number, field: NamedField, event: EventBuilder): void
  /** Called when nothing is read any more. */
  end(): void
}
