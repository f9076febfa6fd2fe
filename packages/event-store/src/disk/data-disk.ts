/**
 * The disk under the embedded engine: made ready before the engine opens, then asked about by what is above.
 * Deliberately not here: which tables there should be; the catalogue of datasets says that.
 */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Definitions } from './definitions.ts'
import { EngineFiles, isStagingTable } from './engine-files.ts'
import { freeBytesOf, GROWTH_RESERVE_BYTES, requireSpace, SHRINK_RESERVE_BYTES } from './free-space.ts'
import { type Repair, repairTables } from './repair.ts'

/** @returns the directory of the write-ahead log in a data directory */
export function logDirectory(dataDir: string): string {
  return join(dataDir, 'write-ahead')
}

export class DataDisk {
  /** What was done before the engine opened. */
  readonly repairs: readonly Repair[]
  readonly files: EngineFiles
  readonly definitions: Definitions
  readonly #damagedDir: string

  /**
   * To be called while no engine has the directory open.
   * @param engineDir in the data directory, where the copies and what is set aside go
   * @throws ServiceError `storage_full` where a new directory has no room; Error where a table cannot be repaired
   */
  constructor(engineDir: string) {
    const dataDir = dirname(engineDir)
    this.files = new EngineFiles(engineDir)
    if (this.files.tables().length === 0) requireSpace(dataDir, GROWTH_RESERVE_BYTES)
    this.definitions = new Definitions(join(dataDir, 'definitions'), this.files)
    this.#damagedDir = join(dataDir, 'damaged')
    this.repairs = repairTables({ files: this.files, definitions: this.definitions, damagedDir: this.#damagedDir })
  }

  /**
   * Makes the copies of definitions that are missing, for example after a start on a full disk.
   * @throws ServiceError `storage_full` where the engine could not write a definition
   */
  keepDefinitions(): void {
    // A start on a full disk can still read, and the next one makes the copies.
    if (freeBytesOf(this.files.root) < SHRINK_RESERVE_BYTES) return
    const tables = new Set(this.files.tables().filter((table) => !isStagingTable(table)))
    for (const table of this.definitions.tables()) if (!tables.has(table)) this.definitions.forget(table)
    for (const table of tables) this.definitions.keep(table)
  }

  /** Where events wait for their tables: beside the engine, on the same disk. */
  get logDirectory(): string {
    return logDirectory(dirname(this.files.root))
  }

  /** @returns where the files of a table are that the engine does not have: its own directory, if they were never set aside */
  placeOf(table: string): string {
    const names = existsSync(this.#damagedDir) ? readdirSync(this.#damagedDir) : []
    const name = names.sort().find((one) => one === table || one.startsWith(`${table}.`))
    return name === undefined ? this.files.root : join(this.#damagedDir, name)
  }
}
