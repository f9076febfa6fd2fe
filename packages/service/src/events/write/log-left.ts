/**
 * What a process before has left in the write-ahead log: read once, when the log is opened. Earlier versions kept it in the records;
 * from there it is taken into the files.
 */
import type { Records } from '../../records/records.ts'
import { deleteWaiting, listWaiting, readWaiting } from '../../records/write-ahead-records.ts'
import { decodeEntries, encodeEntry, type WaitingRows } from './log-entries.ts'
import { LogFiles, type Written } from './log-files.ts'

/** Rows that wait, and where they are. */
export interface LeftRows {
  rows: WaitingRows
  file: Written
  /** To be called when they are not needed any more. */
  release?: () => void
}

/** Of the records, at a time. */
const REQUESTS_MAX = 500

/** @returns the files, and what is in them and not settled, in its order */
export async function openLeft(directory: string, records: Records): Promise<{ files: LogFiles; left: LeftRows[] }> {
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
  for (const table of await listWaiting(records.read)) await takeOver(table, { files, waiting, records })
  files.removeOld()
  return { files, left: [...waiting.values()] }
}

interface Opened {
  files: LogFiles
  waiting: Map<string, LeftRows>
  records: Records
}

/** A crash may leave them in both places. */
async function takeOver(table: string, { files, waiting, records }: Opened): Promise<void> {
  for (;;) {
    const list = await readWaiting(records.read, table, REQUESTS_MAX)
    if (list.length === 0) return
    const fresh = list
      .filter(({ sysTimeNs }) => !waiting.has(nameOf(table, sysTimeNs)))
      .map((rows): WaitingRows => ({ ...rows, blocks: [] }))
    if (fresh.length > 0) {
      const file = await files.append(fresh.flatMap(encodeEntry), fresh.length)
      for (const rows of fresh) waiting.set(nameOf(table, rows.sysTimeNs), { rows, file })
    }
    await records.transaction((db) => deleteWaiting(db, table, list))
  }
}

/** No two requests have the same. */
const nameOf = (table: string, sysTimeNs: string) => `${table}/${sysTimeNs}`
