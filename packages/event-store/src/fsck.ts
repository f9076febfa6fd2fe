/**
 * Checks everything that a place has of events, without a service: the write-ahead log, the engine's files, every table, and
 * what the records know of them. And makes the catalog again from the tables, whose comments say of which dataset each is.
 * Deliberately not here: the records themselves, and printing.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Records } from '@deployment-annotations/records/database/records'
import { readSetting, writeSetting } from '@deployment-annotations/records/database/settings-records'
import {
  addFields,
  listTables,
  NEW_SETTINGS,
  openDataset,
  readCatalogChanges,
  reserveDataset,
} from '@deployment-annotations/records/datasets/dataset-records'
import { type CommentedDataset, decodeComment } from './datasets/table-comment.ts'
import { requireFolders } from './disk/data-disk.ts'
import { EngineFiles, isStagingTable } from './disk/engine-files.ts'
import { NO_MANIFEST, type PartsManifest } from './disk/parts-manifest.ts'
import { repairTables } from './disk/repair.ts'
import { decodeKey, fieldName, IN_REST, TYPE_BITS, UNLISTED, UNSIGNED } from './fields/field.ts'
import type { Store } from './stores/store.ts'
import { findLacking, type LackingHost, listComments } from './tables/event-tables.ts'
import { readOwners } from './tables/ownership.ts'
import { findStrays } from './upkeep/upkeep.ts'
import { listNotes } from './write/log-damage.ts'
import { readLog } from './write/log-reading.ts'

/** Something that is damaged or unknown. */
export interface Finding {
  /** The file, table or dataset. */
  what: string
  problem: string
  /** What to do about it; absent if it was repaired. */
  remedy?: string
  /** Whether nothing else can be checked before. */
  isFatal?: boolean
}

/**
 * Checks the files of a data directory that no engine has open.
 * @param isRepairing whether to do what a start would do, which loses nothing: restore files from their copies, and move aside what keeps
 *   the engine from opening
 */
export async function checkFiles(dataDir: string, isRepairing: boolean): Promise<Finding[]> {
  requireFolders(dataDir)
  const files = new EngineFiles(join(dataDir, 'engine'))
  const { damagedDir } = files
  const isLogExpected = files.definitions.tables().length > 0
  const repairs = repairTables(files, !isRepairing).map(({ table, did, path, reason }): Finding => {
    const repair = { what: path, problem: `${reason} (${table}, ${did}${isRepairing ? '' : ' by a repair'})` }
    const remedy = 'run annotation-service fsck --repair, or start the service, which does the same'
    return isRepairing ? repair : { ...repair, remedy, isFatal: true }
  })
  const setAside = existsSync(damagedDir) ? readdirSync(damagedDir).filter((name) => name !== 'write-ahead') : []
  const earlier = setAside.map((name) => ({
    what: join(damagedDir, name),
    problem: 'it was damaged, and an earlier start kept it here',
    remedy: 'bring it back as docs/data.md says, or delete it',
  }))
  return [...(await checkLog(dataDir, isLogExpected)), ...repairs, ...earlier]
}

async function checkLog(dataDir: string, isExpected: boolean): Promise<Finding[]> {
  const noted = listNotes(dataDir)
  const found = (await readLog(dataDir, isExpected)).damages.filter(({ path }) => !noted.some((one) => one.path === path))
  return [...found, ...noted].map((damage) => {
    const { path, offset, reason, requests, isAtLeast } = damage
    const place = offset === undefined ? '' : `at byte ${offset}: `
    const missing = `acknowledged requests that may be missing: ${requests}${isAtLeast ? ' or more' : ''}`
    const remedy = noted.includes(damage)
      ? 'it was found before; delete its note in damaged/write-ahead/ when you have dealt with it'
      : 'send the requests of that time again with their Idempotency-Key; the next start keeps the file and counts them'
    return { what: path, problem: `${place}${reason}; ${missing}`, remedy }
  })
}

/** The part of a store that is checked. */
export interface CheckedTables extends Pick<Store, 'engine' | 'names' | 'list'> {
  /** If the store has one. */
  manifest?: PartsManifest
}

/** Checks every table, and the records' knowledge of them. */
export async function checkTables(tables: CheckedTables, records: Records): Promise<Finding[]> {
  const { engine, manifest } = tables
  const { datasets } = await readCatalogChanges(records.read, -1n)
  const names = new Map(datasets.map(({ table, name }) => [table, `dataset ${JSON.stringify(name)} (${table})`]))
  const nameOf = (table: string) => names.get(table) ?? table
  const there = (await tables.list()).filter((table) => !isStagingTable(table)).sort()
  const findings: Finding[] = []
  const add = (what: string, problem: string, remedy: string) => findings.push({ what, problem, remedy })

  if (manifest?.isMissing) add(manifest.path, NO_MANIFEST, 'nothing: it is made of the parts that are there')
  for (const [table, path] of (await manifest?.findLost(engine)) ?? [])
    add(
      nameOf(table),
      `${manifest?.rowsMissing(table, false)} events are missing with ${path}`,
      `restore the dataset from a backup; once you have dealt with it, delete ${manifest?.path}, which the next start makes again`,
    )
  for (const [table, on] of await findLacking(engine, tables.names, [...names.keys()])) {
    const hosts = on.map(({ host }) => host).join(', ')
    const isOnAll = tables.names.everywhere === ''
    const lost = manifest ? `, with ${manifest.rowsMissing(table, true)} events` : ''
    add(nameOf(table), `its table of events is missing${isOnAll ? lost : ` on ${hosts}`}`, remedyOf(on, isOnAll))
  }
  for (const table of (await findStrays({ tables, records })).unknown)
    add(
      table,
      'the records know nothing of this table of events, and nobody asked to drop it',
      'run annotation-service fsck --rebuild-catalog, or restore the records',
    )
  for (const table of there) findings.push(...(await checkTable(tables, table, nameOf(table))))
  return findings
}

/** @param on the hosts that lack a table, or the only host */
function remedyOf(on: readonly LackingHost[], isOnAll: boolean): string {
  if (isOnAll) return 'restore it from a backup, or delete the dataset'
  return on.every(({ hasPeer }) => hasPeer)
    ? 'nothing: a running service creates it again there, and the other replica of its shard sends the rows'
    : 'make it again there as docs/clickhouse.md says; a deletion of the dataset would delete its events on all servers'
}

/** The engine's texts go on with guesses. */
const MESSAGE_MAX = 200

/** Has the engine read all of a table and compare it with its checksums. */
async function checkTable({ engine, names }: CheckedTables, table: string, what: string): Promise<Finding[]> {
  const remedy = 'restore the dataset from a backup, or trim or delete it'
  try {
    const parts = await engine.select<{ part_path: string; is_passed: number | boolean; message: string }>(
      `CHECK TABLE ${names.rows(table)} SETTINGS check_query_single_value_result = 0`,
    )
    const broken = parts.filter(({ is_passed }) => !Number(is_passed))
    return broken.map(({ part_path, message }) => ({
      what,
      problem: `the part ${part_path} is damaged: ${message.slice(0, MESSAGE_MAX)}`,
      remedy,
    }))
  } catch (error) {
    return [{ what, problem: `it cannot be checked: ${(error as Error).message.slice(0, MESSAGE_MAX)}`, remedy }]
  }
}

/** What was made again. */
export interface Rebuilt {
  datasets: { name: string; table: string }[]
  /** How many fields of datasets that the records know. */
  fields: number
}

/**
 * Makes datasets for tables that the records know nothing of, and fields that the records lack. Nothing is removed, and no event is
 * changed. Empty records become those that own the events.
 */
export async function rebuildCatalog(tables: CheckedTables, records: Records): Promise<Rebuilt> {
  await takeOwnership(tables, records)
  const comments = await listComments(tables.engine)
  const { unknown } = await findStrays({ tables, records })
  const rebuilt: Rebuilt = { datasets: [], fields: 0 }
  for (const table of unknown) rebuilt.datasets.push({ table, name: await addDataset(records, table, comments.get(table) ?? '') })
  const { datasets, fields } = await readCatalogChanges(records.read, -1n)
  const known = new Map(fields.map((field) => [`${field.table}/${field.name}`, field.types]))
  for (const { table, mapFields } of datasets) {
    const found = await findFields(tables, table, decodeComment(comments.get(table) ?? '')?.fields ?? {}, mapFields)
    const missing = [...found].filter(([name, types]) => (types & ~(known.get(`${table}/${name}`) ?? 0)) !== 0)
    if (missing.length === 0) continue
    await records.transaction((db) => addFields(db, [{ table, fields: new Map(missing) }]))
    if (!unknown.includes(table)) rebuilt.fields += missing.length
  }
  return rebuilt
}

/** @throws Error if the records have datasets, and the events belong to others */
async function takeOwnership({ engine }: CheckedTables, records: Records): Promise<void> {
  const [owner] = await readOwners(engine)
  if (owner === undefined || owner === (await readSetting(records.read, 'id'))) return
  if ((await listTables(records.read)).length > 0)
    throw new Error('these records have datasets whose events are elsewhere: give the records of these events, or empty ones')
  await records.transaction((db) => writeSetting(db, 'id', owner))
}

/** @returns the name of the dataset: that of the comment, with a number if another dataset has it now */
async function addDataset(records: Records, table: string, text: string): Promise<string> {
  const nowMs = Date.now()
  const dataset: CommentedDataset = {
    name: `restored-${table.slice('events_'.length)}`,
    description: '',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    createdBy: '',
    retentionDays: 0,
    ...NEW_SETTINGS,
    ...decodeComment(text)?.dataset,
  }
  for (let number = 1; ; number++) {
    const name = number === 1 ? dataset.name : `${dataset.name}-${number}`
    const made = { ...dataset, name, table }
    const isMade = await records.transaction(async (db) => {
      const reserved = await reserveDataset(db, made)
      return reserved.dataset.table === table && (await openDataset(db, table, made))
    })
    if (isMade) return name
  }
}

/** The bits of the engine's types that a value of a field may have. */
const TYPES: Readonly<Record<string, number>> = {
  Int64: TYPE_BITS.integer,
  UInt64: TYPE_BITS.integer | UNSIGNED,
  Float64: TYPE_BITS.float,
  String: TYPE_BITS.string,
  Bool: TYPE_BITS.boolean,
  Array: TYPE_BITS.array,
}

/** @returns the fields that the comment names, and those that events have, which may be younger */
async function findFields(
  { engine }: CheckedTables,
  table: string,
  commented: Readonly<Record<string, number>>,
  mapFields: readonly string[],
): Promise<Map<string, number>> {
  const fields = new Map(Object.entries(commented))
  const paths = await engine.select<{ path: string; types: string[] }>(
    `SELECT tupleElement(one, 1) AS path, tupleElement(one, 2) AS types
FROM (SELECT arrayJoin(CAST(distinctJSONPathsAndTypes(data), 'Array(Tuple(String, Array(String)))')) AS one FROM ${table})`,
  )
  for (const { path, types } of paths) {
    const name = fieldName(path.split('.').map(decodeKey))
    if (mapFields.some((map) => name === map || name.startsWith(`${map}.`))) continue
    const [known, outer] = [fields.get(name) ?? 0, types.map((type) => type.replace('Nullable(', '').replace(/\W.*/, ''))]
    const all = outer.reduce((bits, type) => bits | (TYPES[type] ?? 0), known)
    if (all !== 0) fields.set(name, all)
  }
  const [isUnlisted] = await engine.select(`SELECT 1 FROM ${table} WHERE notEmpty(rest) LIMIT 1`)
  if (isUnlisted) fields.set(UNLISTED, IN_REST)
  return fields
}
