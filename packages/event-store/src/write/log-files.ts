/**
 * The files of the write-ahead log. Entries are written one after the other and synced, and a file is removed when none of its entries
 * is needed. Files are removed in order, so that an entry that settles another is never removed first. A damaged file is not removed but
 * set aside. The file `state` says how much of the newest file was synced before it was answered, so that the loss of the file, and zeros in
 * its place, are noticed. It is written with each batch, which costs no sync, and synced twice a second: it survives a kill at once, and a
 * power cut half a second later.
 * Deliberately not here: the bytes of an entry (log-entries.ts), and what an earlier process left (log-reading.ts).
 */
import { constants, mkdirSync, writeSync } from 'node:fs'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { logDirectory } from '../disk/data-disk.ts'
import { syncIfThere } from '../disk/engine-files.ts'
import { storageFull } from '../disk/free-space.ts'
import { addNotes, setAside } from './log-damage.ts'
import { encodeEntry, encodeState, fileName, type LogEntry, SIZE_BYTES } from './log-entries.ts'
import { type LogContents, type LogFile, readLog } from './log-reading.ts'

/** A file that has so much is followed by another one. */
const FILE_BYTES = 4_194_304
/** How often the state is synced, and old files are removed. */
const TICK_MS = 500
/** Nothing was appended for so long before the last file is removed, because making another takes some syncs of the disk. */
const IDLE_MS = 1_000

export class LogFiles {
  readonly #dataDir: string
  readonly #files: LogFile[]
  readonly #state: FileHandle
  /** The highest number of a file. */
  #number: number
  /** The last file, if batches go to it. */
  #current: (LogFile & { handle: FileHandle }) | undefined
  /** When the last batch was appended; infinite while one is. */
  #appendedMs = Number.NEGATIVE_INFINITY
  readonly #ticks = setInterval(() => this.#tidy(), TICK_MS).unref()
  #tidying: Promise<void> = Promise.resolve()

  private constructor(dataDir: string, { files, number }: LogContents, state: FileHandle) {
    this.#dataDir = dataDir
    this.#files = files
    this.#number = number
    this.#state = state
  }

  /**
   * Reads what an earlier process left, and writes down what is wrong with it.
   * @param isExpected whether there must be a log, because the service ran here before
   * @returns also everything that was ever found wrong and not dealt with
   */
  static async open(dataDir: string, isExpected: boolean): Promise<{ log: LogFiles } & LogContents> {
    const contents = await readLog(dataDir, isExpected)
    const directory = logDirectory(dataDir)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    // An earlier version gave a file its name after its first batch.
    for (const name of await readdir(directory)) if (name.endsWith('.log.new')) await rm(join(directory, name), { force: true })
    const state = await open(join(directory, 'state'), constants.O_RDWR | constants.O_CREAT, 0o600)
    return { ...contents, damages: addNotes(dataDir, contents.damages), log: new LogFiles(dataDir, contents, state) }
  }

  get bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** How many requests are not settled. */
  get #needed(): number {
    return this.#files.reduce((sum, { needed }) => sum + needed.size, 0)
  }

  /**
   * Writes all entries or, for a reader, none; they are on disk when it resolves. Calls must not overlap.
   * @throws ServiceError `storage_full`; other errors of the disk
   */
  async append(entries: readonly LogEntry[]): Promise<void> {
    this.#appendedMs = Number.POSITIVE_INFINITY
    try {
      const file = this.#current ?? (await this.#begin())
      const before = file.bytes === 0 && this.#files.at(-2)
      const previous = before && { previous: [basename(before.path), before.bytes] as const }
      const start = { batch: file.bytes, ...previous, needed: this.#needed }
      // Copying small pieces is cheaper than passing them on separately.
      const batch = Buffer.concat([start, ...entries].flatMap(encodeEntry))
      await file.handle.writeFile(batch)
      await file.handle.datasync()
      file.bytes += batch.length
      for (const entry of entries) {
        if ('body' in entry) file.needed.add(entry.sysTimeNs)
        else for (const sysTimeNs of entry.settled) for (const { needed } of this.#files) needed.delete(sysTimeNs)
        if ('settled' in entry) file.settled += entry.settled.length
      }
      // If it cannot be written now, it is with the next batch.
      this.#writeState().catch(() => undefined)
      if (file.bytes >= FILE_BYTES) await this.#closeCurrent()
    } catch (error) {
      await this.#takeBack()
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? storageFull('the write-ahead log cannot grow', error) : error
    } finally {
      this.#appendedMs = performance.now()
    }
  }

  /** Makes the next file. Its name is on disk when this resolves. */
  async #begin(): Promise<LogFile & { handle: FileHandle }> {
    const number = ++this.#number
    const path = join(logDirectory(this.#dataDir), fileName(number))
    const file = { number, path, bytes: 0, needed: new Set<string>(), settled: 0, handle: await open(path, 'wx', 0o600) }
    this.#current = file
    this.#files.push(file)
    await file.handle.truncate(SIZE_BYTES)
    await syncIfThere(logDirectory(this.#dataDir))
    return file
  }

  /** Writes the present state before this returns: the system takes so few bytes at once, without waiting for the disk. */
  async #writeState(files = this.#files): Promise<void> {
    const { number, bytes, settled } = files.at(-1) ?? { number: this.#number, bytes: 0, settled: 0 }
    writeSync(this.#state.fd, encodeState({ number, bytes, needed: this.#needed, settled }), 0)
  }

  async #saveState(files = this.#files): Promise<void> {
    await this.#writeState(files)
    await this.#state.datasync()
  }

  /** The sender of a batch that failed learns that it was not stored, and a file that failed is not written to again. */
  async #takeBack(): Promise<void> {
    const file = this.#current
    await file?.handle.truncate(file.bytes).catch(() => undefined)
    await this.#closeCurrent()
    if (file?.bytes !== 0) return
    this.#files.pop()
    await rm(file.path).catch(() => undefined)
  }

  async #closeCurrent(): Promise<void> {
    const file = this.#current
    this.#current = undefined
    await file?.handle.close().catch(() => undefined)
  }

  /** If a file cannot be removed now, it is the next time, or at the next start, so that removed events do not stay in it. */
  #tidy(): Promise<void> {
    this.#tidying = this.#tidying.then(() => this.#removeOld()).catch(() => undefined)
    return this.#tidying
  }

  /** Syncs the state, and removes the oldest files that have no needed entries. */
  async #removeOld(): Promise<void> {
    const isIdle = () => performance.now() - this.#appendedMs >= IDLE_MS
    if (!isIdle()) await this.#saveState()
    for (let [first] = this.#files; first?.needed.size === 0 && (this.#files.length > 1 || isIdle()); [first] = this.#files) {
      if (first === this.#current) await this.#closeCurrent()
      // The state must not say that the file is there when it is gone.
      await this.#saveState(this.#files.slice(1))
      if (first.damage) await setAside(this.#dataDir, first.path)
      else await rm(first.path, { force: true })
      await syncIfThere(logDirectory(this.#dataDir))
      this.#files.shift()
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#ticks)
    this.#appendedMs = Number.NEGATIVE_INFINITY
    await this.#tidy()
    await this.#closeCurrent()
    // A log without files has no newest file, also if that was missing.
    await this.#saveState().catch(() => undefined)
    await this.#state.close()
  }
}
