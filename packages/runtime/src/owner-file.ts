/**
 * Small files of the data directory, beside the engine's: a temporary file, fsync, its name, fsync of the directory.
 */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file that only its owner may read: whole or not at all, and on disk when this returns. */
export function writeOwnerFile(path: string, content: string | Uint8Array): void {
  const temporary = writeTemporary(path, content)
  renameSync(temporary, path)
  syncDirectory(path)
}

/** As {@link writeOwnerFile}, where there is no such file: of several processes that try, one makes it, and the others leave it. */
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

function writeTemporary(path: string, content: string | Uint8Array): string {
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    // Not writeSync, which stops without a word where the disk is full, and half a file is worse than the one before.
    writeFileSync(file, content)
    fsyncSync(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return temporary
}

function syncDirectory(path: string): void {
  const directory = openSync(dirname(path), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
