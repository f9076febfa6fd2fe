/**
 * Cuts what is to be ingested into batches: events to NDJSON, NDJSON and CSV text at the ends of their records.
 * Deliberately not here: sending.
 */
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import { CsvError, parseCsv } from './csv.ts'
import { ConfigError } from './errors.ts'
import type { Source } from './source.ts'

/** What one request carries. */
export interface Batch {
  body: string
  /** Events in it. */
  count: number
  contentType: 'application/x-ndjson' | 'text/csv'
}

export interface BatchLimits {
  eventsMax: number
  /** Characters of the body. */
  charsMax: number
  /** An incomplete batch of a stream is sent after this many milliseconds. */
  lingerMs: number
}

export type Text = Source<string | Uint8Array>

/** @throws ConfigError for an event that is not a JSON object, with its index, before the batch that would contain it is sent */
export async function* batchEvents(events: Source<object>, limits: BatchLimits): AsyncGenerator<Batch> {
  async function* toLines() {
    let index = 0
    for await (const event of events) yield writeLine(event, index++)
  }
  yield* batchRecords(toLines(), limits, 'application/x-ndjson')
}

function writeLine(event: object, index: number): string {
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw new ConfigError(`event ${index} is not an object`)
  try {
    return `${stringifyExact(event)}\n`
  } catch (cause) {
    throw new ConfigError(`event ${index} cannot be written as JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Lines go as they are; empty ones are left out. */
export async function* batchNdjson(text: Text, limits: BatchLimits): AsyncGenerator<Batch> {
  async function* toLines() {
    let rest = ''
    for await (const chunk of decode(text)) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') yield `${line}\n`
    }
    if (rest.trim() !== '') yield `${rest}\n`
  }
  yield* batchRecords(toLines(), limits, 'application/x-ndjson')
}

/** Every batch begins with the header row of the stream. Records go as they are, quoted line breaks included. */
export async function* batchCsv(text: Text, delimiter: string, limits: BatchLimits): AsyncGenerator<Batch> {
  const parser = parseCsv({ delimiter, raw: true, bom: true, relax_column_count: true, skip_empty_lines: true })
  const feeding = feed(text, parser)
  const records = readRecords(parser)
  const header = await records.next()
  if (header.done) return void (await feeding)
  async function* toLines() {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      // The parser counts empty lines before a record to it.
      const raw = next.value.raw.replace(/^[\r\n]+/, '')
      yield raw.endsWith('\n') ? raw : `${raw}\n`
    }
    await feeding
  }
  const headerRow = header.value.raw.endsWith('\n') ? header.value.raw : `${header.value.raw}\n`
  yield* batchRecords(toLines(), limits, 'text/csv', headerRow)
}

/** @throws ConfigError for text that is no CSV */
async function* readRecords(parser: AsyncIterable<unknown>): AsyncGenerator<{ record: string[]; raw: string }> {
  try {
    yield* parser as AsyncIterable<{ record: string[]; raw: string }>
  } catch (cause) {
    throw cause instanceof CsvError ? new ConfigError(`the CSV cannot be read: ${cause.message}`, { cause }) : cause
  }
}

async function feed(text: Text, parser: ReturnType<typeof parseCsv>): Promise<void> {
  try {
    for await (const chunk of decode(text)) {
      if (!parser.write(chunk)) await new Promise((resolve) => parser.once('drain', resolve))
    }
    parser.end()
  } catch (error) {
    parser.destroy(error as Error)
  }
}

async function* decode(text: Text): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of text) yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** @param head what every body begins with */
async function* batchRecords(
  records: AsyncGenerator<string>,
  limits: BatchLimits,
  contentType: Batch['contentType'],
  head = '',
): AsyncGenerator<Batch> {
  let body = head
  let count = 0
  let startedAt = 0
  const take = () => {
    const batch = { contentType, body, count }
    body = head
    count = 0
    return batch
  }
  let next = records.next()
  for (;;) {
    const record = count === 0 ? await next : await within(next, startedAt + limits.lingerMs - Date.now())
    if (record === undefined) {
      yield take()
      continue
    }
    if (record.done) break
    if (count > 0 && (count >= limits.eventsMax || body.length + record.value.length > limits.charsMax)) yield take()
    if (count === 0) startedAt = Date.now()
    body += record.value
    count++
    next = records.next()
    // It is awaited later, or never where sending failed meanwhile.
    next.catch(() => undefined)
  }
  if (count > 0) yield take()
}

/** @returns what the promise gives, or `undefined` where it takes longer; the promise goes on */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
