/**
 * Opens the write-ahead log: reads what an earlier process left, writes down what is wrong with it, and removes what nobody needs.
 */
import { mkdirSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogDamage, LogDamageNotes } from './log-damage.ts'
import { LogFiles, type UnsettledRows } from './log-files.ts'
import { readLog } from './log-reading.ts'

export interface OpenedLog {
  files: LogFiles
  /** The entries that are not settled, in order. */
  left: UnsettledRows[]
  /** Everything that was ever found wrong and not dealt with. */
  damages: LogDamage[]
  /** The half written entries that were passed over. */
  torn: { path: string; offset: number }[]
}

export interface LogPlace {
  /** Created if it is missing. */
  directory: string
  /** Where damaged files of the data directory go. */
  damagedDir: string
  /** Whether there must be a log, because the service ran here before. */
  isExpected: boolean
}

export async function openLogFiles({ directory, damagedDir, isExpected }: LogPlace): Promise<OpenedLog> {
  const notes = new LogDamageNotes(damagedDir)
  const contents = await readLog(directory, isExpected)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  for (const name of await readdir(directory)) if (name.endsWith('.log.new')) await rm(join(directory, name), { force: true })
  const damages = noteDown(notes, contents.damages)
  const { left, torn, number } = contents
  const files = new LogFiles({ directory, notes, files: contents.files, number, unsettled: left.length })
  files.removeOld()
  return { files, left, damages, torn }
}

/** @returns all that was ever found. A service that starts on a full disk says it too, and writes it down at its next start */
function noteDown(notes: LogDamageNotes, found: readonly LogDamage[]): LogDamage[] {
  try {
    notes.add(found)
    return notes.list()
  } catch {
    return [...notes.list(), ...found]
  }
}
