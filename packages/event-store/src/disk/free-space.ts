/**
 * Room on the disk of the data directory, looked at before a statement that needs it reaches the embedded engine.
 * The engine does not notice when a small file of its own does not fit (seen in version 26.7: CREATE and ALTER report success
 * and leave files of 0 bytes, which stop its next start), and a mutation for which there is no room waits forever.
 * Deliberately not here: what a statement wrote in spite of this; see definitions.ts.
 */
import { statfsSync } from 'node:fs'
import { ServiceError } from '@deployment-annotations/runtime/errors'

const MIB = 1_048_576

/**
 * Left free by what adds events or tables. More than the statements that are under way at one moment can write (an insert has
 * 8 MiB, see event-writer.ts), so that a disk that only we fill is never full to the last byte.
 */
export const GROWTH_RESERVE_BYTES = 64 * MIB
/** Left free by what makes room again: it may use most of the reserve, but the files of the engine's own must still fit. */
export const SHRINK_RESERVE_BYTES = 16 * MIB

/** @throws ServiceError `storage_full` where less than `reserveBytes` is free on the disk of the directory */
export function requireSpace(directory: string, reserveBytes: number): void {
  const freeBytes = freeBytesOf(directory)
  if (freeBytes < reserveBytes) throw storageFull(`${mib(freeBytes)} are free, and ${mib(reserveBytes)} are needed`)
}

export function freeBytesOf(directory: string): number {
  return measureDisk(directory).freeBytes
}

/** @returns what the disk of the directory has, and what of it this process may still use */
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
