/**
 * Reads the files of the write-ahead log that an earlier process left, for a start and for `fsck`. What a crash left half written was never
 * acknowledged and is passed over. Everything else that cannot be read is damage: it is named with its file and the first place in it, and
 * the requests that it may have been are counted. Reading goes on where a damaged entry ends by its length. If that leads nowhere, the
 * rest of the file is not read, and nothing before the damage is lost.
 * Deliberately not here: writing, and removing files (log-files.ts).
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { logDirectory } from '../disk/data-disk.ts'
import { readIfThere } from '../disk/engine-files.ts'
import type { LogDamage } from './log-damage.ts'
import {
  type BatchStart,
  decodePieces,
  decodeState,
  fileName,
  type LogEntry,
  type LogPiece,
  type LogState,
  type WaitingRows,
} from './log-entries.ts'

/** Half written entries have whole pages of zeros, because the system writes pages of this size. */
const PAGE_BYTES = 4_096

export interface LogFile {
  number: number
  path: string
  /** How much is written. */
  bytes: number
  /** The `_sysTime`s of its requests that are not settled. */
  needed: Set<string>
  /** How many requests, of any file, its entries settle. */
  settled: number
  damage?: LogDamage
}

export interface LogContents {
  /** The entries that are not settled, in the order in which they were written. */
  left: WaitingRows[]
  /** The oldest first. */
  files: LogFile[]
  damages: LogDamage[]
  /** The half written entries, which were passed over. */
  torn: { path: string; offset: number }[]
  /** The highest number that a file had. */
  number: number
}

/** @param isExpected whether there must be a log, because the service ran here before */
export async function readLog(dataDir: string, isExpected: boolean): Promise<LogContents> {
  const directory = logDirectory(dataDir)
  const reading = new Reading()
  if (!existsSync(directory)) {
    const gone = { path: directory, reason: 'the directory of the write-ahead log is missing', requests: 0, isAtLeast: true }
    return { ...reading.end(0), damages: isExpected ? [gone] : [] }
  }
  // Nothing is lost with this file, so that nothing is said if it was damaged.
  const state = decodeState(readIfThere(join(directory, 'state')) ?? '')
  const names = new Set((await readdir(directory)).filter((name) => /^\d{12}\.log$/.test(name)))
  if (state && state.bytes > 0) names.add(fileName(state.number))
  for (const name of [...names].sort()) {
    const path = join(directory, name)
    reading.addFile(path, existsSync(path) ? await readFile(path) : Buffer.alloc(0), state)
  }
  return reading.end(state?.number ?? 0)
}

/** Follows the log from file to file. */
class Reading {
  readonly #waiting = new Map<string, { rows: WaitingRows; file: LogFile }>()
  readonly #files: LogFile[] = []
  readonly #torn: LogContents['torn'] = []
  /** How many requests were needed by what the log says, and are neither here nor settled later. */
  #lost = 0

  addFile(path: string, bytes: Buffer, state: LogState | undefined): void {
    const pieces: LogPiece[] = [...decodePieces(bytes)]
    const number = Number.parseInt(basename(path), 10)
    const file: LogFile = { number, path, bytes: pieces.at(-1)?.to ?? 0, needed: new Set(), settled: 0 }
    if (number === state?.number) {
      // The state says of its place what the beginning of the next batch would say.
      const entry = { batch: state.bytes, needed: state.needed }
      pieces.push({ at: state.bytes, to: state.bytes, isRest: false, entry })
      pieces.sort((a, b) => a.at - b.at)
    }
    const synced = pieces.findLast(({ entry }) => entry && 'batch' in entry)?.at ?? 0
    for (const { at, to, entry, isRest } of pieces) {
      if (entry) this.#take(entry, file)
      else if (at >= synced && hasZeroPage(bytes, at, to)) this.#torn.push({ path, offset: at })
      else nameDamage(file, at, 'entries of the write-ahead log cannot be read', isRest || to > synced)
    }
    // If the missing entries settled requests that seem to wait, more are missing.
    if (file.bytes < synced) nameDamage(file, file.bytes, MISSING, state?.settled !== file.settled)
    this.#files.push(file)
  }

  /** @returns everything, with the requests that are missing at the first damage, or at the first file if nothing else is damaged */
  end(number: number): LogContents {
    const [files, waiting] = [this.#files, [...this.#waiting.values()]]
    for (const { rows, file } of waiting) file.needed.add(rows.sysTimeNs)
    const isNamed = files.some(({ damage }) => damage)
    if (this.#lost > 0 && files[0] && !isNamed) nameDamage(files[0], 0, 'files before this one are missing', false)
    const damages = files.flatMap(({ damage }) => damage ?? [])
    if (damages[0]) damages[0].requests = this.#lost
    const left = waiting.map(({ rows }) => rows)
    return { left, files, damages, torn: this.#torn, number: Math.max(number, files.at(-1)?.number ?? 0) }
  }

  #take(entry: LogEntry | BatchStart, file: LogFile): void {
    if ('batch' in entry) this.#check(entry)
    else if ('body' in entry) this.#waiting.set(entry.sysTimeNs, { rows: entry, file })
    else {
      file.settled += entry.settled.length
      for (const sysTimeNs of entry.settled) {
        // What is settled without having been seen was in what is missing, and is no loss.
        if (!this.#waiting.delete(sysTimeNs)) this.#lost = Math.max(0, this.#lost - 1)
      }
    }
  }

  /** A file that is followed by another one is there, with so many bytes, unless those before it are gone too. */
  #check({ needed, previous: [name, bytes] = ['', 0] }: BatchStart): void {
    this.#lost = Math.max(this.#lost, needed - this.#waiting.size)
    const before = this.#files.find(({ path }) => basename(path) === name) ?? this.#files.at(-1)
    if (before && bytes > 0 && (basename(before.path) !== name || before.bytes < bytes))
      nameDamage(before, before.bytes, MISSING, true)
  }
}

const MISSING = 'acknowledged entries from here on are missing'

/** Names the first damage of a file. */
function nameDamage(file: LogFile, offset: number, reason: string, isAtLeast: boolean): void {
  file.damage ??= { path: file.path, offset, reason, requests: 0, isAtLeast }
  file.damage.isAtLeast ||= isAtLeast
}

/** Whether a page between these places, or the rest of the first or last one, has never been written. */
function hasZeroPage(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const end = Math.min(to, at - (at % PAGE_BYTES) + PAGE_BYTES)
    if (bytes.subarray(at, end).every((byte) => byte === 0)) return true
    at = end
  }
  return false
}
