/**
 * Reads an export into an empty place: the events chunk by chunk, each exactly once; then everything is compared with what was
 * exported; then the records, all at once, after which the place may be used. Killed at any moment and run again, it goes on where
 * it was, because the place itself tells which chunks it has.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { claimForImport } from '@deployment-annotations/event-store/datasets/claim'
import type { EventChunks } from '@deployment-annotations/event-store/tables/event-chunks'
import type { EventTables } from '@deployment-annotations/event-store/tables/event-tables'
import {
  INSERT_ROWS_MAX,
  insertRows,
  type MovedTable,
  type RecordRow,
  readRows,
} from '@deployment-annotations/records/database/all-records'
import type { Records, RecordsDatabase } from '@deployment-annotations/records/database/records'
import { endImport, ensureSetting, readSetting } from '@deployment-annotations/records/database/settings-records'
import { insertAsOf, isKnownVersion, RECORDS_VERSION } from '@deployment-annotations/records/migrations/migrations'
import { VERSION } from '../version.ts'
import type { EventSums, ExportDirectory, FinishedExport, ListedChunk } from './directory.ts'
import { formatCount, type Progress } from './progress.ts'
import { fromLine, RowSums, toLine } from './record-lines.ts'

interface ImportParts {
  directory: ExportDirectory
  records: Records
  tables: EventTables
  chunks: EventChunks
  /** See OpenStorage. */
  requireHeld(): void
  progress: Progress
  /** Ends it between two chunks. */
  signal: AbortSignal
}

/** An insert of before that was given up may still be under way on a server. */
const TRIES_MAX = 3

/** @throws Error when the export is not finished or damaged, the place is not empty, or what is there in the end is not what was exported */
export async function runImport(parts: ImportParts): Promise<FinishedExport> {
  try {
    return await importAll(parts)
  } finally {
    parts.progress.end()
  }
}

async function importAll(parts: ImportParts): Promise<FinishedExport> {
  const { directory, records, progress } = parts
  const { id, finished, plan } = readFinished(directory)
  if ((await claimForImport(parts, id)) === 'finished') {
    progress.say('this export was imported here before; nothing was done')
    return finished
  }
  // Records are there all at once, with what ends them: after a kill between the two only this is left to do.
  if ((await readSetting(records.read, 'imported')) !== id) {
    const lists = finished.events.map((sums) => ({ ...sums, list: directory.readChunks(sums) }))
    await importEvents(parts, lists)
    await compareEvents(parts, lists)
    parts.signal.throwIfAborted()
    parts.requireHeld()
    await records.transaction(async (db) => {
      await insertAsOf(plan.recordsVersion, db, () => insertRecords(db, parts, finished))
      await ensureSetting(db, 'imported', id)
    })
  }
  await applyRetention(parts)
  await records.transaction(endImport)
  progress.end()
  progress.say(`records: ${formatCount(Object.values(finished.records).reduce((sum, { rows }) => sum + rows, 0))} rows`)
  return finished
}

function readFinished(directory: ExportDirectory) {
  const manifest = directory.readManifest()
  if (!manifest) throw new Error(`there is no export in ${directory.path}: manifest.json is missing`)
  const { id, plan, finished } = manifest
  if (!finished)
    throw new Error(`the export in ${directory.path} is not finished; run annotation-service export again, with the same --to`)
  if (isKnownVersion(plan.recordsVersion)) return { id, finished, plan }
  throw new Error(
    `the export in ${directory.path} was written by version ${plan.program} (${plan.recordsVersion}), and this is version ${VERSION} (${RECORDS_VERSION}); install version ${plan.program} or later`,
  )
}

interface TableList extends EventSums {
  list: ListedChunk[]
}

async function importEvents(parts: ImportParts, tables: readonly TableList[]): Promise<void> {
  const { progress } = parts
  progress.begin('importing', total(tables))
  for (const { table, dataset, rows, list } of tables) {
    await parts.tables.create(table)
    await parts.chunks.settle(table)
    for (const chunk of list) {
      parts.signal.throwIfAborted()
      await importChunk(parts, { table, dataset, chunk })
      progress.add(chunk.rows)
    }
    progress.say(`${dataset}: ${formatCount(rows)} events`)
  }
}

interface OneChunk {
  table: string
  dataset: string
  chunk: ListedChunk
}

/** Whatever of it is there already, it is there once in the end. */
async function importChunk({ chunks, directory, requireHeld }: ImportParts, { table, dataset, chunk }: OneChunk): Promise<void> {
  const file = directory.chunkFile(table, chunk)
  for (let tries = 0; ; tries++) {
    const there = await chunks.sumKeys(table, chunk)
    if (there.rows === chunk.rows && there.keys === chunk.keys) return
    if (tries === TRIES_MAX)
      throw new Error(
        `${formatCount(chunk.rows)} events of ${file}, for the dataset ${dataset}, became ${formatCount(there.rows)} in the store`,
      )
    requireHeld()
    if (there.rows > 0) await chunks.remove(table, chunk)
    await requireWhole(file, chunk)
    await chunks.insert(table, resolve(file))
    await chunks.settle(table)
  }
}

async function requireWhole(file: string, { sha256 }: ListedChunk): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} is missing`)
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part as Buffer)
  if (hash.digest('hex') !== sha256)
    throw new Error(`${file} is damaged: it is not as the export wrote it; nothing of it was imported`)
}

/** Reads everything that was imported once more. */
async function compareEvents({ chunks, progress, signal }: ImportParts, tables: readonly TableList[]): Promise<void> {
  progress.begin('comparing', total(tables))
  for (const { table, dataset, rows, list } of tables) {
    for (const chunk of list) {
      signal.throwIfAborted()
      const { rows: found, keys, whole } = await chunks.sum(table, chunk)
      if (found !== chunk.rows || keys !== chunk.keys || whole !== chunk.whole)
        throw new Error(
          `the dataset ${dataset} is not what was exported: its events of ${chunk.file} differ (${formatCount(found)} of ${formatCount(chunk.rows)} are there)`,
        )
      progress.add(chunk.rows)
    }
    const { rows: all } = await chunks.measure(table)
    if (all !== rows)
      throw new Error(
        `the dataset ${dataset} is not what was exported: it has ${formatCount(all)} events instead of ${formatCount(rows)}`,
      )
  }
}

const total = (tables: readonly TableList[]) => tables.reduce((sum, { rows }) => sum + rows, 0)

/** Part of a transaction that has all of it, the comparison too, so that nobody sees a part. It may be run again. */
async function insertRecords(db: RecordsDatabase, { directory }: ImportParts, finished: FinishedExport): Promise<void> {
  for (const table of Object.keys(finished.records) as MovedTable[]) {
    let rows: RecordRow[] = []
    for await (const line of createInterface({ input: createReadStream(directory.recordsFile(table)) })) {
      rows.push(fromLine(line))
      if (rows.length < INSERT_ROWS_MAX) continue
      await insertRows(db, table, rows)
      rows = []
    }
    await insertRows(db, table, rows)
    await compareRecords(db, table, finished)
  }
}

async function compareRecords(db: RecordsDatabase, table: MovedTable, { records }: FinishedExport): Promise<void> {
  const sums = new RowSums()
  for await (const row of readRows(db, table)) sums.add(toLine(row))
  const { rows = 0, sum = new RowSums().sum } = records[table] ?? {}
  if (sums.rows !== rows || sums.sum !== sum)
    throw new Error(
      `the records ${table} are not what was exported: ${formatCount(sums.rows)} rows instead of ${formatCount(rows)}, or other ones`,
    )
}

/** After the comparison, because events that are too old by now are removed by it. */
async function applyRetention({ records, tables }: ImportParts): Promise<void> {
  const datasets = await records.read.selectFrom('datasets').select(['table_name', 'retention_days']).execute()
  for (const { table_name: table, retention_days: days } of datasets)
    if (days > 0n) await tables.setRetention(table, Number(days))
}
