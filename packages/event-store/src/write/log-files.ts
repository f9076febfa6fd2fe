/**
 * The files of the write-ahead log. Entries are written one after the other and synced, and a file is removed when none of its entries
 * is needed. Files are removed in order, so that an entry that settles another is never removed first. At start, the files of an
 * earlier process are read once. Deliberately not here: the bytes of an entry (log-entries.ts).
 */
import { mkdirSync } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { storageFull } from '../disk/free-space.ts'
import { bytesOf, decodeEntries, type WaitingRows } from './log-entries.ts'

/** A file of this size is followed by another one. */
const FILE_BYTES = 4_194_304

export interface LogFile {
  path: string
  bytes: number
  needed: number
}

export class LogFiles {
  readonly #directory: string
  readonly #files: LogFile[] = []
  #handle: FileHandle | undefined
  #number = 0
  #isAppending = false
  #removing: Promise<void> | undefined

  private constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * @param directory created if it is missing
   * @returns the files, and the contents of those of an earlier process, the oldest first
   */
  static async open(directory: string): Promise<{ files: LogFiles; left: { file: LogFile; bytes: Buffer }[] }> {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const files = new LogFiles(directory)
    const names = (await readdir(directory)).filter((name) => /^\d{12}\.log$/.test(name)).sort()
    const left: { file: LogFile; bytes: Buffer }[] = []
    for (const name of names) {
      const path = join(directory, name)
      const bytes = await readFile(path)
      const file = { path, bytes: bytes.length, needed: 0 }
      files.#files.push(file)
      files.#number = Number.parseInt(name, 10)
      left.push({ file, bytes })
    }
    return { files, left }
  }

  get bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * Writes all pieces or, for a reader, none; they are on disk when it resolves. Calls must not overlap.
   * @param needed how many entries are needed until they are released
   * @throws ServiceError `storage_full`; other errors of the disk
   */
  async append(pieces: readonly Uint8Array[], needed: number): Promise<LogFile> {
    this.#isAppending = true
    try {
      return await this.#append(pieces, needed)
    } finally {
      this.#isAppending = false
    }
  }

  async #append(pieces: readonly Uint8Array[], needed: number): Promise<LogFile> {
    const handle = await this.#current()
    const file = this.#files.at(-1) as LogFile
    const bytes = bytesOf(pieces)
    try {
      await writeAll(handle, pieces, file.bytes)
      await handle.datasync()
    } catch (error) {
      // The sender learns that the entry was not stored, so it must not be found there, and a file that failed is not written to again.
      await handle.truncate(file.bytes).catch(() => undefined)
      await this.#closeCurrent()
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? storageFull('the write-ahead log cannot grow', error) : error
    }
    file.bytes += bytes
    file.needed += needed
    if (file.bytes >= FILE_BYTES) await this.#closeCurrent()
    return file
  }

  /** Marks this many entries as no longer needed. */
  release(file: LogFile, entries: number): void {
    file.needed -= entries
    this.removeOld()
  }

  /** Removes the oldest files that have no needed entries. */
  removeOld(): void {
    this.#removing ??= this.#removeOld().finally(() => {
      this.#removing = undefined
    })
  }

  async close(): Promise<void> {
    await this.#removing
    await this.#removeOld()
    await this.#closeCurrent()
  }

  async #current(): Promise<FileHandle> {
    if (this.#handle) return this.#handle
    const path = join(this.#directory, `${String(++this.#number).padStart(12, '0')}.log`)
    const handle = await open(path, 'wx', 0o600)
    try {
      await syncDirectory(this.#directory)
    } catch (error) {
      await handle.close()
      throw error
    }
    this.#files.push({ path, bytes: 0, needed: 0 })
    this.#handle = handle
    return handle
  }

  async #closeCurrent(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close().catch(() => undefined)
  }

  /**
   * If a file cannot be removed now, it is removed with the next one, or at the next start, so that removed events do not stay in it.
   */
  async #removeOld(): Promise<void> {
    for (let [first] = this.#files; first; [first] = this.#files) {
      if (first.needed > 0) return
      if (this.#files.length === 1) {
        if (this.#isAppending) return
        await this.#closeCurrent()
      }
      try {
        await rm(first.path, { force: true })
        await syncDirectory(this.#directory)
      } catch {
        return
      }
      this.#files.shift()
    }
  }
}

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

/** @returns the files, and their entries that are not settled, in order */
export async function openLogFiles(directory: string): Promise<{ files: LogFiles; left: UnsettledRows[] }> {
  const { files, left } = await LogFiles.open(directory)
  const waiting = new Map<string, UnsettledRows>()
  for (const { file, bytes } of left) {
    for (const entry of decodeEntries(bytes)) {
      if ('body' in entry) {
        waiting.set(nameOf(entry.table, entry.sysTimeNs), { rows: entry, file })
        file.needed++
        continue
      }
      for (const sysTimeNs of entry.settled) {
        const settled = waiting.get(nameOf(entry.table, sysTimeNs))
        if (settled) settled.file.needed--
        waiting.delete(nameOf(entry.table, sysTimeNs))
      }
    }
  }
  files.removeOld()
  return { files, left: [...waiting.values()] }
}

/** No two requests have the same name. */
const nameOf = (table: string, sysTimeNs: string) => `${table}/${sysTimeNs}`
