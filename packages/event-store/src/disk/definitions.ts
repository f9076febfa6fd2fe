/**
 * Copies the definitions of tables to `<data>/definitions/<table>.sql`, outside of the engine's directory. A full disk may leave the
 * engine's own file empty, and a power cut may lose it, because the engine syncs data but not definitions; the next start restores it
 * from the copy (repair.ts).
 * Deliberately not here: staging tables, which may be lost.
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
   * Copies the present definition to disk.
   * @throws ServiceError `storage_full` if the engine's definition is incomplete, or there is no room for the copy
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

  /** Restores the engine's definition. The copy is moved if there is no room for another. */
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

  /** Call this before dropping the table, because a copy without a table is restored. */
  forget(table: string): void {
    rmSync(this.#path(table), { force: true })
  }

  #path(table: string): string {
    return join(this.#directory, `${table}.sql`)
  }
}
