/**
 * Whether the data directory is still the one that was opened, and can be written. The engine and SQLite go on writing to files that
 * were deleted, and everything that they acknowledge then is gone at the next start.
 */
import { constants, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { logDirectory } from '@deployment-annotations/event-store/disk/data-disk'
import { freeBytesOf, GROWTH_RESERVE_BYTES, SHRINK_RESERVE_BYTES } from '@deployment-annotations/event-store/disk/free-space'
import { isDiskFailure } from '@deployment-annotations/event-store/engine/engine-failures'
import { recordsFile } from '@deployment-annotations/records/open-records'
import { keptFor } from './kept-for.ts'

/** How old the last attempt to write may be: each is a sync of the disk. */
const TRY_MS = 5_000

/** What refused requests, and the health, say once the data is gone. */
export const DATA_GONE =
  'the data was deleted or replaced while the service was running; stop it, put the data back, and start it again'

export class DataDirectory {
  readonly #dir: string
  readonly #opened: ReadonlyMap<string, string | undefined>
  /** A disk with a fault is often made read-only by the system, which only an attempt to write can find out. */
  readonly #canWrite = keptFor(TRY_MS, () => canWrite(join(this.#dir, 'health')))

  /** @param dir the data directory, after everything that is kept in it was created */
  constructor(dir: string) {
    this.#dir = dir
    // Where records or events are on a server, some of these paths do not exist.
    const paths = [dir, join(dir, 'engine'), logDirectory(dir), recordsFile(dir)]
    this.#opened = new Map(paths.map((path) => [path, identityOf(path)]))
  }

  /** Whether the directory was deleted, or another one put in its place. */
  get isGone(): boolean {
    return [...this.#opened].some(([path, identity]) => identity !== undefined && identityOf(path) !== identity)
  }

  check(): { status: 'degraded' | 'failed'; message: string } | undefined {
    return this.isGone ? { status: 'failed', message: DATA_GONE } : undefined
  }

  /** Checks the disk of the directory. */
  async checkDisk(): Promise<{ status: 'degraded' | 'failed'; message: string } | undefined> {
    if (this.isGone) return undefined
    if (!(await this.#canWrite())) return { status: 'failed', message: 'it cannot be written' }
    const freeBytes = freeBytesOf(this.#dir)
    if (freeBytes >= GROWTH_RESERVE_BYTES) return undefined
    const rest = freeBytes >= SHRINK_RESERVE_BYTES ? 'all else works' : 'and answers may lack the events of the moment before'
    return { status: 'degraded', message: `it is full: nothing can be stored, ${rest}` }
  }
}

async function canWrite(path: string): Promise<boolean> {
  try {
    await using file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    await file.write('\n', 0)
    await file.datasync()
    return true
  } catch (error) {
    // A full disk, and a lack of file handles, have checks of their own.
    return !isDiskFailure(error)
  }
}

/** @returns the device and inode of a path, `undefined` where there is nothing */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.dev}/${stats.ino}`
}
