/**
 * A request of OTLP in JSON, by the protocol's rules. Lists of items are cut out of it and parsed an item at a time; what is left, which is
 * resources, scopes and metrics, is parsed as a whole. Objects and arrays count as messages, before they are parsed.
 */
import { isUtf8 } from 'node:buffer'
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { COLON, COMMA, LBRACE, LBRACKET, QUOTE, RBRACE, RBRACKET } from '@deployment-annotations/event-store/scan/json-reader'
import { endOfString, ItemReader } from './item-reader.ts'
import {
  type CountMessages,
  type Frame,
  type Level,
  MESSAGE_VALUES,
  type Message,
  type Source,
  VALUES_MAX,
  WireError,
} from './levels.ts'
import { isSent, message } from './values.ts'

/** What stands before a list of items. One that is written in another way is parsed with what is around it. */
const ITEMS = /"(?:logRecords|spans|dataPoints)"\s*:\s*$/
const ITEMS_BYTES_MAX = 64
/** The most objects and arrays beside items, and the most commas: they are parsed without a pause. Batches of 10,000 have fewer. */
const OTHERS_MAX = 262_144
const SPACE = 0x20

/** A message in a list: what was parsed, or where its text is. */
interface Found {
  readonly level: Level
  readonly value: unknown
  /** Where its text is, if it was not parsed. */
  readonly from: number
  readonly to: number
}

interface JsonFrame extends Frame {
  readonly messages: Iterator<Found, undefined>
}

export class JsonSource implements Source<JsonFrame> {
  readonly #buf: Buffer
  readonly #requireMessages: CountMessages
  readonly #items: ItemReader
  /** Of each list that was cut out and not read yet, where its brackets and the commas between its items are. */
  readonly #lists = new Map<unknown, number[]>()
  /** How many objects and arrays there are. */
  #opened = 0
  #found: Found | undefined

  /** @throws WireError */
  constructor(bytes: Buffer, requireMessages: CountMessages) {
    if (!isUtf8(bytes)) throw new WireError('it is not UTF-8')
    this.#buf = bytes
    this.#requireMessages = requireMessages
    this.#items = new ItemReader(bytes)
  }

  open(level: Level, parent?: JsonFrame): JsonFrame {
    const head = given(parent ? this.#found?.value : parse(this.#cutLists()), level)
    return { level, heads: parent ? [...parent.heads, head] : [], messages: this.#each(head, level) }
  }

  find(frame: JsonFrame): Level | undefined {
    this.#found = frame.messages.next().value
    return this.#found?.level
  }

  read(level: Level): Message {
    const { value, from, to } = this.#found as Found
    return given(to > 0 ? this.#readItem(from, to) : value, level)
  }

  *#each(head: Message, { lists }: Level): Generator<Found, undefined> {
    for (const { name, level } of lists) {
      const sent = head[name]
      for (const value of Array.isArray(sent) ? sent : isSent(sent) ? [sent] : []) {
        const places = level.isItem ? this.#lists.get(value) : undefined
        // A number that a client sent may be that of a list as well, whose items are read once.
        this.#lists.delete(value)
        if (!places) yield { level, value, from: 0, to: 0 }
        else for (let i = 1; i < places.length; i++) yield { level, value, from: (places[i - 1] ?? 0) + 1, to: places[i] ?? 0 }
      }
    }
  }

  /** @returns the request with the number of a list in the place of its items */
  #cutLists(): string {
    const buf = this.#buf
    const parts: string[] = []
    let copied = 0
    let [others, commas] = [0, 0]
    for (let at = 0; at < buf.length; at++) {
      if (Math.max(others, commas) > OTHERS_MAX) throw new WireError(`it has more than ${OTHERS_MAX} values beside its items`)
      const byte = buf[at]
      if (byte === QUOTE) at = endOfString(buf, at)
      else if (byte === COMMA) commas++
      else if (byte === LBRACE || byte === LBRACKET) {
        others++
        this.#requireMessages(++this.#opened)
        if (byte === LBRACE || !isBeforeItems(buf, copied, at)) continue
        parts.push(buf.toString('utf8', copied, at + 1))
        const places = this.#findItems(at)
        if (places.length > 2 || !isBlank(buf, ...places)) {
          parts.push(String(at))
          this.#lists.set(at, places)
        }
        copied = at = places.at(-1) as number
      }
    }
    return parts.join('') + buf.toString('utf8', copied)
  }

  /** @param open where the bracket of a list is @returns where that, the commas between its items, and the bracket after them are */
  #findItems(open: number): number[] {
    const buf = this.#buf
    const places = [open]
    let depth = 0
    let opened = 0
    let values = 0
    for (let at = open + 1; ; at++) {
      const byte = buf[at]
      if (byte === QUOTE) at = endOfString(buf, at)
      else if (byte === LBRACE || byte === LBRACKET) {
        depth++
        opened++
      } else if (depth > 0 && (byte === RBRACE || byte === RBRACKET)) depth--
      else if (depth === 0 && (byte === COMMA || byte === RBRACKET)) {
        this.#countItem(opened, values)
        opened = values = 0
        places.push(at)
        if (byte === RBRACKET) return places
      } else if (byte === COMMA) values++
      else if (byte === undefined) throw new WireError('it is not JSON: it ends too early')
    }
  }

  #countItem(opened: number, commas: number): void {
    if (opened * MESSAGE_VALUES + commas > VALUES_MAX) throw new WireError(`an item has more than ${VALUES_MAX} values`)
    this.#opened += opened
    this.#requireMessages(this.#opened)
  }

  #readItem(from: number, to: number): unknown {
    try {
      return this.#items.read(from, to)
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      return parse(this.#buf.toString('utf8', from, to))
    }
  }
}

/** A member may be null, which is as if it was not sent; a request and the messages of a list may not. @throws WireError */
function given(value: unknown, { type }: Level): Message {
  if (value === null) throw new WireError(`${type.name} must be an object, got null`)
  return message(value, type.name)
}

/** @throws WireError */
function parse(text: string): unknown {
  try {
    return parseExact(text)
  } catch (cause) {
    throw new WireError(`it is not JSON: ${(cause as Error).message}`, { cause })
  }
}

const isBeforeItems = (buf: Buffer, from: number, to: number) =>
  (buf[to - 1] === COLON || buf[to - 1] === SPACE) && ITEMS.test(buf.toString('latin1', Math.max(from, to - ITEMS_BYTES_MAX), to))

/** Whether there is nothing between a bracket and another one. */
const isBlank = (buf: Buffer, open = 0, close = 0) => buf.toString('latin1', open + 1, close).trim() === ''
