/**
 * Reads the files of the write-ahead log that an earlier process left. What a crash left half written was never acknowledged and is
 * passed over. Everything else that cannot be read is damage: it is named with its file and place, whole entries after it are read all the
 * same, and the requests that it may have been are counted.
 * Deliberately not here: writing, and removing files (log-files.ts).
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readIfThere } from '../disk/engine-files.ts'
import type { LogDamage } from './log-damage.ts'
import {
  type BatchStart,
  decodeMark,
  decodePieces,
  decodeState,
  fileName,
  type LogEntry,
  type LogMark,
  type LogPiece,
  SIZE_BYTES,
  type Unreadable,
  writtenLength,
} from './log-entries.ts'
import type { LogFile, UnsettledRows } from './log-files.ts'

/** Half written entries have whole pages of zeros, because the system writes pages of this size. */
const PAGE_BYTES = 4_096

interface LogContents {
  /** In the order in which they were written. */
  left: UnsettledRows[]
  /** The oldest first. */
  files: LogFile[]
  damages: LogDamage[]
  /** The half written entries at the end of a file. */
  torn: { path: string; offset: number }[]
  /** The highest number that a file had. */
  number: number
}

/** @param isExpected whether there must be a log, because the service ran here before */
export async function readLog(directory: string, isExpected: boolean): Promise<LogContents> {
  const contents: LogContents = { left: [], files: [], damages: [], torn: [], number: 0 }
  if (!existsSync(directory)) {
    if (isExpected) contents.damages.push(gone(directory, 'the directory of the write-ahead log is missing'))
    return contents
  }
  // Nothing is lost with this file, so that nothing is said if it was damaged.
  const states = readIfThere(join(directory, 'state')) ?? ''
  const state = decodeState(states)
  const names = (await readdir(directory)).filter((name) => /^\d{12}\.log$/.test(name)).sort()
  const open = state?.isOpen ? fileName(state.number) : undefined
  // The first mark of a file is written after its state.
  const marked = decodeMark(states)
  const mark = marked?.number === state?.number ? marked : undefined
  if (open !== undefined && !names.includes(open))
    contents.damages.push({ ...gone(join(directory, open), 'the file is missing'), isAtLeast: !mark })
  contents.number = Math.max(state?.number ?? 0, ...names.map((name) => Number.parseInt(name, 10)))
  const reading = new Reading(contents, mark)
  for (const name of names) {
    const path = join(directory, name)
    const bytes = await readFile(path)
    const isLast = state?.isOpen === true && name === names.at(-1)
    reading.addFile({ path, bytes, pieces: [...decodePieces(bytes)], isLast })
  }
  reading.end()
  return contents
}

/** Nothing says how many requests there were. */
const gone = (path: string, reason: string): LogDamage => ({ path, reason, requests: 0, isAtLeast: true })

interface ReadFile {
  path: string
  bytes: Buffer
  pieces: readonly LogPiece[]
  /** Whether it is the last file of a log that was not closed: no other says how much of it was written. */
  isLast: boolean
}

/** Follows the log from file to file. */
class Reading {
  readonly #contents: LogContents
  readonly #waiting = new Map<string, UnsettledRows>()
  /** How many requests were needed by what the log says, and are neither here nor settled later. */
  #lost = 0
  /** How many requests the damage after the last batch may have been. */
  #after = 0
  #before: (Pick<ReadFile, 'path'> & { bytes: number }) | undefined
  #mark: LogMark | undefined

  /** @param mark how much of the file that must exist was on the disk */
  constructor(contents: LogContents, mark: LogMark | undefined) {
    this.#contents = contents
    this.#mark = mark
  }

  addFile({ path, bytes, pieces, isLast }: ReadFile): void {
    const { damages, files } = this.#contents
    const starts = pieces.flatMap((piece) => ('start' in piece ? [piece.start] : []))
    this.#checkPrevious(starts[0]?.previous)
    const marked = this.#mark && basename(path) === fileName(this.#mark.number) ? this.#mark.bytes : 0
    const limit = Math.max(marked, ...starts.map(({ batch }) => batch))
    const place = { path, bytes, limit }
    const file: LogFile = { path, bytes: writtenLength(bytes), needed: 0 }
    let end = 0
    for (const piece of pieces) {
      // What was written after the mark may have settled what was needed then.
      if (marked > 0 && piece.at >= marked) this.#compareMark()
      if ('unreadable' in piece) this.#judge(place, piece.at, piece.unreadable)
      else if ('start' in piece) this.#compare(piece.start)
      else this.#take(piece.entry, file)
      end = 'unreadable' in piece ? piece.unreadable.to : piece.to
    }
    if (marked > 0) this.#compareMark()
    if (end < marked && marked <= bytes.length && damages.at(-1)?.path !== path)
      damages.push({ ...counted(path, 'zeros are in the place of acknowledged entries'), offset: end })
    if (isLast && bytes.length < SIZE_BYTES) {
      const reason = bytes.length === 0 ? 'the file is empty' : 'the end of the file is missing'
      damages.push({ ...gone(path, reason), offset: bytes.length })
    }
    files.push(file)
    this.#before = { path, bytes: bytes.length }
  }

  /** Adds the requests that are missing to the first fault, or names the log if nothing else shows where they were. */
  end(): void {
    const { damages, files } = this.#contents
    this.#contents.left = [...this.#waiting.values()]
    for (const { file } of this.#contents.left) file.needed++
    this.#compareMark()
    const requests = this.#lost + this.#after
    const [first] = files
    if (requests > 0 && damages.length === 0 && first) damages.push(counted(first.path, 'files before this one are missing'))
    const [damage] = damages
    if (damage) damages[0] = { ...damage, requests }
    for (const file of files) file.isDamaged = damages.some(({ path }) => path === file.path)
  }

  /** A file that is followed by another one had at least so many bytes. */
  #checkPrevious(previous: BatchStart['previous']): void {
    const [name, bytes = 0] = previous ?? []
    const { path, bytes: offset } = this.#before ?? { path: '', bytes: 0 }
    if (basename(path) === name && offset < bytes)
      this.#contents.damages.push({ ...counted(path, 'the end of the file is missing'), offset })
  }

  #compareMark(): void {
    if (this.#mark) this.#compare(this.#mark)
    this.#mark = undefined
  }

  #compare({ needed }: Pick<LogMark, 'needed'>): void {
    this.#lost = Math.max(this.#lost, needed - this.#waiting.size)
    this.#after = 0
  }

  #take(entry: LogEntry, file: LogFile): void {
    if ('body' in entry) {
      this.#waiting.set(nameOf(entry.table, entry.sysTimeNs), { rows: entry, file })
      return
    }
    for (const sysTimeNs of entry.settled) {
      // What is settled without having been seen was in what is missing, and is no loss.
      if (!this.#waiting.delete(nameOf(entry.table, sysTimeNs))) this.#lost = Math.max(0, this.#lost - 1)
    }
  }

  #judge({ path, bytes, limit }: JudgedFile, offset: number, { to, requests }: Unreadable): void {
    if (offset >= limit && hasZeroPage(bytes, offset, to)) {
      this.#contents.torn.push({ path, offset })
      return
    }
    this.#contents.damages.push({ ...counted(path, 'entries of the write-ahead log cannot be read'), offset })
    this.#after += requests
  }
}

interface JudgedFile extends Pick<ReadFile, 'path' | 'bytes'> {
  /** Everything before it was on the disk. */
  limit: number
}

/** How many requests are missing is found out by other entries. */
const counted = (path: string, reason: string): LogDamage => ({ path, reason, requests: 0, isAtLeast: false })

/** No two requests have the same name. */
const nameOf = (table: string, sysTimeNs: string) => `${table}/${sysTimeNs}`

/** Whether a page between these places, or the rest of the first or last one, has never been written. */
function hasZeroPage(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const end = Math.min(to, at - (at % PAGE_BYTES) + PAGE_BYTES)
    if (bytes.subarray(at, end).every((byte) => byte === 0)) return true
    at = end
  }
  return false
}
