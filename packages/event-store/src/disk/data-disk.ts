/**
 * The disk of the embedded engine. It is repaired before the engine opens, and checked by the store afterwards. It finds missing events
 * as far as possible: tables that the engine does not have, parts that it detached as broken, and parts that are gone.
 * Deliberately not here: the expected tables, which the catalog of datasets lists.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EngineFiles, isStagingTable } from './engine-files.ts'
import { freeBytesOf, GROWTH_RESERVE_BYTES, requireSpace, SHRINK_RESERVE_BYTES } from './free-space.ts'
import { NO_MANIFEST, PartsManifest } from './parts-manifest.ts'
import { type Repair, repairTables } from './repair.ts'

/** @returns the directory of the write-ahead log in a data directory */
export function logDirectory(dataDir: string): string {
  return join(dataDir, 'write-ahead')
}

const FOLDERS = ['engine', 'write-ahead', 'definitions', 'damaged', 'answers']

/** @throws Error that names a file in the place of a folder of the data directory */
export function requireFolders(dataDir: string): void {
  const paths = FOLDERS.map((name) => join(dataDir, name))
  const file = paths.find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
  const remedy = 'restore the folder from a backup, or move the file away and start the service, which says what is missing'
  if (file !== undefined) throw new Error(`${file} is a file, and the service keeps a folder there: ${remedy}`)
}

export class DataDisk {
  /** The repairs that were made before the engine opened. */
  readonly repairs: readonly Repair[]
  readonly files: EngineFiles
  /** Whether a service ran here before. */
  readonly wasUsed: boolean
  readonly manifest: PartsManifest

  /**
   * Call this while no engine has the directory open.
   * @param engineDir a directory in the data directory, where copies and damaged files go
   * @throws ServiceError `storage_full` if there is no room for a new directory; Error if a table cannot be repaired
   */
  constructor(engineDir: string) {
    const dataDir = dirname(engineDir)
    requireFolders(dataDir)
    this.files = new EngineFiles(engineDir)
    this.wasUsed = this.files.definitions.tables().length > 0
    if (!this.wasUsed) requireSpace(dataDir, GROWTH_RESERVE_BYTES)
    mkdirSync(engineDir, { recursive: true, mode: 0o700 })
    const repairs = repairTables(this.files)
    this.manifest = new PartsManifest(this.files)
    const { path, isMissing } = this.manifest
    this.repairs = isMissing ? [...repairs, { did: 'restored', path, reason: NO_MANIFEST }] : repairs
  }

  /**
   * Makes the missing copies of definitions, for example after a start on a full disk.
   * @throws ServiceError `storage_full` if the engine could not write a definition
   */
  async keepDefinitions(): Promise<void> {
    // A service that starts on a full disk can still read, and its next start makes the copies.
    if (freeBytesOf(this.files.root) < SHRINK_RESERVE_BYTES) return
    const tables = new Set(this.files.definitions.tables().filter((table) => !isStagingTable(table)))
    for (const table of this.files.copies.tables()) if (!tables.has(table)) this.files.removeCopy(table)
    for (const table of tables) await this.files.copyDefinition(table)
  }

  /** @returns where the files of a table are that the engine does not have; its own directory if they were never set aside */
  placeOf(table: string): string {
    const { damagedDir } = this.files
    const names = existsSync(damagedDir) ? readdirSync(damagedDir) : []
    const name = names.sort().find((one) => one === table || one.startsWith(`${table}.`))
    return name === undefined ? this.files.root : join(damagedDir, name)
  }
}
