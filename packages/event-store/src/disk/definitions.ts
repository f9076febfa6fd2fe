/**
 * Copies of the definitions of tables, outside of the engine's directory: `<data>/definitions/<table>.sql`. The engine's own file
 * may be left empty by a full disk, or not be there after a power cut, because the engine syncs data and not definitions; it is
 * restored from its copy at the next start (repair.ts).
 * Deliberately not here: staging tables, which nobody misses.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeOwnerFile } from '@deployment-annotations/runtime/owner-file'
import { type EngineFiles, isWholeDefinition, readIfThere } from './engine-files.ts'
import { storageFull } from './free-space.ts'

export class Definitions {
  readonly #directory: string
  readonly #files: EngineFiles

  constructor(directory: string, files: EngineFiles) {
    this.#directory = directory
    this.#files = files
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  }

  tables(): string[] {
    return readdirSync(this.#directory).flatMap((name) => (name.endsWith('.sql') ? name.slice(0, -'.sql'.length) : []))
  }

  read(table: string): string | undefined {
    return readIfThere(this.#path(table))
  }

  /**
   * Copies the definition as it is now; it is on disk then.
   * @throws ServiceError `storage_full` where the engine's own is not whole, or the copy has no room
   */
  keep(table: string): void {
    const text = this.#files.readDefinition(table) ?? ''
    if (!isWholeDefinition(text)) throw storageFull(`the definition of ${table} could not be written`)
    if (text === this.read(table)) return
    this.#files.syncDirectories(table)
    try {
      writeOwnerFile(this.#path(table), text)
    } catch (cause) {
      throw storageFull(`the definition of ${table} could not be copied`, cause)
    }
  }

  /** The engine's definition as it was kept. Moves the copy where there is no room for another. */
  restore(table: string): void {
    const text = this.read(table)
    if (text === undefined) throw new Error(`there is no copy of the definition of ${table}`)
    try {
      writeOwnerFile(this.#files.definitionPath(table), text)
    } catch {
      renameSync(this.#path(table), this.#files.definitionPath(table))
    }
    this.#files.syncDirectories(table)
  }

  /** To be called before the table goes: a copy without a table is one that must be restored. */
  forget(table: string): void {
    rmSync(this.#path(table), { force: true })
  }

  #path(table: string): string {
    return join(this.#directory, `${table}.sql`)
  }
}
