/**
 * Frames a CSV body (RFC 4180): a header row of field names, or the names from the request, and one event per row.
 * Cells are texts and stay texts: nothing is guessed, so `007` and `1.10` come back as they were sent. A blank line between
 * rows of several columns is no event; a row with more or fewer cells than there are names fails by itself.
 */
import { CsvError, parse } from 'csv-parse'
import { ServiceError } from '../../errors.ts'
import type { RowWriter } from '../rows/row-writer.ts'
import { EVENT_BYTES_MAX } from '../scan/limits.ts'

interface CsvOptions {
  /** One character; a comma unless said otherwise. */
  delimiter: string | undefined
  /** Names of the columns; there is no header row then. */
  fields: readonly string[] | undefined
}

/**
 * Reads all rows.
 * @param settle called after each stretch of rows, so that full buffers leave before more are made
 * @throws ServiceError `malformed` naming the line
 */
export async function readCsv(
  chunks: AsyncIterable<Buffer>,
  options: CsvOptions,
  writer: RowWriter,
  settle: () => Promise<void>,
): Promise<void> {
  const parser = parse({
    bom: true,
    delimiter: options.delimiter ?? ',',
    relax_column_count: true,
    max_record_size: EVENT_BYTES_MAX,
  })
  const names = options.fields === undefined ? undefined : namesOf(options.fields, 'X-Axiom-CSV-Fields')
  const rows = new CsvRows(writer, names)
  // The parser's own piping would lose the errors of the chunks' source.
  const fed = feed(chunks, parser)
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      rows.take(record)
      if (writer.waitingBytes > STRETCH_BYTES) await settle()
    }
    await fed
  } catch (error) {
    parser.destroy()
    await fed.catch(() => undefined)
    throw error instanceof CsvError ? malformed(error) : error
  }
}

const STRETCH_BYTES = 262_144

async function feed(chunks: AsyncIterable<Buffer>, parser: ReturnType<typeof parse>): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let bytes = 0
  const write = async (text: string) => {
    if (parser.destroyed || parser.write(text)) return
    await new Promise<void>((resolve) => {
      const go = () => {
        parser.off('drain', go).off('close', go)
        resolve()
      }
      parser.on('drain', go).on('close', go)
    })
  }
  try {
    for await (const chunk of chunks) {
      if (parser.destroyed) return
      await write(decode(() => decoder.decode(chunk, { stream: true }), bytes))
      bytes += chunk.length
    }
    const rest = decode(() => decoder.decode(), bytes)
    if (parser.destroyed) return
    if (rest !== '') await write(rest)
    parser.end()
  } catch (error) {
    parser.destroy(error as Error)
    throw error
  }
}

function decode(read: () => string, at: number): string {
  try {
    return read()
  } catch (cause) {
    throw new ServiceError('malformed', `the CSV is not valid UTF-8 after byte ${at}; nothing was stored`, { cause })
  }
}

class CsvRows {
  readonly #writer: RowWriter
  #names: readonly string[] | undefined
  #line = 0

  constructor(writer: RowWriter, names: readonly string[] | undefined) {
    this.#writer = writer
    this.#names = names
  }

  /** A row with line breaks in its cells is named by its first line; the parser's own count takes CR LF in a cell for two. */
  take(cells: readonly string[]): void {
    const line = this.#line + 1
    this.#line = line
    for (const cell of cells) this.#line += cell.match(/\r\n|\r|\n/g)?.length ?? 0
    if (this.#names === undefined) {
      this.#names = namesOf(cells, `line ${line}`)
      return
    }
    const names = this.#names
    if (cells.length === 1 && cells[0] === '' && names.length > 1) return
    const place = `event ${this.#writer.tally.events}, line ${line}`
    if (cells.length !== names.length) {
      this.#writer.tally.refuse(`${place}: it has ${cells.length} cells, but there are ${names.length} column names`)
      return
    }
    let text = '{'
    for (let i = 0; i < names.length; i++) text += `${i === 0 ? '' : ','}${names[i]}:${JSON.stringify(cells[i])}`
    this.#writer.take(Buffer.from(`${text}}`), 0, place)
  }
}

/** @returns the names as JSON text */
function namesOf(cells: readonly string[], where: string): string[] {
  const twice = cells.find((name, index) => cells.indexOf(name) !== index)
  if (twice !== undefined)
    throw new ServiceError('malformed', `${where}: the column name ${JSON.stringify(twice)} occurs twice; nothing was stored`)
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
