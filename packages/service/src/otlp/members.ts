/**
 * Fields of messages as members of an event: one method for each way in which a field may be written. What was not sent, and what the
 * protocol does not tell from it, is left out.
 */
import { printNs } from '@deployment-annotations/event-store/scan/event-time'
import { NESTING_MAX } from '@deployment-annotations/event-store/scan/limits'
import { JsonText, nameOf } from './json-text.ts'
import { AnyValue, ArrayValue, KeyValue, KeyValueList } from './messages.ts'
import { ABSENT, MessageFields, type Places, type Source } from './source.ts'
import type { NamedField } from './wire.ts'

/** From here on (1973) a number of nanoseconds is read as one; see the rules of times in docs/ingest.md. */
const NS_DIGITS_MIN = 18
const [LBRACE, RBRACE, LBRACKET, RBRACKET, COLON, QUOTE] = [0x7b, 0x7d, 0x5b, 0x5d, 0x3a, 0x22]
const TIME = nameOf('_time')
const VALUE = AnyValue.fields

export class Members {
  readonly source: Source
  readonly out = new JsonText()

  constructor(source: Source) {
    this.source = source
  }

  /** @param at of a message @returns its fields, valid until the next call with the same `found` */
  find(at: number, found: MessageFields): MessageFields {
    this.source.find(at, found)
    return found
  }

  open(): void {
    this.out.separate()
    this.out.byte(LBRACE)
  }

  /** @returns the members that `write` writes, without the braces around them; they are not written themselves */
  aside(write: () => void): Buffer {
    const { out } = this
    const before = out.length
    out.byte(LBRACE)
    write()
    const made = out.takeFrom(before)
    return made.subarray(1)
  }

  /** Members that were written aside, if there are any. */
  some(made: Buffer): void {
    if (made.length > 0) this.out.member(made)
  }

  close(): void {
    this.out.byte(RBRACE)
  }

  /** An object as a member, left out where `write` writes nothing. */
  object(name: Buffer, write: () => void): void {
    this.#enclosed(name, LBRACE, RBRACE, write)
  }

  /** The same for an array, of which `write` writes one element. */
  array(name: Buffer, places: Places, write: (at: number) => void): void {
    if (places.count === 0) return
    this.#enclosed(name, LBRACKET, RBRACKET, () => {
      for (let i = 0; i < places.count; i++) write(places.at(i))
    })
  }

  /** @param text ASCII that is JSON as it is */
  plain(name: Buffer, text: string | undefined): void {
    if (text === undefined) return
    this.out.member(name)
    this.out.ascii(text)
  }

  text(name: Buffer, found: MessageFields, field: NamedField): void {
    const at = found.at(field)
    if (at === ABSENT || this.source.isEmpty(at, field)) return
    this.out.member(name)
    this.source.writeText(at, field, this.out)
  }

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

  /** Absent, and not 0, where it was not sent. */
  double(name: Buffer, found: MessageFields, field: NamedField): boolean {
    const at = found.at(field)
    if (at === ABSENT) return false
    this.out.member(name)
    this.out.double(this.source.double(at, field))
    return true
  }

  /** The id of a trace or a span, in lower case. One of zeros is none, by OpenTelemetry's rules. */
  id(name: Buffer, found: MessageFields, field: NamedField): void {
    const at = found.at(field)
    if (at === ABSENT) return
    const bytes = this.source.bytes(at, field)
    if (!bytes.some((byte) => byte !== 0)) return
    this.out.member(name)
    this.out.hex(bytes)
  }

  /** The time of the event, to the nanosecond. @returns whether there is one */
  time(digits: string): boolean {
    if (digits === '0') return false
    this.plain(TIME, digits.length >= NS_DIGITS_MIN ? digits : JSON.stringify(printNs(digits)))
    return true
  }

  /** A time that is data, in nanoseconds. */
  ns(name: Buffer, found: MessageFields, field: NamedField): void {
    const digits = this.digits(found, field)
    if (digits !== '0') this.plain(name, digits)
  }

  /** Pairs as an object whose names are just theirs, dots included. */
  pairs(name: Buffer, places: Places): void {
    if (places.count === 0) return
    this.out.member(name)
    this.#pairs(places, 0)
  }

  /** A name that was sent, and its colon. */
  key(at: number): void {
    if (at === ABSENT) {
      this.out.byte(QUOTE)
      this.out.byte(QUOTE)
    } else this.source.writeText(at, KeyValue.fields.key, this.out)
    this.out.byte(COLON)
  }

  /**
   * An AnyValue.
   * @param depth how many values it is in. Deeper than any event may be nested, the rest is left out: the event is refused for the
   *   depth that it has by then
   */
  value(at: number, depth = 0): void {
    const { source, out } = this
    const id = at === ABSENT ? 0 : source.any(at)
    const place = source.anyAt
    switch (id) {
      case VALUE.stringValue.id:
        source.writeText(place, VALUE.stringValue, out)
        break
      case VALUE.boolValue.id:
        out.ascii(source.bool(place, VALUE.boolValue) ? 'true' : 'false')
        break
      case VALUE.intValue.id:
        out.ascii(source.digits(place, VALUE.intValue))
        break
      case VALUE.doubleValue.id:
        out.double(source.double(place, VALUE.doubleValue))
        break
      case VALUE.bytesValue.id:
        out.ascii(`"${source.bytes(place, VALUE.bytesValue).toString('base64')}"`)
        break
      case VALUE.arrayValue.id: {
        out.byte(LBRACKET)
        const items = this.#listIn(place, ArrayValue)
        for (let i = 0; i < items.count && depth <= NESTING_MAX; i++) {
          out.separate()
          this.value(items.at(i), depth + 1)
        }
        out.byte(RBRACKET)
        break
      }
      case VALUE.kvlistValue.id:
        this.#pairs(this.#listIn(place, KeyValueList), depth + 1)
        break
      default:
        out.ascii('null')
    }
  }

  #listIn(place: number, message: typeof ArrayValue | typeof KeyValueList): Places {
    const found = new MessageFields(message)
    this.source.find(place, found)
    return found.list(message.fields.values)
  }

  #pairs(places: Places, depth: number): void {
    const { source, out } = this
    out.byte(LBRACE)
    for (let i = 0; i < places.count && depth <= NESTING_MAX; i++) {
      source.pair(places.at(i))
      const { keyAt, valueAt } = source
      out.separate()
      this.key(keyAt)
      this.value(valueAt, depth)
    }
    out.byte(RBRACE)
  }

  #enclosed(name: Buffer, first: number, last: number, write: () => void): void {
    const { out } = this
    const before = out.length
    out.member(name)
    out.byte(first)
    const empty = out.length
    write()
    if (out.length === empty) out.cut(before)
    else out.byte(last)
  }
}
