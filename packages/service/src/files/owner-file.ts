/**
 * Small files of the data directory, beside the engine's: a temporary file, fsync, rename, fsync of the directory.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file that only its owner may read: whole or not at all, and on disk when this returns. */
export function writeOwnerFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  const file = openSync(temporary, 'w', 0o600)
  try {
    // Not writeSync, which stops without a word where the disk is full, and half a file is worse than the one before.
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  const directory = openSync(dirname(path), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
