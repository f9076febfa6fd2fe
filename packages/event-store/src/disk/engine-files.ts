/**
 * Where the embedded engine keeps the files of a table, as seen in version 26.7, and when such a file is whole.
 *
 *   metadata/default     a link to the directory with one definition per table, `<table>.sql`
 *   data/default/<table> a link to the directory of the table's data
 *   store/abc/abc…       a directory of data; its name is the UUID that the definition says
 *
 * The definitions are copied to `<data>/definitions/<table>.sql`, outside of the engine's directory. A full disk may leave the engine's own
 * file empty, and a power cut may lose it, because the engine syncs data but not definitions; the next start restores it from the copy
 * (repair.ts). Staging tables, which may be lost, have no copies.
 * Deliberately not here: what to do about a file that is not whole.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeOwnerFile } from '@deployment-annotations/runtime/owner-file'
import { storageFull } from './free-space.ts'

const DEFINITION =
  /^ATTACH TABLE _ UUID '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'\n.*\nENGINE = \w*MergeTree.*\nSETTINGS [^\n]+\n(?:COMMENT '[^\n]*'\n)?$/s

/** A directory with one definition for each table. */
class Definitions {
  readonly directory: string

  constructor(directory: string) {
    this.directory = directory
  }

  /** The tables that have a definition here, complete or not. */
  tables(): string[] {
    const names = existsSync(this.directory) ? readdirSync(this.directory) : []
    return names.flatMap((name) => (name.endsWith('.sql') ? name.slice(0, -'.sql'.length) : []))
  }

  pathOf(table: string): string {
    return join(this.directory, `${table}.sql`)
  }

  /** @returns the text; `undefined` if there is no file */
  read(table: string): string | undefined {
    return readIfThere(this.pathOf(table))
  }
}

export class EngineFiles {
  /** The engine's directory. */
  readonly root: string
  /** The data directory, with the engine's directory in it. */
  readonly dataDir: string
  /** Where damaged files are moved. */
  readonly damagedDir: string
  readonly definitions: Definitions
  readonly copies: Definitions

  constructor(root: string) {
    this.root = root
    this.dataDir = dirname(root)
    this.damagedDir = join(this.dataDir, 'damaged')
    this.definitions = new Definitions(join(root, 'metadata', 'default'))
    this.copies = new Definitions(join(this.dataDir, 'definitions'))
  }

  /** @returns the present definition. @throws ServiceError `storage_full` if it is incomplete, which a full disk leaves */
  requireDefinition(table: string): string {
    const text = this.definitions.read(table) ?? ''
    if (!isWholeDefinition(text)) throw storageFull(`the definition of ${table} could not be written`)
    return text
  }

  /**
   * Copies the present definition to disk.
   * @throws ServiceError `storage_full` if the engine's definition is incomplete, or there is no room for the copy
   */
  async copyDefinition(table: string): Promise<void> {
    if (this.requireDefinition(table) === this.copies.read(table)) return
    await this.#syncDirectories(table)
    const path = this.copies.pathOf(table)
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      // It is read again, because it may have been changed meanwhile.
      writeOwnerFile(path, this.requireDefinition(table))
    } catch (cause) {
      throw storageFull(`the definition of ${table} could not be copied`, cause)
    }
  }

  /** Restores the engine's definition, for which a full disk has room, too: its copy is moved. The start makes another copy. */
  restoreDefinition(table: string): void {
    renameSync(this.copies.pathOf(table), this.definitions.pathOf(table))
  }

  /** Call this before dropping the table, because a copy without a table is restored. */
  removeCopy(table: string): void {
    rmSync(this.copies.pathOf(table), { force: true })
  }

  /** @returns the directory of the table's data; `undefined` if there is none, or nothing leads to it */
  dataPath(table: string, definition = this.definitions.read(table)): string | undefined {
    const uuid = DEFINITION.exec(definition ?? '')?.[1]
    const path = uuid === undefined ? join(this.root, 'data', 'default', table) : join(this.root, 'store', uuid.slice(0, 3), uuid)
    // Without the UUID there is a link to the directory.
    return existsSync(path) ? realpathSync(path) : undefined
  }

  /**
   * Syncs what leads to a table, which the engine does not do: an acknowledged table must survive a power cut. Most file systems write
   * the directories that the engine made when it first opened with the first sync of anything; btrfs does not.
   */
  async #syncDirectories(table: string): Promise<void> {
    const made = ['metadata/default.sql', 'data/default', 'store'].map((path) => join(this.root, path))
    const data = this.dataPath(table) ?? []
    const paths = [...made, this.definitions.pathOf(table), realpathSync(this.definitions.directory)].concat(data)
    for (const path of new Set([...paths, ...paths.map(dirname), this.dataDir])) await syncIfThere(path)
  }

  /** Syncs the parts of a table that are links to files of another table; the files themselves are already synced. */
  async syncParts(table: string): Promise<void> {
    const path = this.dataPath(table)
    if (path === undefined) return
    for (const part of await readdir(path, { withFileTypes: true }))
      if (part.isDirectory()) await syncIfThere(join(path, part.name))
    await syncIfThere(path)
  }
}

/** @returns 0 if the definition has no retention */
export function retentionDaysOf(definition = ''): number {
  return Number(/^TTL _time \+ toIntervalDay\((\d+)\)$/m.exec(definition)?.[1] ?? 0)
}

export function isStagingTable(table: string): boolean {
  return table.startsWith('staging_')
}

/** @param kept the copy of the definition, if there is one; a beginning of it was cut off */
export function isWholeDefinition(text: string, kept?: string): boolean {
  return DEFINITION.test(text) && !(kept !== undefined && text.length < kept.length && kept.startsWith(text))
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Syncs a file or a directory. If a part is merged away meanwhile, the engine syncs the part that replaces it. */
export async function syncIfThere(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
