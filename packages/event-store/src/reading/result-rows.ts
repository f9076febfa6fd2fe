/**
 * The rows of a statement, in the file of the engine's answer. They are never in memory all at once, and the reader takes them at its
 * own pace without holding a slot of the engine. The file is unlinked before it is read, so that nothing is left of it when the process
 * ends.
 * Deliberately not here: the content of a row.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'

/** The format has a line for each row, between the columns and the statistics. The compiler names the columns. */
export const RESULT_FORMAT = 'JSONCompact'
/** The beginning of a row, which no other line has. */
const ROW_START = '\t\t['
/** The length of that beginning with the first byte of the first cell. */
const HEAD_LENGTH = ROW_START.length + 1
const NEWLINE = 0x0a
const ZERO = 0x30

/** Answers up to this size, which are nearly all, are read in one go. */
const HELD_BYTES_MAX = 262_144
/** How many bytes are read before the event loop is yielded, some milliseconds of work. */
const TURN_BYTES = 65_536
/** Rows that are not adjacent in the file are read this many at a time, because one by one each would take a turn of the event loop. */
const READS_AT_ONCE = 256
/** The length of the end of the answer, which has the engine's statistics. */
const TAIL_BYTES = 1_024

type Read = (from: number, to: number) => Promise<Buffer>

/** The positions of the rows: each is from `starts[n]` to `ends[n]`, and `firsts[n]` is the byte after its bracket. */
interface RowPositions {
  starts: readonly number[]
  ends: readonly number[]
  firsts: readonly number[]
}

interface ResultFile {
  handle: FileHandle
  bytes: number
  onClose: (() => void) | undefined
}

interface ResultParts {
  read: Read
  positions: RowPositions
  rowsExamined: number
  file: ResultFile | undefined
}

/** A range of adjacent rows by their numbers in the file, the last included. */
interface RowRange {
  first: number
  last: number
}

export class ResultRows implements AsyncDisposable {
  readonly count: number
  /** How many rows the engine read. */
  readonly rowsExamined: number
  /** The size of the file until this is disposed of; 0 if there is none. */
  readonly fileBytes: number
  /** The length of all rows, as the engine wrote them. */
  readonly bytes: number
  readonly #read: Read
  readonly #positions: RowPositions
  #file: FileHandle | undefined
  readonly #onClose: (() => void) | undefined

  private constructor(parts: ResultParts) {
    this.count = parts.positions.starts.length
    this.rowsExamined = parts.rowsExamined
    this.bytes = parts.positions.ends.reduce((sum, end, row) => sum + end - (parts.positions.starts[row] as number), 0)
    this.#read = parts.read
    this.#positions = parts.positions
    this.#file = parts.file?.handle
    this.#onClose = parts.file?.onClose
    this.fileBytes = parts.file?.bytes ?? 0
  }

  /**
   * Opens the file and unlinks it.
   * @param onClose called when the file is closed; never if the answer was read in one go
   * @throws Error if it is not an answer in {@link RESULT_FORMAT}
   */
  static async open(path: string, onClose?: () => void): Promise<ResultRows> {
    const held = readShort(path)
    if (held !== undefined) {
      await rm(path)
      return await ResultRows.of(held)
    }
    const file = await open(path)
    try {
      await rm(path)
      const { size } = await file.stat()
      const readFile: Read = async (from, to) => {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(to - from), 0, to - from, from)
        if (bytesRead === to - from) return buffer
        throw new Error(`the answer ends at ${from + bytesRead} of ${size} bytes`)
      }
      return await ResultRows.#over(readFile, size, { handle: file, bytes: size, onClose })
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Opens an answer that is in memory. @throws as {@link open} */
  static of(answer: Buffer): Promise<ResultRows> {
    return ResultRows.#over(async (from, to) => answer.subarray(from, to), answer.length)
  }

  static async #over(read: Read, size: number, file?: ResultFile): Promise<ResultRows> {
    const tail = (await read(Math.max(0, size - TAIL_BYTES), size)).toString()
    const rowsExamined = /"rows_read": *(\d+)/.exec(tail)?.[1]
    if (rowsExamined === undefined) throw new Error('the engine answered in another form')
    return new ResultRows({ read, positions: await findRows(read, size), rowsExamined: Number(rowsExamined), file })
  }

  /**
   * Yields arrays of cells as JSON text, in batches. Ignore the text after an array.
   * @param order the numbers of the rows in the wanted order; by default that of the engine
   */
  async *batches(order?: Uint32Array): AsyncGenerator<string[]> {
    const { starts, ends } = this.#positions
    let bytesInTurn = 0
    for (let n = 0; n < this.count; ) {
      const runs: RowRange[] = []
      let bytes = 0
      for (
        let run: RowRange;
        n < this.count && runs.length < READS_AT_ONCE && bytes < TURN_BYTES;
        n += run.last - run.first + 1
      ) {
        run = this.#runAt(n, order)
        bytes += (ends[run.last] as number) - (starts[run.first] as number)
        runs.push(run)
      }
      const read = await Promise.all(runs.map(({ first, last }) => this.#read(starts[first] as number, ends[last] as number)))
      yield runs.flatMap((run, index) => this.#textsOf(run, read[index] as Buffer))
      bytesInTurn += bytes
      if (bytesInTurn < TURN_BYTES) continue
      bytesInTurn = 0
      await setImmediate()
    }
  }

  /** @returns the rows from the `n`th on that are adjacent in the file too */
  #runAt(n: number, order: Uint32Array | undefined): RowRange {
    const { starts, ends } = this.#positions
    const rowAt = (at: number) => (order ? (order[at] as number) : at)
    const first = rowAt(n)
    const from = starts[first] as number
    let last = first
    for (let at = n + 1; at < this.count && rowAt(at) === last + 1 && (ends[last + 1] as number) - from <= TURN_BYTES; at++)
      last++
    return { first, last }
  }

  #textsOf({ first, last }: RowRange, bytes: Buffer): string[] {
    const { starts, ends } = this.#positions
    const from = starts[first] as number
    const texts: string[] = []
    for (let row = first; row <= last; row++) {
      texts.push(bytes.toString('utf8', (starts[row] as number) - from, (ends[row] as number) - from))
    }
    return texts
  }

  /** @returns the rows whose first cell is the number 0, and the others; they can be read as long as these */
  split(): [ResultRows, ResultRows] {
    const { starts, ends, firsts } = this.#positions
    const pick = (isWanted: (first: number) => boolean) => {
      const isOne = (_: number, n: number) => isWanted(firsts[n] as number)
      const positions = { starts: starts.filter(isOne), ends: ends.filter(isOne), firsts: firsts.filter(isWanted) }
      return new ResultRows({ read: this.#read, positions, rowsExamined: this.rowsExamined, file: undefined })
    }
    return [pick((first) => first === ZERO), pick((first) => first !== ZERO)]
  }

  /** @returns the first row as JSON text */
  async first(): Promise<string | undefined> {
    for await (const [row] of this.batches()) return row
    return undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const file = this.#file
    if (!file) return
    this.#file = undefined
    this.#onClose?.()
    await file.close()
  }
}

/**
 * Reads a short answer in one go. It was just written and is therefore in the page cache, and each asynchronous call would take longer
 * than all of these.
 * @returns `undefined` if the answer is long
 */
function readShort(path: string): Buffer | undefined {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > HELD_BYTES_MAX) return undefined
    const held = Buffer.allocUnsafe(size)
    const bytesRead = readSync(file, held, 0, size, 0)
    return held.subarray(0, bytesRead)
  } finally {
    closeSync(file)
  }
}

async function findRows(read: Read, size: number): Promise<RowPositions> {
  const positions = { starts: [] as number[], ends: [] as number[], firsts: [] as number[] }
  let lineStart = 0
  let head = ''
  for (let position = 0; position < size; position += TURN_BYTES) {
    const bytes = await read(position, Math.min(size, position + TURN_BYTES))
    for (let at = 0; at < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, at)
      const end = newline === -1 ? bytes.length : newline
      if (head.length < HEAD_LENGTH) head += bytes.toString('latin1', at, Math.min(end, at + HEAD_LENGTH - head.length))
      at = end + 1
      if (newline === -1) break
      if (head.startsWith(ROW_START)) {
        positions.starts.push(lineStart + ROW_START.length - 1)
        positions.ends.push(position + end)
        positions.firsts.push(head.charCodeAt(ROW_START.length))
      }
      head = ''
      lineStart = position + at
    }
  }
  return positions
}
