/**
 * Reads a CSV body (RFC 4180): a header row of field names, or the names from the request, and one event per row.
 * Cells are texts and stay texts, so `007` and `1.10` are returned as they were sent. A blank line between rows of several columns is
 * no event; a row with more or fewer cells than there are names is refused alone.
 */
import { finished } from 'node:stream/promises'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { CsvError, type Parser, parse } from 'csv-parse'
import type { RowWriter } from '../rows/row-writer.ts'
import { EVENT_BYTES_MAX } from '../scan/limits.ts'

interface CsvOptions {
  /** One character; a comma if undefined. */
  delimiter: string | undefined
  /** The names of the columns; if given, there is no header row. */
  fields: readonly string[] | undefined
}

/**
 * Reads all rows.
 * @param settle called after each stretch of rows, so that full buffers are stored before more rows are read
 * @throws ServiceError `malformed` naming the line
 */
export async function readCsv(
  chunks: AsyncIterable<Buffer>,
  options: CsvOptions,
  writer: RowWriter,
  settle: () => Promise<void>,
): Promise<void> {
  const rows = new CsvRows(writer, options.fields)
  const parser = parse({
    bom: true,
    delimiter: options.delimiter ?? ',',
    relax_column_count: true,
    max_record_size: EVENT_BYTES_MAX,
    // Rows are taken here, because reading them from the stream costs more than parsing them.
    on_record: (cells: string[]) => {
      rows.take(cells)
      return null
    },
  })
  ignoreLengths(parser)
  const ended = finished(parser.resume())
  // The same error is also thrown by the write.
  ended.catch(() => undefined)
  try {
    for await (const text of decoded(chunks)) {
      await write(parser, text)
      await settle()
    }
    parser.end()
    await ended
  } catch (error) {
    parser.destroy()
    throw error instanceof CsvError ? malformed(error) : error
  }
}

/**
 * Keeps the parser from treating a row of another length than the first as an error. With relaxed lengths it still creates that error
 * and discards it, at 50 µs each (7.0.3): two million blank lines took minutes. Here every row appears to have the expected length.
 */
function ignoreLengths(parser: Parser): void {
  const { api } = parser as unknown as { api: { __onRecord?: OnRecord } }
  const onRecord = api.__onRecord
  // Another version may not have this function, and then nothing needs to be replaced.
  if (!onRecord) return
  api.__onRecord = function (push) {
    this.state.expectedRecordLength = this.state.record.length
    return onRecord.call(this, push)
  }
}

type OnRecord = (this: { state: { record: unknown[]; expectedRecordLength: number } }, push: unknown) => unknown

/** Resolves when its rows have been taken. */
function write(parser: Parser, text: string): Promise<void> {
  return new Promise((resolve, reject) => void parser.write(text, (error) => (error ? reject(error) : resolve())))
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let bytes = 0
  for await (const chunk of chunks) {
    yield decode(() => decoder.decode(chunk, { stream: true }), bytes)
    bytes += chunk.length
  }
  yield decode(() => decoder.decode(), bytes)
}

function decode(read: () => string, at: number): string {
  try {
    return read()
  } catch (cause) {
    throw new ServiceError('malformed', `the CSV is not valid UTF-8 after byte ${at}; nothing was stored`, { cause })
  }
}

/** Each blank row is only a byte long and becomes a row, so their number is bounded; real files have fewer empty cells. */
const BLANK_ROWS_MAX = 20_000

class CsvRows {
  readonly #writer: RowWriter
  #names: readonly string[] | undefined
  #line = 0
  #blank = 0

  /** @param fields the names of the columns, if the request gives them */
  constructor(writer: RowWriter, fields: readonly string[] | undefined) {
    this.#writer = writer
    this.#names = fields && namesOf(fields, 'X-Axiom-CSV-Fields')
  }

  /**
   * Takes a row. A row with line breaks in its cells is named by its first line; the parser's own count takes CR LF in a cell for two.
   */
  take(cells: readonly string[]): void {
    const line = this.#line + 1
    this.#line = line
    // Of a line that ends in CR LF among lines that end in LF, the CR is left.
    const isBlank = cells.length === 1 && (cells[0] === '' || cells[0] === '\r')
    if (isBlank && this.#isIgnored(line)) return
    for (const cell of cells) this.#line += cell.match(/\r\n|\r|\n/g)?.length ?? 0
    if (this.#names === undefined) {
      this.#names = namesOf(cells, `line ${line}`)
      return
    }
    const names = this.#names
    if (cells.length !== names.length) {
      this.#writer.tally.refuse({ reason: `it has ${cells.length} cells, but there are ${names.length} column names`, line })
      return
    }
    let text = '{'
    for (let i = 0; i < names.length; i++) text += `${i === 0 ? '' : ','}${names[i]}:${JSON.stringify(cells[i])}`
    this.#writer.take(Buffer.from(`${text}}`), 0, line)
  }

  /** @returns whether a blank line is skipped; with a single column it is an empty cell @throws ServiceError */
  #isIgnored(line: number): boolean {
    if (this.#names === undefined) throw new ServiceError('malformed', `line ${line}: it is blank and names no columns`)
    if (this.#names.length > 1) return true
    this.#blank++
    if (this.#blank <= BLANK_ROWS_MAX) return false
    throw new ServiceError('too_large', `line ${line}: over ${BLANK_ROWS_MAX} lines are blank; nothing was stored`)
  }
}

/** @returns the names as JSON text */
function namesOf(cells: readonly string[], where: string): string[] {
  const seen = new Set<string>()
  for (const name of cells) {
    if (seen.has(name))
      throw new ServiceError('malformed', `${where}: the column name ${JSON.stringify(name)} occurs twice; nothing was stored`)
    seen.add(name)
  }
  return cells.map((name) => JSON.stringify(name))
}

function malformed(error: CsvError): ServiceError {
  const line = typeof error.lines === 'number' ? error.lines : undefined
  const reason = error.message.replace(/\s+/g, ' ')
  return new ServiceError(
    'malformed',
    `${line === undefined ? 'the CSV' : `line ${line}`}: ${reason.slice(0, 300)}; nothing was stored`,
    { cause: error },
  )
}
