/**
 * The disk under the embedded engine: made ready before the engine opens, then asked about by the store. Events that were acknowledged
 * and
 * are not there are found as far as they can be seen: tables that the engine does not have, and parts that it found broken and detached.
 * Deliberately not here: which tables there should be, which the catalogue of datasets says, and parts that the engine drops silently.
 */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Engine } from '../engine/engine.ts'
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

/** A table whose events are missing, all of them or some. */
export interface DamagedTable {
  table: string
  dataset: string
  /** Where the files are that cannot be used. */
  path: string
  /** Whether nothing of the dataset can be read or written. */
  isMissing: boolean
}

/** The engine's words for parts with damage; the others are left-overs of work that was done again. */
const DAMAGE = `('broken', 'broken-on-start', 'unexpected')`

/** @returns where a broken part is, by the table that it belongs to */
export async function findDetachedParts(engine: Engine): Promise<Map<string, string>> {
  const rows = await engine.select<{ name: string; path: string }>(
    `SELECT table AS name, min(path) AS path FROM system.detached_parts WHERE database = currentDatabase() AND reason IN ${DAMAGE} GROUP BY table`,
  )
  return new Map(rows.map(({ name, path }) => [name, path]))
}
