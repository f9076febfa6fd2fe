/**
 * Rows on their way into the embedded engine. Its package hands over texts alone, so what is binary goes through a file, which the
 * engine reads from the memory that the file is still in. There is one for each insert at a time, used over and over.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'

export interface InsertFile {
  readonly path: string
  /** Replaces what is in it. */
  write(buffers: readonly Uint8Array[]): Promise<void>
  /** Empties it, so that events are not kept here, and most never reach the disk. What cannot be emptied now is by the next write. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** The directory of the files; what is left there of a process that was killed is removed. */
export function clearInsertFiles(engineDirectory: string): string {
  const directory = join(engineDirectory, 'inserts')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { mode: 0o700 })
  return directory
}

/** @param name of no other file. Made once it is needed. */
export function createInsertFile(directory: string, name: string): InsertFile {
  const path = join(directory, name)
  let opened: Promise<FileHandle> | undefined
  return {
    path,
    async write(buffers) {
      opened ??= open(path, 'w', 0o600).catch((error: unknown) => {
        opened = undefined
        throw error
      })
      const file = await opened
      await file.truncate(0)
      let at = 0
      for (const buffer of buffers) {
        for (let from = 0; from < buffer.length; ) {
          const { bytesWritten } = await file.write(buffer, from, buffer.length - from, at)
          from += bytesWritten
          at += bytesWritten
        }
      }
    },
    async clear() {
      await opened?.then((file) => file.truncate(0)).catch(() => undefined)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}
