/**
 * Repairs the engine's directory before it opens. A file that would keep the engine from opening is restored from its copy or moved
 * aside, never deleted: a full disk leaves definitions, versions and mutations of 0 bytes.
 * Deliberately not here: the data itself. The engine checks its parts when it opens, and detaches broken ones.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
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
  const tables = new Set([...files.definitions.tables(), ...files.copies.tables()])
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
  const own = files.definitions.read(table)
  const copy = files.copies.read(table)
  const kept = copy !== undefined && isWholeDefinition(copy) ? copy : undefined
  const definition = own !== undefined && isWholeDefinition(own, kept) ? own : kept
  const dataPath = files.dataPath(table, definition ?? '')
  // The table was dropped, and a crash left its copy.
  if (own === undefined && dataPath === undefined) return []

  const restore = (path: string, reason: string, write: () => void): Repair => {
    if (!isTrial) write()
    return { table, did: 'restored', path, reason }
  }
  const setAside = (paths: string[], reason: string): Repair => {
    const path = isTrial ? (paths[0] as string) : newDirectory(table, files.damagedDir)
    if (!isTrial) for (const from of paths) renameSync(from, join(path, basename(from)))
    return { table, did: 'set aside', path, reason }
  }
  const definitionPath = files.definitions.pathOf(table)
  if (definition === undefined || dataPath === undefined) {
    const reason =
      definition === undefined
        ? 'its definition cannot be read, and there is no copy of it'
        : 'the directory of its data is missing'
    // An empty table in its place would answer as if nothing had ever been stored.
    if (!REPLACEABLE.test(table))
      throw new Error(`${reason} (${definitionPath}); restore that file, or the data directory, from a backup`)
    // The data is moved first, because after a crash in between nothing would lead to it without the definition.
    return [setAside([dataPath ?? [], definitionPath].flat(), reason)]
  }
  const repairs: Repair[] = []
  if (definition !== own)
    repairs.push(restore(definitionPath, 'its definition could not be read', () => files.restoreDefinition(table)))
  const version = join(dataPath, 'format_version.txt')
  if (existsSync(version) && readFileSync(version, 'utf8').trim() !== FORMAT_VERSION) {
    const reason = 'the version of its format could not be read'
    repairs.push(restore(version, reason, () => writeOwnerFile(version, FORMAT_VERSION)))
  }
  const mutations = readdirSync(dataPath).filter((name) => /^mutation_\d+\.txt$/.test(name))
  for (const mutation of mutations.map((name) => join(dataPath, name)))
    if (!MUTATION.test(readFileSync(mutation, 'utf8')))
      repairs.push(setAside([mutation], 'a trim or change of retention that was not acknowledged'))
  return repairs
}

function newDirectory(table: string, damagedDir: string): string {
  for (let n = 1; ; n++) {
    const path = join(damagedDir, n === 1 ? table : `${table}.${n}`)
    if (existsSync(path)) continue
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  }
}
