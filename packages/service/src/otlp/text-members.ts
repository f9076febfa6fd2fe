/**
 * Events of OTLP as JSON. Every event can be written so.
 */
import { printNs } from '@deployment-annotations/event-store/scan/event-time'
import { NESTING_MAX } from '@deployment-annotations/event-store/scan/limits'
import { JsonText, nameOf } from './json-text.ts'
import { Members } from './members.ts'
import { AnyValue, ArrayValue, KeyValue, KeyValueList } from './messages.ts'
import { ABSENT, type MessageFields, type Places } from './source.ts'
import type { NamedField } from './wire.ts'

/** From here on (1973) a number of nanoseconds is read as one; see the rules of times in docs/ingest.md. */
const NS_DIGITS_MIN = 18
const [LBRACE, RBRACE, LBRACKET, RBRACKET, COLON, QUOTE] = [0x7b, 0x7d, 0x5b, 0x5d, 0x3a, 0x22]
const TIME = nameOf('_time')
const VALUE = AnyValue.fields

export class TextMembers extends Members<Buffer> {
  readonly out = new JsonText()

  open(): void {
    this.out.separate()
    this.out.byte(LBRACE)
  }

  openMember(name: Buffer): void {
    this.out.member(name)
    this.out.byte(LBRACE)
  }

  /** Members without the braces around them. */
  share(write: () => void): Buffer {
    const { out } = this
    const before = out.length
    out.byte(LBRACE)
    write()
    const made = out.takeFrom(before)
    return made.subarray(1)
  }

  add(made: Buffer): void {
    if (made.length > 0) this.out.member(made)
  }

  close(): void {
    this.out.byte(RBRACE)
  }

  object(name: Buffer, write: () => void): void {
    this.#enclosed(name, LBRACE, RBRACE, write)
  }

  array(name: Buffer, places: Places, write: (at: number) => void): void {
    if (places.count === 0) return
    this.#enclosed(name, LBRACKET, RBRACKET, () => {
      for (let i = 0; i < places.count; i++) write(places.at(i))
    })
  }

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

  /** Absent, and not 0, where it was not sent. */
  double(name: Buffer, found: MessageFields, field: NamedField): boolean {
    const at = found.at(field)
    if (at === ABSENT) return false
    this.out.member(name)
    this.out.double(this.source.double(at, field))
    return true
  }

  id(name: Buffer, found: MessageFields, field: NamedField): void {
    const bytes = this.idBytes(found, field)
    if (!bytes) return
    this.out.member(name)
    this.out.hex(bytes)
  }

  time(digits: string): boolean {
    if (digits === '0') return false
    this.plain(TIME, digits.length >= NS_DIGITS_MIN ? digits : JSON.stringify(printNs(digits)))
    return true
  }

  pairs(name: Buffer, places: Places): void {
    if (places.count === 0) return
    this.out.member(name)
    this.#pairs(places, 0)
  }

  pair(keyAt: number, valueAt: number): void {
    this.out.separate()
    this.#key(keyAt)
    this.#value(valueAt)
  }

  any(name: Buffer, at: number): void {
    this.out.member(name)
    this.#value(at)
  }

  /** A name that was sent, and its colon. */
  #key(at: number): void {
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
  #value(at: number, depth = 0): void {
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
        const items = this.listIn(place, ArrayValue)
        for (let i = 0; i < items.count && depth <= NESTING_MAX; i++) {
          out.separate()
          this.#value(items.at(i), depth + 1)
        }
        out.byte(RBRACKET)
        break
      }
      case VALUE.kvlistValue.id:
        this.#pairs(this.listIn(place, KeyValueList), depth + 1)
        break
      default:
        out.ascii('null')
    }
  }

  #pairs(places: Places, depth: number): void {
    const { source, out } = this
    out.byte(LBRACE)
    for (let i = 0; i < places.count && depth <= NESTING_MAX; i++) {
      source.pair(places.at(i))
      const { keyAt, valueAt } = source
      out.separate()
      this.#key(keyAt)
      this.#value(valueAt, depth)
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
