/**
 * Reads a CSV body (RFC 4180): a header row of field names, or the names from the request, and one event per row.
 * Cells are texts and stay texts, so `007` and `1.10` are returned as they were sent. A blank line between rows of several columns is
 * no event; a row with more or fewer cells than there are names is refused alone.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { CsvError, type Parser, parse } from 'csv-parse'
import type { RowWriter } from '../rows/row-writer.ts'
import { EVENT_BYTES_MAX, MEMBERS_MAX } from '../scan/limits.ts'
import type { IngestOptions } from './options.ts'

/** Each blank row is only a byte long and becomes a row, so their number is bounded; real files have fewer empty cells. */
const BLANK_ROWS_MAX = 20_000

export class CsvBody {
  readonly #writer: RowWriter
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  readonly #parser: Parser
  #names: readonly string[] | undefined
  #bytes = 0
  #line = 0
  #blank = 0

  constructor(writer: RowWriter, { csvDelimiter, csvFields }: Pick<IngestOptions, 'csvDelimiter' | 'csvFields'>) {
    this.#writer = writer
    this.#names = csvFields && namesOf(csvFields, 'X-Axiom-CSV-Fields')
    const parser = parse({
      bom: true,
      delimiter: csvDelimiter ?? ',',
      relax_column_count: true,
      max_record_size: EVENT_BYTES_MAX,
      // Rows are taken here, because reading them from the stream costs more than parsing them.
      on_record: (cells: string[]) => {
        // For a row of another length than the first, the parser creates an error and discards it, at 50 µs each (7.0.3): two million
        // blank lines took minutes. Now each row counts as the first.
        info.records = 0
        this.#take(cells)
        return null
      },
    })
    const { info }: { info: { records: number } } = parser
    // An error is also given to the write that caused it.
    this.#parser = parser.on('error', () => undefined).resume()
  }

  /** Reads all complete rows. @throws ServiceError `malformed` naming the line */
  async push(chunk: Buffer): Promise<void> {
    this.#requireText(chunk)
    this.#bytes += chunk.length
    await this.#parse((done) => this.#parser.write(chunk, done))
  }

  /** Ends the body. @throws as {@link push} */
  async end(): Promise<void> {
    this.#requireText()
    await this.#parse((done) => this.#parser.end(done))
  }

  async #parse(step: (done: (error?: Error | null) => void) => unknown): Promise<void> {
    const error = await new Promise<Error | null | undefined>((resolve) => void step(resolve))
    if (error) throw error instanceof CsvError ? malformed(error) : error
  }

  /** @param chunk the end of the text if absent */
  #requireText(chunk?: Buffer): void {
    try {
      this.#decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw new ServiceError('malformed', `the CSV is not valid UTF-8 after byte ${this.#bytes}; nothing was stored`, { cause })
    }
  }

  /**
   * Takes a row. A row with line breaks in its cells is named by its first line; the parser's own count takes CR LF in a cell for two.
   */
  #take(cells: readonly string[]): void {
    const line = this.#line + 1
    this.#line = line
    // Of a line that ends in CR LF among lines that end in LF, the CR is left.
    const isBlank = cells.length === 1 && (cells[0] === '' || cells[0] === '\r')
    if (isBlank && this.#isIgnored(line)) return
    if (cells.length > MEMBERS_MAX)
      throw new ServiceError('too_large', `line ${line}: it has more than ${MEMBERS_MAX} cells; nothing was stored`)
    for (const cell of cells) this.#line += cell.match(/\r\n|\r|\n/g)?.length ?? 0
    if (this.#names === undefined) {
      this.#names = namesOf(cells, `line ${line}`)
      return
    }
    const names = this.#names
    if (cells.length !== names.length) {
      this.#writer.tally.refuse(`it has ${cells.length} cells, but there are ${names.length} column names`, undefined, line)
      return
    }
    const members = names.map((name, at) => `${name}:${JSON.stringify(cells[at])}`)
    this.#writer.take(Buffer.from(`{${members.join()}}`), 0, line)
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
  const reason = error.message.replace(/\s+/g, ' ').slice(0, 300)
  return new ServiceError('malformed', `line ${error.lines}: ${reason}; nothing was stored`, { cause: error })
}
