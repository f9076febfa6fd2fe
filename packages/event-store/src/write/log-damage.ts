/**
 * What was found wrong with the write-ahead log, and what became of it: each damaged file has a note in `<data>/damaged/write-ahead/`, and
 * is moved there once nothing in it is needed any more. Notes stay until somebody deletes them, so that every start and every health say
 * what may be missing.
 * Deliberately not here: finding damage (log-reading.ts).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writeOwnerFile } from '@deployment-annotations/runtime/owner-file'

export interface LogDamage {
  /** The damaged file or directory, where it was found. */
  path: string
  /** Where in the file it begins; absent if it is not about a place in it. */
  offset?: number
  reason: string
  /** How many requests that were acknowledged may be missing. */
  requests: number
  /** Whether it may be more, because nothing says how many there were. */
  isAtLeast: boolean
}

/**
 * Writes a note for each damaged file; one of an earlier start, about the same file, is replaced.
 * @returns what was found now and at earlier starts. On a full disk, notes are written at the next start
 */
export function addNotes(dataDir: string, found: readonly LogDamage[]): LogDamage[] {
  try {
    for (const damage of found)
      writeOwnerFile(`${placeOf(dataDir, damage.path)}.json`, `${JSON.stringify([damage], undefined, 2)}\n`)
    return listNotes(dataDir)
  } catch {
    return [...listNotes(dataDir), ...found]
  }
}

/** @returns what was found at earlier starts. A note that cannot be read says that there was something */
export function listNotes(dataDir: string): LogDamage[] {
  const directory = directoryIn(dataDir)
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json')) : []
  return names.sort().flatMap((name): LogDamage[] => {
    const path = join(directory, name)
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as LogDamage[]
    } catch {
      return [{ path, reason: 'this note of an earlier damage cannot be read', requests: 0, isAtLeast: true }]
    }
  })
}

/** Moves a damaged file, if there is one, to its note. */
export async function setAside(dataDir: string, path: string): Promise<void> {
  if (existsSync(path)) await rename(path, placeOf(dataDir, path))
}

const directoryIn = (dataDir: string) => join(dataDir, 'damaged', 'write-ahead')

function placeOf(dataDir: string, path: string): string {
  mkdirSync(directoryIn(dataDir), { recursive: true, mode: 0o700 })
  return join(directoryIn(dataDir), basename(path))
}
