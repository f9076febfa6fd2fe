/**
 * Repairs the engine's directory before it opens. A file that would keep the engine from opening is restored from its copy or moved
 * aside, never deleted: a full disk leaves definitions, versions and mutations of 0 bytes.
 * Deliberately not here: the data itself. The engine checks its parts when it opens, and detaches broken ones.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeOwnerFile } from '@deployment-annotations/runtime/owner-file'
import { type EngineFiles, isWholeDefinition } from './engine-files.ts'

export interface Repair {
  /** Absent if it is about all tables. */
  table?: string
  did: 'restored' | 'set aside'
  /** The restored file, or the place where the files are now. */
  path: string
  reason: string
}

/** The content of the file that the engine writes for a new table; all tables of this program have this version. */
const FORMAT_VERSION = '1'

/** The service can run without these: tables of events, staging tables, and the table without rows that marks the owner. */
const REPLACEABLE = /^(events|staging|records)_[a-z0-9]{8,40}$/

/** A file of a mutation that the engine can read. */
const MUTATION = /^format version: 1\ncreate time: .*\ncommands: .+\n$/s

/**
 * @param isTrial if true, nothing is changed, and the result is what would be done
 * @throws Error that names the file if a table that everything depends on is damaged and has no copy
 */
export function repairTables(files: EngineFiles, isTrial = false): Repair[] {
  const tables = new Set([...files.tables(), ...files.copiedTables()])
  return [...tables].sort().flatMap((table) => {
    try {
      return repairTable(table, files, isTrial)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`the table ${table} is damaged and cannot be repaired: ${reason}`, { cause })
    }
  })
}

function repairTable(table: string, files: EngineFiles, isTrial: boolean): Repair[] {
  const own = files.readDefinition(table)
  const copy = files.readCopy(table)
  const kept = copy !== undefined && isWholeDefinition(copy) ? copy : undefined
  const definition = own !== undefined && isWholeDefinition(own, kept) ? own : kept
  const path = files.dataPath(table, definition)
  const dataPath = path !== undefined && existsSync(path) ? path : undefined
  // The table was dropped, and a crash left its copy.
  if (own === undefined && dataPath === undefined) return []
  const reason =
    definition === undefined
      ? 'its definition cannot be read, and there is no copy of it'
      : 'the directory of its data is missing'
  if (definition === undefined || dataPath === undefined) return [setAside(table, reason, { files, dataPath, isTrial })]

  const repairs: Repair[] = []
  if (definition !== own) {
    if (!isTrial) files.restoreDefinition(table)
    repairs.push({ table, did: 'restored', path: files.definitionPath(table), reason: 'its definition could not be read' })
  }
  const version = join(dataPath, 'format_version.txt')
  if (existsSync(version) && readFileSync(version, 'utf8').trim() !== FORMAT_VERSION) {
    if (!isTrial) writeOwnerFile(version, FORMAT_VERSION)
    repairs.push({ table, did: 'restored', path: version, reason: 'the version of its format could not be read' })
  }
  for (const mutation of readdirSync(dataPath).filter((name) => /^mutation_\d+\.txt$/.test(name))) {
    const from = join(dataPath, mutation)
    if (MUTATION.test(readFileSync(from, 'utf8'))) continue
    const path = isTrial ? from : join(newDirectory(table, files.damagedDir), mutation)
    if (!isTrial) renameSync(from, path)
    repairs.push({ table, did: 'set aside', path, reason: 'a trim or change of retention that was not acknowledged' })
  }
  return repairs
}

interface DamagedFiles {
  files: EngineFiles
  /** Where the table's data is, if there is any. */
  dataPath: string | undefined
  isTrial: boolean
}

function setAside(table: string, reason: string, { files, dataPath, isTrial }: DamagedFiles): Repair {
  const definition = files.definitionPath(table)
  // An empty table in its place would answer as if nothing had ever been stored.
  if (!REPLACEABLE.test(table))
    throw new Error(`${reason} (${definition}); restore that file, or the data directory, from a backup`)
  if (isTrial) return { table, did: 'set aside', path: dataPath ?? definition, reason }
  const path = newDirectory(table, files.damagedDir)
  // The data is moved first, because after a crash in between nothing would lead to it without the definition.
  if (dataPath !== undefined) renameSync(dataPath, join(path, basename(dataPath)))
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
