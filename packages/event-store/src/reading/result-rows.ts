/**
 * The rows of a statement, in the file of the engine's answer. They are never in memory all at once, and the reader takes them at its
 * own pace without holding a slot of the engine. The file is unlinked before it is read, so that nothing is left of it when the process
 * ends. It was just written and is therefore in the page cache: reading a part of it takes some microseconds, and waiting for that in
 * another thread would take longer.
 * Deliberately not here: the content of a row.
 */
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** The format has a line for each row, between the columns and the statistics. The compiler names the columns. */
export const RESULT_FORMAT = 'JSONCompact'
/** Two tabs and a bracket: the beginning of a row, which no other line has. */
const ROW_START = 0x09_09_5b
const NEWLINE = 0x0a
const ZERO = 0x30

/** Answers up to this size, which are nearly all, are read in one go. */
const HELD_BYTES_MAX = 262_144
/** How many bytes are read before the event loop is yielded, some milliseconds of work. */
const TURN_BYTES = 65_536
/** The length of the end of the answer, which has the engine's statistics. */
const TAIL_BYTES = 1_024

/** Reads these bytes of the answer, or fewer at its end. */
type Read = (from: number, to: number) => Buffer

/** Where a row is in the answer, from its bracket on. */
interface RowPlace {
  start: number
  end: number
  /** Whether its first cell begins with the digit 0. */
  hasZero: boolean
}

interface ResultParts {
  read: Read
  places: readonly RowPlace[]
  rowsExamined: number
  file?: { bytes: number; close: () => void }
}

export class ResultRows implements AsyncDisposable {
  readonly count: number
  /** How many rows the engine read. */
  readonly rowsExamined: number
  /** The size of the file until this is disposed of; 0 if there is none. */
  readonly fileBytes: number
  /** The length of all rows, as the engine wrote them. */
  readonly bytes: number
  readonly #parts: ResultParts
  #file: ResultParts['file']

  private constructor(parts: ResultParts) {
    this.#parts = parts
    this.count = parts.places.length
    this.rowsExamined = parts.rowsExamined
    this.#file = parts.file
    this.fileBytes = parts.file?.bytes ?? 0
    this.bytes = parts.places.reduce((sum, { start, end }) => sum + end - start, 0)
  }

  /**
   * Opens the file and unlinks it.
   * @param onClose called when the file is closed; never if the answer was read in one go
   * @throws Error if it is not an answer in {@link RESULT_FORMAT}
   */
  static async open(path: string, onClose: () => void = () => undefined): Promise<ResultRows> {
    let file = openSync(path, 'r')
    let rows: ResultRows | undefined
    try {
      rmSync(path)
      const { size } = fstatSync(file)
      const read: Read = (from, to) => {
        const bytes = Buffer.allocUnsafe(Math.min(size, to) - from)
        const bytesRead = readSync(file, bytes, 0, bytes.length, from)
        if (bytesRead === bytes.length) return bytes
        throw new Error(`the answer ends at ${from + bytesRead} of ${size} bytes`)
      }
      if (size <= HELD_BYTES_MAX) return await ResultRows.of(read(0, size))
      const close = () => {
        closeSync(file)
        // Another file may have this number from now on.
        file = -1
        onClose()
      }
      rows = new ResultRows({ ...(await findRows(read, size)), file: { bytes: size, close } })
      return rows
    } finally {
      if (!rows) closeSync(file)
    }
  }

  /** Opens an answer that is in memory. @throws as {@link open} */
  static async of(answer: Buffer): Promise<ResultRows> {
    return new ResultRows(await findRows((from, to) => answer.subarray(from, to), answer.length))
  }

  /**
   * Yields arrays of cells as JSON text, in batches. Ignore the text after an array.
   * @param order the numbers of the rows in the wanted order; by default that of the engine
   */
  async *batches(order?: Uint32Array): AsyncGenerator<string[]> {
    const { read, places } = this.#parts
    let part = { from: 0, bytes: Buffer.alloc(0) as Buffer }
    let texts: string[] = []
    let textBytes = 0
    for (let n = 0; n < places.length; n++) {
      const { start, end } = places[order ? (order[n] as number) : n] as RowPlace
      if (start < part.from || end > part.from + part.bytes.length)
        part = { from: start, bytes: read(start, order ? end : Math.max(end, start + TURN_BYTES)) }
      texts.push(part.bytes.toString('utf8', start - part.from, end - part.from))
      textBytes += end - start
      if (textBytes < TURN_BYTES) continue
      yield texts
      texts = []
      textBytes = 0
      await setImmediate()
    }
    if (texts.length > 0) yield texts
  }

  /** @returns the rows whose first cell is the number 0, and the others; they can be read as long as these */
  split(): [ResultRows, ResultRows] {
    const { read, places, rowsExamined } = this.#parts
    const pick = (wanted: boolean) =>
      new ResultRows({ read, rowsExamined, places: places.filter(({ hasZero }) => hasZero === wanted) })
    return [pick(true), pick(false)]
  }

  /** @returns the first row as JSON text */
  async first(): Promise<string | undefined> {
    for await (const [row] of this.batches()) return row
    return undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#file?.close()
    this.#file = undefined
  }
}

async function findRows(read: Read, size: number): Promise<ResultParts> {
  const tail = read(Math.max(0, size - TAIL_BYTES), size).toString()
  const rowsExamined = /"rows_read": *(\d+)/.exec(tail)?.[1]
  if (rowsExamined === undefined) throw new Error('the engine answered in another form')
  const places: RowPlace[] = []
  let partBytes = TURN_BYTES
  for (let at = 0; ; await setImmediate()) {
    const part = read(at, at + partBytes)
    let start = 0
    for (let end = part.indexOf(NEWLINE); end !== -1; end = part.indexOf(NEWLINE, start)) {
      if (end - start > 3 && part.readUIntBE(start, 3) === ROW_START)
        places.push({ start: at + start + 2, end: at + end, hasZero: part[start + 3] === ZERO })
      start = end + 1
    }
    if (at + part.length === size) return { read, places, rowsExamined: Number(rowsExamined) }
    at += start
    // A line that is longer than the part is read again, with more of it.
    partBytes = start === 0 ? 2 * partBytes : TURN_BYTES
  }
}
