/**
 * What waits in the write-ahead log of a directory, read from its files as a service reads them after a crash.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodePieces } from '../src/write/log-entries.ts'

/** @returns the `_sysTime`s of the requests that wait, those that were settled left out */
export function listWaitingRows(directory: string): string[] {
  const waiting = new Set<string>()
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.log')) : []
  for (const name of names.sort()) {
    for (const { entry } of decodePieces(readIfThere(join(directory, name)))) {
      if (entry && 'body' in entry) waiting.add(entry.sysTimeNs)
      else if (entry && 'settled' in entry) for (const sysTimeNs of entry.settled) waiting.delete(sysTimeNs)
    }
  }
  return [...waiting]
}

/** A service removes what is settled. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
