/**
 * Checks for room on the disk of the data directory, before a statement that needs it reaches the embedded engine.
 * The engine does not notice when a small file of its own does not fit (seen in version 26.7: CREATE and ALTER report success and leave
 * files of 0 bytes, which stop its next start), and a mutation for which there is no room waits forever.
 * Deliberately not here: definitions that were cut off in spite of this; see engine-files.ts.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '@deployment-annotations/runtime/errors'

const MIB = 1_048_576

/**
 * The room that statements which add events or tables leave free. It is more than the statements under way at one moment can write (an
 * insert has 8 MiB, see event-writer.ts), so that the service alone never fills a disk to the last byte.
 */
export const GROWTH_RESERVE_BYTES = 64 * MIB
/**
 * The room that statements which free space leave free. They may use most of the reserve, but the engine's own small files must still
 * fit.
 */
export const SHRINK_RESERVE_BYTES = 16 * MIB

/**
 * A file that only takes up room, so that the service can start on a disk that something else has filled to the last byte: the records and
 * the engine need some room even to be read. It is more than events need to be removed.
 */
const RESERVE_BYTES = 24 * MIB
const reservePath = (dataDir: string) => join(dataDir, 'reserve')

/** Makes the reserve if it is missing and there is plenty of room. */
export async function keepReserve(dataDir: string): Promise<void> {
  const path = reservePath(dataDir)
  if (existsSync(path) || freeBytesOf(dataDir) < GROWTH_RESERVE_BYTES + 2 * RESERVE_BYTES) return
  const unfinished = `${path}.new`
  try {
    // A disk that compresses would keep nothing of zeros.
    await writeFile(unfinished, Array<Buffer>(RESERVE_BYTES / MIB).fill(randomBytes(MIB)), { mode: 0o600 })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Gives the reserve away if there is no room even to remove events. Call it before anything in the directory is opened. */
export function releaseReserve(dataDir: string): void {
  if (freeBytesOf(dataDir) < SHRINK_RESERVE_BYTES) rmSync(reservePath(dataDir), { force: true })
}

/** What was free so long ago still counts, because nobody writes the reserve in that time, and each small request asks. */
const KNOWN_MS = 50
const known = new Map<string, { freeBytes: number; atMs: number }>()

/** @throws ServiceError `storage_full` if less than `reserveBytes` is free on the disk of the directory */
export function requireSpace(directory: string, reserveBytes: number): void {
  const atMs = performance.now()
  const before = known.get(directory)
  const isKnown = before !== undefined && atMs - before.atMs <= KNOWN_MS
  const { freeBytes } = isKnown ? before : { freeBytes: freeBytesOf(directory) }
  if (!isKnown) known.set(directory, { freeBytes, atMs })
  if (freeBytes < reserveBytes) throw storageFull(`${mib(freeBytes)} are free, and ${mib(reserveBytes)} are needed`)
}

export function freeBytesOf(directory: string): number {
  return measureDisk(directory).freeBytes
}

/** @returns the size of the directory's disk, and how much of it this process may still use */
export function measureDisk(directory: string): { freeBytes: number; totalBytes: number } {
  const { bavail, blocks, bsize } = statfsSync(directory)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export function storageFull(why: string, cause?: unknown): ServiceError {
  return new ServiceError('storage_full', `the disk is full (${why}); nothing was stored`, { cause })
}

/** A task that may be done later, once there is room, goes on without it. @throws any other error */
export function ignoreFullDisk(error: unknown): undefined {
  if (!(error instanceof ServiceError && error.code === 'storage_full')) throw error
}

export function mib(bytes: number): string {
  return `${Math.floor(bytes / MIB)} MiB`
}
