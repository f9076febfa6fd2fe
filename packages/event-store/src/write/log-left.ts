/**
 * What a process before has left in the write-ahead log; it is read once, when the log is opened.
 */
import { decodeEntries, type WaitingRows } from './log-entries.ts'
import { LogFiles, type Written } from './log-files.ts'

/** Rows that wait, and where they are. */
export interface LeftRows {
  rows: WaitingRows
  file: Written
  /** To be called when they are not needed any more. */
  release?: () => void
}

/** @returns the files, and what is in them and not settled, in its order */
export async function openLeft(directory: string): Promise<{ files: LogFiles; left: LeftRows[] }> {
  const { files, left } = await LogFiles.open(directory)
  const waiting = new Map<string, LeftRows>()
  for (const { file, bytes } of left) {
    for (const entry of decodeEntries(bytes)) {
      if ('body' in entry) {
        waiting.set(nameOf(entry.table, entry.sysTimeNs), { rows: entry, file })
        file.needed++
        continue
      }
      for (const sysTimeNs of entry.settled) {
        const settled = waiting.get(nameOf(entry.table, sysTimeNs))
        if (settled) settled.file.needed--
        waiting.delete(nameOf(entry.table, sysTimeNs))
      }
    }
  }
  files.removeOld()
  return { files, left: [...waiting.values()] }
}

/** No two requests have the same. */
const nameOf = (table: string, sysTimeNs: string) => `${table}/${sysTimeNs}`
