/**
 * Fields of messages as members of an event: one method for each way in which a field may be written. What was not sent, and what the
 * protocol does not tell from it, is left out.
 * Deliberately not here: what is made of an event, which is text (text-members.ts) or a row (row-members.ts).
 */
import type { ArrayValue, KeyValueList } from './messages.ts'
import { ABSENT, MessageFields, type Places, type Source } from './source.ts'
import type { NamedField } from './wire.ts'

/** @template Shared is what {@link share} makes */
export abstract class Members<Shared = unknown> {
  readonly source: Source

  constructor(source: Source) {
    this.source = source
  }

  /** @param at of a message @returns its fields, valid until the next call with the same `found` */
  find(at: number, found: MessageFields): MessageFields {
    this.source.find(at, found)
    return found
  }

  /** Begins an event, or an object in an array. */
  abstract open(): void

  /** Ends what was opened last. */
  abstract close(): void

  /** Begins an object as a member, which may be empty. */
  abstract openMember(name: Buffer): void

  /** @returns the members of an event that `write` writes, for {@link add}; they are not written themselves */
  abstract share(write: () => void): Shared

  abstract add(shared: Shared): void

  /** Called when all that was shared is used no more. */
  forgetShared(): void {}

  /** An object as a member, left out where `write` writes nothing. */
  abstract object(name: Buffer, write: () => void): void

  /** The same for an array, of which `write` writes one element. */
  abstract array(name: Buffer, places: Places, write: (at: number) => void): void

  /** @param text ASCII that is JSON as it is: a string without escapes, a whole number, true or false */
  abstract plain(name: Buffer, text: string | undefined): void

  abstract text(name: Buffer, found: MessageFields, field: NamedField): void

  /** The id of a trace or a span, in lower case. One of zeros is none, by OpenTelemetry's rules. */
  abstract id(name: Buffer, found: MessageFields, field: NamedField): void

  /** The time of the event, to the nanosecond. @returns whether there is one */
  abstract time(digits: string): boolean

  /** Pairs as an object whose names are just theirs, dots included. */
  abstract pairs(name: Buffer, places: Places): void

  /** A pair as a member. @param keyAt of its name, which may be absent @param valueAt of an AnyValue */
  abstract pair(keyAt: number, valueAt: number): void

  /** An AnyValue as a member. */
  abstract any(name: Buffer, at: number): void

  /** A number of 32 bits that is not 0. */
  count(name: Buffer, found: MessageFields, field: NamedField): void {
    const count = this.int(found, field)
    if (count !== 0) this.plain(name, String(count))
  }

  int(found: MessageFields, field: NamedField): number {
    const at = found.at(field)
    return at === ABSENT ? 0 : this.source.int(at, field)
  }

  /** An integer of 64 bits. @returns its digits, `0` where it was not sent */
  digits(found: MessageFields, field: NamedField): string {
    const at = found.at(field)
    return at === ABSENT ? '0' : this.source.digits(at, field)
  }

  /** A time that is data, in nanoseconds. */
  ns(name: Buffer, found: MessageFields, field: NamedField): void {
    const digits = this.digits(found, field)
    if (digits !== '0') this.plain(name, digits)
  }

  /** @returns the bytes of an id; nothing where there is none */
  protected idBytes(found: MessageFields, field: NamedField): Buffer | undefined {
    const at = found.at(field)
    if (at === ABSENT) return undefined
    const bytes = this.source.bytes(at, field)
    return bytes.some((byte) => byte !== 0) ? bytes : undefined
  }

  /** @returns the places of the items of an ArrayValue, or the pairs of a KeyValueList */
  protected listIn(place: number, message: typeof ArrayValue | typeof KeyValueList): Places {
    const found = new MessageFields(message)
    this.source.find(place, found)
    return found.list(message.fields.values)
  }
}
