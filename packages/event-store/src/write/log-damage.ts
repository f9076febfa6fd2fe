/**
 * What was found wrong with the write-ahead log, and what became of it: each fault has a note in `<data>/damaged/write-ahead/`, beside the
 * file that it was found in, once nothing in that is needed any more. Notes stay until somebody deletes them, so that every start and
 * every health say what may be missing.
 * Deliberately not here: finding faults (log-reading.ts).
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

export class LogDamageNotes {
  readonly #directory: string

  /** @param damagedDir where damaged files of the data directory go */
  constructor(damagedDir: string) {
    this.#directory = join(damagedDir, 'write-ahead')
  }

  /** Writes a note for each file; one of an earlier start, about the same file, is replaced. */
  add(damages: readonly LogDamage[]): void {
    if (damages.length > 0) mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    for (const path of new Set(damages.map((damage) => damage.path))) {
      const found = damages.filter((damage) => damage.path === path)
      writeOwnerFile(join(this.#directory, `${basename(path)}.json`), `${JSON.stringify(found, undefined, 2)}\n`)
    }
  }

  /** @returns what was found at this start and at earlier ones. A note that cannot be read says that there was something */
  list(): LogDamage[] {
    if (!existsSync(this.#directory)) return []
    const notes = readdirSync(this.#directory).filter((name) => name.endsWith('.json'))
    return notes.sort().flatMap((name) => readNote(join(this.#directory, name)))
  }

  /** Moves a damaged file to its note. */
  async take(path: string): Promise<void> {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    await rename(path, join(this.#directory, basename(path)))
  }
}

function readNote(path: string): LogDamage[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LogDamage[]
  } catch {
    return [{ path, reason: 'this note of an earlier fault cannot be read', requests: 0, isAtLeast: true }]
  }
}
