/**
 * Repairs the engine's directory before it opens. A file that would keep the engine from opening is restored from its copy or moved
 * aside, never deleted: a full disk leaves definitions, versions and mutations of 0 bytes.
 * Deliberately not here: the data itself. The engine checks its parts when it opens, and detaches broken ones.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeOwnerFile } from '@deployment-annotations/runtime/owner-file'
import type { Definitions } from './definitions.ts'
import { brokenMutations, type EngineFiles, isReplaceable, isWholeDefinition } from './engine-files.ts'

export interface Repair {
  /** Absent if it is about all tables. */
  table?: string
  did: 'restored' | 'set aside'
  /** The restored file, or the place where the files are now. */
  path: string
  reason: string
}

interface RepairParts {
  files: EngineFiles
  definitions: Definitions
  /** Where damaged files are moved, into one directory for each table. */
  damagedDir: string
  /** If true, nothing is changed, and the result is what would be done. */
  isTrial?: boolean
}

/** The content of the file that the engine writes for a new table; all tables of this program have this version. */
const FORMAT_VERSION = '1'

/** @throws Error that names the file if a table that everything depends on is damaged and has no copy */
export function repairTables(parts: RepairParts): Repair[] {
  const tables = new Set([...parts.files.tables(), ...parts.definitions.tables()])
  return [...tables].sort().flatMap((table) => {
    try {
      return repairTable(table, parts)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`the table ${table} is damaged and cannot be repaired: ${reason}`, { cause })
    }
  })
}

function repairTable(table: string, parts: RepairParts): Repair[] {
  const { files, definitions } = parts
  const own = files.readDefinition(table)
  const copy = definitions.read(table)
  const kept = copy !== undefined && isWholeDefinition(copy) ? copy : undefined
  const definition = own !== undefined && isWholeDefinition(own, kept) ? own : kept
  const dataPath = files.dataPath(table, definition)
  const isThere = dataPath !== undefined && existsSync(dataPath)
  // The table was dropped, and a crash left its copy.
  if (own === undefined && !isThere) return []
  if (definition === undefined)
    return [setAside(table, dataPath, 'its definition cannot be read, and there is no copy of it', parts)]
  if (!isThere) return [setAside(table, undefined, 'the directory of its data is missing', parts)]

  const repairs: Repair[] = []
  if (definition !== own) {
    if (!parts.isTrial) definitions.restore(table)
    repairs.push({ table, did: 'restored', path: files.definitionPath(table), reason: 'its definition could not be read' })
  }
  const version = join(dataPath, 'format_version.txt')
  if (existsSync(version) && readFileSync(version, 'utf8').trim() !== FORMAT_VERSION) {
    if (!parts.isTrial) writeOwnerFile(version, FORMAT_VERSION)
    repairs.push({ table, did: 'restored', path: version, reason: 'the version of its format could not be read' })
  }
  for (const mutation of brokenMutations(dataPath)) {
    const from = join(dataPath, mutation)
    const path = parts.isTrial ? from : join(newDirectory(table, parts.damagedDir), mutation)
    if (!parts.isTrial) renameSync(from, path)
    repairs.push({ table, did: 'set aside', path, reason: 'a trim or change of retention that was not acknowledged' })
  }
  return repairs
}

/** @param dataPath absent if there is no data */
function setAside(table: string, dataPath: string | undefined, reason: string, parts: RepairParts): Repair {
  const { files, damagedDir, isTrial } = parts
  const definition = files.definitionPath(table)
  // An empty table in its place would answer as if nothing had ever been stored.
  if (!isReplaceable(table)) throw new Error(`${reason} (${definition}); restore that file, or the data directory, from a backup`)
  if (isTrial) return { table, did: 'set aside', path: dataPath ?? definition, reason }
  const path = newDirectory(table, damagedDir)
  // The data is moved first, because after a crash in between nothing would lead to it without the definition.
  if (dataPath !== undefined && existsSync(dataPath)) renameSync(dataPath, join(path, basename(dataPath)))
  rmSync(files.linkPath(table), { force: true })
  renameSync(definition, join(path, basename(definition)))
  return { table, did: 'set aside', path, reason }
}

function newDirectory(table: string, damagedDir: string): string {
  for (let n = 1; ; n++) {
    const path = join(damagedDir, n === 1 ? table : `${table}.${n}`)
    if (existsSync(path)) continue
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  }
}
