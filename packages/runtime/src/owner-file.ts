/**
 * Writes small files of the data directory safely: a temporary file, fsync, rename, fsync of the directory.
 */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file that only its owner may read. It is written completely or not at all, and on disk when this returns. */
export function writeOwnerFile(path: string, content: string | Uint8Array): void {
  renameOwnerFile(writeTemporary(path, content), path)
}

/** Writes as {@link writeOwnerFile} does, unless the file exists. Of several processes that try, one creates it. */
export function makeOwnerFile(path: string, text: string): void {
  const temporary = writeTemporary(path, text)
  try {
    linkSync(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
  syncDirectory(path)
}

/** The new name is on disk when this returns. Both names are in one directory. */
export function renameOwnerFile(from: string, to: string): void {
  renameSync(from, to)
  syncDirectory(to)
}

function writeTemporary(path: string, content: string | Uint8Array): string {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, content, { mode: 0o600, flush: true })
    return temporary
  } catch (error) {
    // The incomplete file is removed; the one before stays.
    rmSync(temporary, { force: true })
    throw error
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(dirname(path), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
