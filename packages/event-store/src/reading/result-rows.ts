/**
 * The rows of a statement, in the file that the engine's answer went to: they are never in memory all at once, however many there are,
 * and their reader takes them at its own pace, without a slot in the engine. The file has lost its name when it is read, so
 * that nothing is left of it when the process ends.
 * Deliberately not here: what is in a row.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'

/** A line for each row, between what the columns are and what the engine did. Columns are named by the compiler. */
export const RESULT_FORMAT = 'JSONCompact'
/** What a row begins with, and no other line. */
const ROW_START = '\t\t['
/** With the first byte of the first cell. */
const HEAD_LENGTH = ROW_START.length + 1
const NEWLINE = 0x0a
const ZERO = 0x30

/** Answers up to this size are read at once: nearly all. */
const HELD_BYTES_MAX = 262_144
/** Read at a time: some milliseconds of work, and then others have their turn. */
const TURN_BYTES = 65_536
/** Where rows that follow each other do not do so in the file: one after the other, each would take a turn of the event loop. */
const READS_AT_ONCE = 256
/** Of the end of the answer, where the engine says what it did. */
const TAIL_BYTES = 1_024

type Read = (from: number, to: number) => Promise<Buffer>

/** Where the rows are: each is from `starts[n]` to `ends[n]`, and begins with the byte `firsts[n]`, behind its bracket. */
interface Places {
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
  places: Places
  rowsExamined: number
  file: ResultFile | undefined
}

/** Rows by their numbers in the file, the last included. */
interface Run {
  first: number
  last: number
}

export class ResultRows implements AsyncDisposable {
  readonly count: number
  /** Rows that the engine looked at. */
  readonly rowsExamined: number
  /** Of the file that is there until this is disposed of; 0 where there is none. */
  readonly fileBytes: number
  readonly #read: Read
  readonly #places: Places
  #file: FileHandle | undefined
  readonly #onClose: (() => void) | undefined

  private constructor(parts: ResultParts) {
    this.count = parts.places.starts.length
    this.rowsExamined = parts.rowsExamined
    this.#read = parts.read
    this.#places = parts.places
    this.#file = parts.file?.handle
    this.#onClose = parts.file?.onClose
    this.fileBytes = parts.file?.bytes ?? 0
  }

  /**
   * Takes the file's name away.
   * @param onClose is called when the file is given up; never where there is none, because it was read at once
   * @throws Error where it is not an answer in {@link RESULT_FORMAT}
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

  /** An answer that is in memory. @throws as {@link open} */
  static of(answer: Buffer): Promise<ResultRows> {
    return ResultRows.#over(async (from, to) => answer.subarray(from, to), answer.length)
  }

  static async #over(read: Read, size: number, file?: ResultFile): Promise<ResultRows> {
    const tail = (await read(Math.max(0, size - TAIL_BYTES), size)).toString()
    const rowsExamined = /"rows_read": *(\d+)/.exec(tail)?.[1]
    if (rowsExamined === undefined) throw new Error('the engine answered in another form')
    return new ResultRows({ read, places: await findRows(read, size), rowsExamined: Number(rowsExamined), file })
  }

  /**
   * Arrays of cells as JSON text, some at a time. What is behind an array is to be ignored.
   * @param order which row comes first, and so on; by default as the engine gave them
   */
  async *batches(order?: Uint32Array): AsyncGenerator<string[]> {
    const { starts, ends } = this.#places
    let bytesInTurn = 0
    for (let n = 0; n < this.count; ) {
      const runs: Run[] = []
      let bytes = 0
      for (let run: Run; n < this.count && runs.length < READS_AT_ONCE && bytes < TURN_BYTES; n += run.last - run.first + 1) {
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

  /** @returns rows from the `n`th on that follow each other in the file too */
  #runAt(n: number, order: Uint32Array | undefined): Run {
    const { starts, ends } = this.#places
    const rowAt = (at: number) => (order ? (order[at] as number) : at)
    const first = rowAt(n)
    const from = starts[first] as number
    let last = first
    for (let at = n + 1; at < this.count && rowAt(at) === last + 1 && (ends[last + 1] as number) - from <= TURN_BYTES; at++)
      last++
    return { first, last }
  }

  #textsOf({ first, last }: Run, bytes: Buffer): string[] {
    const { starts, ends } = this.#places
    const from = starts[first] as number
    const texts: string[] = []
    for (let row = first; row <= last; row++) {
      texts.push(bytes.toString('utf8', (starts[row] as number) - from, (ends[row] as number) - from))
    }
    return texts
  }

  /** @returns the rows whose first cell is the number 0, and the others; there to be read as long as these are */
  split(): [ResultRows, ResultRows] {
    const { starts, ends, firsts } = this.#places
    const pick = (isWanted: (first: number) => boolean) => {
      const isOne = (_: number, n: number) => isWanted(firsts[n] as number)
      const places = { starts: starts.filter(isOne), ends: ends.filter(isOne), firsts: firsts.filter(isWanted) }
      return new ResultRows({ read: this.#read, places, rowsExamined: this.rowsExamined, file: undefined })
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
 * An answer that is read at once. It was written this moment, so it is in memory, and each call that goes by way of Node's pool takes longer
 * than all of these.
 * @returns `undefined` where it is a long one
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

async function findRows(read: Read, size: number): Promise<Places> {
  const places = { starts: [] as number[], ends: [] as number[], firsts: [] as number[] }
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
        places.starts.push(lineStart + ROW_START.length - 1)
        places.ends.push(position + end)
        places.firsts.push(head.charCodeAt(ROW_START.length))
      }
      head = ''
      lineStart = position + at
    }
  }
  return places
}
