/**
 * Cuts what is to be ingested into batches: events to NDJSON, NDJSON and CSV text at the ends of their records.
 * Deliberately not here: sending.
 */
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import { within } from './clock.ts'
import { ConfigError } from './errors.ts'
import { toLine } from './line.ts'

/** What one request carries. */
export interface Batch {
  body: string
  /** Events in it. */
  count: number
  contentType: 'application/x-ndjson' | 'text/csv'
}

/** When a batch is sent. */
export interface BatchOptions {
  /** Events of a batch at most; default 5,000. */
  batchEventsMax?: number
  /** Characters of a batch at most, unless one event has more; default 4 Mi. */
  batchCharsMax?: number
  /** An incomplete batch is sent after this many milliseconds; default 1,000. */
  lingerMs?: number
}

/** @property signal ends it, also while it waits for the source, which is closed as soon as nothing more of it is wanted */
type CutOptions = BatchOptions & { signal?: AbortSignal }

const BATCH_EVENTS_MAX = 5_000
const BATCH_CHARS_MAX = 4 * 1024 * 1024
const LINGER_MS = 1_000

export type Source<T> = Iterable<T> | AsyncIterable<T>

export type Text = Source<string | Uint8Array>

/** How a source is taken apart. */
interface Format<T> {
  contentType: Batch['contentType']
  /** Whether the first record begins every batch. */
  hasHeader?: boolean
  /** @returns the records that are complete with this item; without one, what is left at the end of the source */
  read(item?: T): string[]
}

/** @throws ConfigError for an event that is not a JSON object, with its index, before the batch that would contain it is sent */
export function batchEvents(events: Source<object>, options: CutOptions): AsyncGenerator<Batch> {
  let index = 0
  const read = (event?: object) => (event === undefined ? [] : [writeLine(event, `event ${index++}`)])
  return cut(events, { contentType: 'application/x-ndjson', read }, options)
}

/** @param name of the event, for messages. @throws ConfigError for an event that is not a JSON object */
export function writeLine(event: object, name: string): string {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) throw new ConfigError(`${name} is not an object`)
  try {
    return `${stringifyExact(event)}\n`
  } catch (cause) {
    throw new ConfigError(`${name} cannot be written as JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Lines go as they are; empty ones are left out. */
export function batchNdjson(text: Text, options: CutOptions): AsyncGenerator<Batch> {
  const readLines = createLineReader()
  const read = (chunk?: string | Uint8Array) => {
    const lines = readLines(chunk).filter((line) => line.trim() !== '')
    return lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`))
  }
  return cut(text, { contentType: 'application/x-ndjson', read }, options)
}

/**
 * Every batch begins with the header row of the stream. Records go as they are, quoted line breaks included, and the last one gets no
 * line break: parsers take the first that they see for the only one.
 * @throws ConfigError for text that is no CSV
 */
export function batchCsv(text: Text, delimiter: string, options: CutOptions): AsyncGenerator<Batch> {
  const readLines = createLineReader()
  const separator = delimiter.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&')
  const field = `(?:"(?:[^"]|"")*"|[^"\r\n${separator}]*)`
  const isRecord = new RegExp(`^${field}(?:${separator}${field})*\r?\n?$`)
  let record = ''
  let isQuoted = false
  const readRecord = (line: string): string[] => {
    record += line
    if (line.split('"').length % 2 === 0) isQuoted = !isQuoted
    return isQuoted ? [] : take()
  }
  const take = (): string[] => {
    const whole = record
    record = ''
    if (!isRecord.test(whole)) throw new ConfigError(`the CSV cannot be read: this is no row: ${toLine(whole, 200)}`)
    return /^\r?\n?$/.test(whole) ? [] : [whole]
  }
  const read = (chunk?: string | Uint8Array) => {
    const records = readLines(chunk).flatMap(readRecord)
    return chunk === undefined ? [...records, ...take()] : records
  }
  return cut(text, { contentType: 'text/csv', hasHeader: true, read }, options)
}

/** @returns what gives the complete lines of a text as its chunks come, with their line breaks; without a chunk, the rest */
export function createLineReader(): (chunk?: string | Uint8Array) => string[] {
  const decoder = new TextDecoder()
  let rest = ''
  return (chunk) => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: chunk !== undefined })
    const lines = (rest + text).split(/(?<=\n)/)
    const isOpen = chunk !== undefined && !lines.at(-1)?.endsWith('\n')
    rest = isOpen ? (lines.pop() ?? '') : ''
    return lines.filter((line) => line !== '')
  }
}

/** The batch that is being filled. */
export class OpenBatch {
  /** What its body begins with. */
  head = ''
  /** Records in it. */
  count = 0
  readonly #contentType: Batch['contentType']
  readonly #limits: Required<BatchOptions>
  #body = ''
  #startedAtMs = 0

  constructor(contentType: Batch['contentType'], options: BatchOptions) {
    const { batchEventsMax = BATCH_EVENTS_MAX, batchCharsMax = BATCH_CHARS_MAX, lingerMs = LINGER_MS } = options
    this.#contentType = contentType
    this.#limits = { batchEventsMax, batchCharsMax, lingerMs }
  }

  /** Milliseconds until it should be sent, however small it is. */
  get dueInMs(): number {
    return this.count === 0 ? Number.POSITIVE_INFINITY : Math.max(0, this.#startedAtMs + this.#limits.lingerMs - Date.now())
  }

  /** Whether it has to be taken before the record is added: a record that is longer than any batch is one of its own. */
  isFullFor(record: string): boolean {
    const chars = this.head.length + this.#body.length + record.length
    return this.count > 0 && (this.count >= this.#limits.batchEventsMax || chars > this.#limits.batchCharsMax)
  }

  add(record: string): void {
    if (this.count === 0) this.#startedAtMs = Date.now()
    this.#body += record
    this.count++
  }

  /** @returns what was added since the last time */
  take(): Batch {
    const batch = { contentType: this.#contentType, body: this.head + this.#body, count: this.count }
    this.#body = ''
    this.count = 0
    return batch
  }
}

async function* cut<T>(source: Source<T>, format: Format<T>, { signal, ...options }: CutOptions): AsyncGenerator<Batch> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  const batch = new OpenBatch(format.contentType, options)
  let isOver = false
  try {
    for (let next = iterator.next(); !isOver; ) {
      signal?.throwIfAborted()
      const item = next instanceof Promise ? await within(next, batch.dueInMs, signal) : await next
      if (item === undefined) {
        yield batch.take()
        continue
      }
      isOver = item.done === true
      for (const record of format.read(item.done ? undefined : item.value)) {
        if (format.hasHeader && batch.head === '') {
          batch.head = record
          continue
        }
        if (batch.isFullFor(record)) yield batch.take()
        batch.add(record)
      }
      if (!isOver) next = iterator.next()
    }
    if (batch.count > 0) yield batch.take()
  } finally {
    // Not awaited: a source that waits itself closes when it comes to it, and what it says then concerns nobody.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}
