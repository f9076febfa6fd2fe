/**
 * Events of OTLP as the values of rows, without JSON between. What most events have is enough here; where one has more, it is not
 * complete, and is written as JSON (text-members.ts).
 */
import type { EventBuilder, SharedValues } from '@deployment-annotations/event-store/scan/event-builder'
import { Members } from './members.ts'
import { AnyValue, ArrayValue, KeyValue } from './messages.ts'
import { ABSENT, type MessageFields, type Places, type Source } from './source.ts'
import type { NamedField } from './wire.ts'

const VALUE = AnyValue.fields
const { key: KEY } = KeyValue.fields
/** Nanoseconds from 2001 to 2255 have so many digits, and one up to this before the others. Other times are read by the scanner. */
const NS_DIGITS = 19
const NS_FIRST_DIGIT_MAX = '8'
const [QUOTE, LOWER_T, LOWER_F] = ['"', 't', 'f']
const NO_KEY = Buffer.alloc(0)
/** Strings that are the same in JSON. */
const WITHOUT_ESCAPES = /^[ !#-[\]-\uD7FF]*$/

export class RowMembers extends Members<SharedValues> {
  readonly #event: EventBuilder
  /** The name of an object of which nothing is written yet. */
  #pending: Buffer | undefined

  constructor(source: Source, event: EventBuilder) {
    super(source)
    this.#event = event
  }

  open(): void {
    this.#event.begin()
  }

  close(): void {
    this.#event.close()
  }

  openMember(name: Buffer): void {
    this.#name(name)
    this.#event.open()
  }

  share(write: () => void): SharedValues {
    return this.#event.share(write)
  }

  add(shared: SharedValues): void {
    this.#event.add(shared)
  }

  override forgetShared(): void {
    this.#event.startShared()
  }

  object(name: Buffer, write: () => void): void {
    this.#pending = name
    write()
    if (this.#pending === name) this.#pending = undefined
    else this.close()
  }

  array(_name: Buffer, places: Places): void {
    if (places.count > 0) this.#event.isComplete = false
  }

  plain(name: Buffer, text: string | undefined): void {
    if (text === undefined) return
    const event = this.#event
    this.#name(name)
    const first = text[0]
    if (first === QUOTE) event.ascii(text.slice(1, -1))
    else if (first === LOWER_T || first === LOWER_F) event.boolean(first === LOWER_T)
    else event.digits(text)
  }

  text(name: Buffer, found: MessageFields, field: NamedField): void {
    const at = found.at(field)
    if (at === ABSENT || this.source.isEmpty(at, field)) return
    this.#name(name)
    this.source.addText(at, field, this.#event)
  }

  id(name: Buffer, found: MessageFields, field: NamedField): void {
    const bytes = this.idBytes(found, field)
    if (!bytes) return
    this.#name(name)
    this.#event.ascii(bytes.toString('hex'))
  }

  time(digits: string): boolean {
    if (digits === '0') return false
    if (digits.length === NS_DIGITS && (digits[0] as string) <= NS_FIRST_DIGIT_MAX) this.#event.timeNs = digits
    else this.#event.isComplete = false
    return true
  }

  pairs(_name: Buffer, places: Places): void {
    if (places.count > 0) this.#event.isComplete = false
  }

  pair(keyAt: number, valueAt: number): void {
    const event = this.#event
    if (keyAt === ABSENT) event.key(NO_KEY, 0, 0)
    else {
      const { source } = this
      source.text(keyAt, KEY)
      if (source.textBytes !== event.buf) event.isComplete = false
      event.key(source.textBytes, source.textFrom, source.textTo)
    }
    this.#value(valueAt)
  }

  any(name: Buffer, at: number): void {
    this.#name(name)
    this.#value(at)
  }

  /** @param name as it is written, with its quotes and its colon */
  #name(name: Buffer): void {
    const pending = this.#pending
    if (pending) {
      this.#pending = undefined
      this.openMember(pending)
    }
    this.#event.key(name, 1, name.length - 2)
  }

  #value(at: number): void {
    const event = this.#event
    const { source } = this
    const id = at === ABSENT ? 0 : source.any(at)
    const place = source.anyAt
    switch (id) {
      case 0:
        break
      case VALUE.stringValue.id:
        source.addText(place, VALUE.stringValue, event)
        break
      case VALUE.boolValue.id:
        event.boolean(source.bool(place, VALUE.boolValue))
        break
      case VALUE.intValue.id:
        source.addInteger(place, VALUE.intValue, event)
        break
      case VALUE.doubleValue.id:
        source.addDouble(place, VALUE.doubleValue, event)
        break
      case VALUE.arrayValue.id:
        this.#strings(place)
        break
      default:
        event.isComplete = false
    }
  }

  /** An array, which is to have only strings, as the arguments of a process are. */
  #strings(place: number): void {
    const event = this.#event
    const { source } = this
    const items = this.listIn(place, ArrayValue)
    const texts: string[] = []
    for (let i = 0; i < items.count && event.isComplete; i++) {
      const id = source.any(items.at(i))
      if (id !== VALUE.stringValue.id) event.isComplete = false
      else {
        source.text(source.anyAt, VALUE.stringValue)
        texts.push(source.textBytes.toString('utf8', source.textFrom, source.textTo))
      }
    }
    const json = JSON.stringify(texts)
    if (texts.length === 0 || !texts.every((text) => WITHOUT_ESCAPES.test(text))) event.isComplete = false
    else event.strings(json)
  }
}
