/**
 * Checks for room on the disk of the data directory, before a statement that needs it reaches the embedded engine.
 * The engine does not notice when a small file of its own does not fit (seen in version 26.7: CREATE and ALTER report success and leave
 * files of 0 bytes, which stop its next start), and a mutation for which there is no room waits forever.
 * Deliberately not here: definitions that were cut off in spite of this; see definitions.ts.
 */
import { statfsSync } from 'node:fs'
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

/** @throws ServiceError `storage_full` if less than `reserveBytes` is free on the disk of the directory */
export function requireSpace(directory: string, reserveBytes: number): void {
  const freeBytes = freeBytesOf(directory)
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

export function mib(bytes: number): string {
  return `${Math.floor(bytes / MIB)} MiB`
}
