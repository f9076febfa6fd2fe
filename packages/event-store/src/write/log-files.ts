/**
 * The files of the write-ahead log. Entries are written one after the other and synced, and a file is removed when none of its entries
 * is needed. Files are removed in order, so that an entry that settles another is never removed first. A damaged file is not removed but
 * moved aside. The file `state` says which file must exist, so that the loss of a whole file is noticed, and how much of it was synced
 * before it was answered, so that zeros in its place are. That mark is written with each batch, which costs no sync, and synced once a
 * second: it survives a kill at once, and a power cut a second later.
 * Deliberately not here: the bytes of an entry (log-entries.ts), and what an earlier process left (log-reading.ts).
 */
import { constants, writeSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { storageFull } from '../disk/free-space.ts'
import type { LogDamageNotes } from './log-damage.ts'
import {
  bytesOf,
  encodeEntry,
  encodeMark,
  encodeState,
  fileName,
  type LogState,
  MARK_AT,
  SIZE_BYTES,
  type WaitingRows,
} from './log-entries.ts'

/** A file that has so much is followed by another one. */
const FILE_BYTES = 4_194_304
/** Nothing was appended for so long before the last file is removed, because making another takes some syncs of the disk. */
const IDLE_MS = 1_000
/** How long a mark may not be on the disk. */
const MARK_SYNC_MS = 1_000

export interface LogFile {
  path: string
  /** How much is written. */
  bytes: number
  needed: number
  isDamaged?: boolean
}

/** How a batch changes the number of requests that are needed. */
interface BatchCounts {
  needed: number
  settled: number
}

interface LogFilesParts {
  directory: string
  notes: LogDamageNotes
  files: LogFile[]
  /** The highest number of a file. */
  number: number
  /** How many requests are not settled. */
  unsettled: number
}

export class LogFiles {
  readonly #parts: LogFilesParts
  readonly #files: LogFile[]
  #handle: FileHandle | undefined
  #state: FileHandle | undefined
  #writingState: Promise<void> = Promise.resolve()
  #number: number
  #unsettled: number
  /** The file before the next one, and how much of it is on the disk. */
  #previous: readonly [name: string, bytes: number] | undefined
  #isAppending = false
  #appendedMs = Number.NEGATIVE_INFINITY
  #idleTimer: NodeJS.Timeout | undefined
  #markTimer: NodeJS.Timeout | undefined
  #isClosed = false
  #removing: Promise<void> | undefined

  constructor(parts: LogFilesParts) {
    this.#parts = parts
    this.#files = parts.files
    this.#number = parts.number
    this.#unsettled = parts.unsettled
    this.#rememberLast()
  }

  get bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * Writes all pieces or, for a reader, none; they are on disk when it resolves. Calls must not overlap.
   * @param counts how many entries are needed until they are released, and how many they settle
   * @throws ServiceError `storage_full`; other errors of the disk
   */
  async append(pieces: readonly Uint8Array[], counts: BatchCounts): Promise<LogFile> {
    this.#isAppending = true
    try {
      const file = await (this.#handle ? this.#extend(this.#handle, pieces) : this.#begin(pieces))
      file.needed += counts.needed
      this.#unsettled = Math.max(0, this.#unsettled + counts.needed - counts.settled)
      this.#mark(file)
      if (file.bytes >= FILE_BYTES) await this.#closeCurrent()
      return file
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? storageFull('the write-ahead log cannot grow', error) : error
    } finally {
      this.#appendedMs = performance.now()
      this.#isAppending = false
    }
  }

  async #extend(handle: FileHandle, pieces: readonly Uint8Array[]): Promise<LogFile> {
    const file = this.#files.at(-1) as LogFile
    const batch = [...encodeEntry({ batch: file.bytes, needed: this.#unsettled }), ...pieces]
    try {
      await writeAll(handle, batch, file.bytes)
      await handle.datasync()
    } catch (error) {
      // The sender learns that the entry was not stored, so it must not be found there, and a file that failed is not written to again.
      await handle
        .truncate(file.bytes)
        .then(() => handle.truncate(SIZE_BYTES))
        .catch(() => undefined)
      await this.#closeCurrent()
      throw error
    }
    file.bytes += bytesOf(batch)
    return file
  }

  /** Says how much of the file is on the disk. A mark that cannot be written is written with the next batch. */
  #mark({ path, bytes }: LogFile): void {
    if (!this.#state) return
    try {
      const mark = encodeMark({ number: Number.parseInt(basename(path), 10), bytes, needed: this.#unsettled })
      // The system takes so few bytes at once, without waiting for the disk.
      writeSync(this.#state.fd, mark, MARK_AT)
    } catch {
      return
    }
    this.#markTimer ??= setTimeout(() => {
      this.#markTimer = undefined
      this.#state?.datasync().catch(() => undefined)
    }, MARK_SYNC_MS).unref()
  }

  /** Makes a file with its first entries. It gets its name when they are on disk, so that a file with its name has its size. */
  async #begin(pieces: readonly Uint8Array[]): Promise<LogFile> {
    const start = { batch: 0, ...(this.#previous && { previous: this.#previous }), needed: this.#unsettled }
    const batch = [...encodeEntry(start), ...pieces]
    const path = join(this.#parts.directory, fileName(++this.#number))
    const handle = await open(newName(path), 'wx', 0o600)
    try {
      await handle.truncate(SIZE_BYTES)
      await writeAll(handle, batch, 0)
      await handle.sync()
      await rename(newName(path), path)
      await syncDirectory(this.#parts.directory)
      await this.#writeState(() => ({ isOpen: true, number: this.#number }))
    } catch (error) {
      await handle.close().catch(() => undefined)
      for (const name of [path, newName(path)]) await rm(name, { force: true }).catch(() => undefined)
      throw error
    }
    const file = { path, bytes: bytesOf(batch), needed: 0 }
    this.#files.push(file)
    this.#handle = handle
    return file
  }

  /** Marks an entry of the file as no longer needed. */
  release(file: LogFile): void {
    file.needed--
    this.removeOld()
  }

  /** Removes the oldest files that have no needed entries. */
  removeOld(): void {
    this.#removing ??= this.#removeOld().finally(() => {
      this.#removing = undefined
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#markTimer)
    await this.#removing
    await this.#removeOld()
    await this.#closeCurrent()
    // A log without files is closed, also one whose last file was missing.
    if (this.#files.length === 0 && this.#number > 0) await this.#writeClosed().catch(() => undefined)
    const state = this.#state
    this.#state = undefined
    await state?.datasync().catch(() => undefined)
    await state?.close()
  }

  async #closeCurrent(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    this.#rememberLast()
    await handle?.close().catch(() => undefined)
  }

  /**
   * If a file cannot be removed now, it is removed with the next one, or at the next start, so that removed events do not stay in it.
   */
  async #removeOld(): Promise<void> {
    for (let [first] = this.#files; first; [first] = this.#files) {
      if (first.needed > 0) return
      if (this.#files.length === 1) {
        if (this.#isAppending || !this.#isIdle()) return
        await this.#closeCurrent()
      }
      try {
        if (this.#files.length === 1) await this.#writeClosed()
        await this.#putAway(first)
        await syncDirectory(this.#parts.directory)
      } catch {
        return
      }
      this.#files.shift()
    }
  }

  /** Asks again later if something was appended just before. */
  #isIdle(): boolean {
    const waitMs = this.#appendedMs + IDLE_MS - performance.now()
    if (waitMs <= 0 || this.#isClosed) return true
    this.#idleTimer ??= setTimeout(() => {
      this.#idleTimer = undefined
      this.removeOld()
    }, waitMs).unref()
    return false
  }

  #rememberLast(): void {
    const file = this.#files.at(-1)
    if (file) this.#previous = [basename(file.path), file.bytes]
  }

  /** Removes a file, or moves it to its note if it is damaged. */
  async #putAway({ path, isDamaged }: LogFile): Promise<void> {
    if (isDamaged) await this.#parts.notes.take(path)
    else await rm(path, { force: true })
  }

  /** Says that no file must exist, unless one was begun meanwhile. */
  #writeClosed(): Promise<void> {
    return this.#writeState(() =>
      this.#files.length > 1 || this.#isAppending ? undefined : { isOpen: false, number: this.#number },
    )
  }

  /** Writes one state after the other, each as it is when its turn comes. */
  #writeState(stateNow: () => LogState | undefined): Promise<void> {
    const written = this.#writingState.then(async () => {
      const state = stateNow()
      if (!state) return
      if (!this.#state) {
        this.#state = await open(join(this.#parts.directory, 'state'), constants.O_RDWR | constants.O_CREAT, 0o600)
        await syncDirectory(this.#parts.directory)
      }
      await writeAll(this.#state, [Buffer.from(encodeState(state))], 0)
      await this.#state.datasync()
    })
    this.#writingState = written.catch(() => undefined)
    return written
  }
}

const newName = (path: string) => `${path}.new`

async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[], from: number): Promise<void> {
  // Copying small pieces is cheaper than passing them on separately.
  const bytes = Buffer.concat(pieces)
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, from + done)
    done += bytesWritten
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}

/** Waiting rows, and their position. */
export interface UnsettledRows {
  rows: WaitingRows
  file: LogFile
  /** Call this when they are no longer needed. */
  release?: () => void
}
