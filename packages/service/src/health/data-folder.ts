/**
 * The data directory from outside: whether it is still the one that was opened. The engine and SQLite go on writing to files that
 * somebody deleted, and everything that they acknowledge then is gone at the next start.
 */
import { constants, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { logDirectory } from '@deployment-annotations/event-store/disk/data-disk'
import { freeBytesOf, GROWTH_RESERVE_BYTES, SHRINK_RESERVE_BYTES } from '@deployment-annotations/event-store/disk/free-space'
import { isDiskFailure } from '@deployment-annotations/event-store/engine/system-faults'
import { recordsFile } from '@deployment-annotations/records/open-records'
import type { Judgement } from './part.ts'

export class DataFolder {
  readonly #dir: string
  readonly #opened: ReadonlyMap<string, string>
  #tried: { canWrite: Promise<boolean>; atMs: number } | undefined

  /** @param dir with all that is kept in it already there */
  constructor(dir: string) {
    this.#dir = dir
    // Where the data is on servers, some of them are not there.
    const paths = [dir, join(dir, 'engine'), logDirectory(dir), recordsFile(dir)]
    this.#opened = new Map(paths.flatMap((path) => toPair(path, identityOf(path))))
  }

  /** Whether it was deleted, or another one put in its place. */
  get isGone(): boolean {
    for (const [path, identity] of this.#opened) if (identityOf(path) !== identity) return true
    return false
  }

  judge(): Judgement | undefined {
    return this.isGone ? { status: 'failed', message: GONE } : undefined
  }

  /** Of its disk. */
  async judgeDisk(): Promise<Judgement | undefined> {
    if (this.isGone) return undefined
    if (!(await this.#canWrite())) return { status: 'failed', message: 'it cannot be written' }
    const freeBytes = freeBytesOf(this.#dir)
    if (freeBytes >= GROWTH_RESERVE_BYTES) return undefined
    const rest = freeBytes >= SHRINK_RESERVE_BYTES ? 'all else works' : 'and answers may lack the events of the moment before'
    return { status: 'degraded', message: `it is full: nothing can be stored, ${rest}` }
  }

  /** A disk with a fault is often made read-only by the system, which nobody notices who only reads. */
  async #canWrite(): Promise<boolean> {
    if (!this.#tried || performance.now() - this.#tried.atMs > TRY_MS)
      this.#tried = { canWrite: canWrite(join(this.#dir, 'health')), atMs: performance.now() }
    return this.#tried.canWrite
  }
}

/** How old the last try may be: each is a sync of the disk. */
const TRY_MS = 5_000

async function canWrite(path: string): Promise<boolean> {
  try {
    await using file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    await file.write('\n', 0)
    await file.datasync()
    return true
  } catch (error) {
    // What is full, and what has no file handles left, is judged elsewhere.
    return !isDiskFailure(error)
  }
}

export const GONE =
  'the data was deleted or replaced while the service was running; stop it, put the data back, and start it again'

function toPair(path: string, identity: string | undefined): [string, string][] {
  return identity === undefined ? [] : [[path, identity]]
}

/** @returns what a path leads to, `undefined` where that is nothing */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.dev}/${stats.ino}`
}
