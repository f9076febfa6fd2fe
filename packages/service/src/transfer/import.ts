/**
 * Reads an export into an empty place: the events chunk by chunk, each exactly once and compared with what was exported; then the
 * records, all at once, after which the place may be used. Killed at any moment and run again, it goes on where it was, because the place
 * itself tells which chunks it has.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { EventChunks } from '@deployment-annotations/event-store/tables/event-chunks'
import type { EventTables } from '@deployment-annotations/event-store/tables/event-tables'
import { ensureRecordsId, readOwners, writeOwner } from '@deployment-annotations/event-store/tables/ownership'
import {
  INSERT_ROWS_MAX,
  insertRows,
  listFilled,
  type MovedTable,
  type RecordRow,
  readRows,
} from '@deployment-annotations/records/database/all-records'
import type { Records, RecordsDatabase } from '@deployment-annotations/records/database/records'
import { endImport, ensureSetting, readSetting } from '@deployment-annotations/records/database/settings-records'
import { insertAsOf, isKnownVersion, RECORDS_VERSION } from '@deployment-annotations/records/migrations/migrations'
import { VERSION } from '../version.ts'
import type { EventSums, ExportDirectory, FinishedExport, ListedChunk } from './directory.ts'
import { formatCount, type Progress, sumRows } from './progress.ts'
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
  const { directory, records, progress } = parts
  const { id, finished, plan } = readFinished(directory)
  if ((await claim(parts, id)) === 'finished') {
    progress.say('this export was imported here before; nothing was done')
    return finished
  }
  // Records are there all at once, with what ends them: after a kill between the two only this is left to do.
  if ((await readSetting(records.read, 'imported')) !== id) {
    await importEvents(parts, finished.events)
    parts.signal.throwIfAborted()
    parts.requireHeld()
    await records.transaction(async (db) => {
      await insertAsOf(plan.recordsVersion, db, () => insertRecords(db, parts, finished))
      await ensureSetting(db, 'imported', id)
    })
  }
  await applyRetention(parts)
  await records.transaction(endImport)
  progress.say(`records: ${formatCount(sumRows(Object.values(finished.records)))} rows`)
  return finished
}

/**
 * Makes the place that of an import. It must be empty, or already be that of the same import.
 * @param from the id of the export
 * @returns whether the import was finished before
 * @throws Error if there is any other data
 */
async function claim({ records, tables }: ImportParts, from: string): Promise<'finished' | 'claimed'> {
  const imported = await readSetting(records.read, 'imported')
  const importing = await readSetting(records.read, 'importing')
  if (imported === from && importing === undefined) return 'finished'
  if (importing !== from) await requireEmpty({ records, tables }, importing)
  const taken = await records.transaction((db) => ensureSetting(db, 'importing', from))
  if (taken !== from) throw new Error('another import into these records has begun at this moment')
  await writeOwner(tables, await records.transaction(ensureRecordsId))
  return 'claimed'
}

async function requireEmpty(
  { records, tables }: Pick<ImportParts, 'records' | 'tables'>,
  importing: string | undefined,
): Promise<void> {
  if (importing !== undefined) {
    throw new Error('an import of another export into these records is not done: finish that one, or begin with an empty place')
  }
  const filled = await listFilled(records)
  const eventTables = (await tables.list()).length
  const found = [
    ...(filled.length > 0 ? [`records (${filled.join(', ')})`] : []),
    ...(eventTables > 0 ? [`${eventTables} tables of events`] : []),
    ...((await readOwners(tables.engine)).length > 0 ? ['events of other records'] : []),
  ]
  if (found.length > 0)
    throw new Error(`an import needs an empty place, and there are ${found.join(' and ')}; nothing was changed there`)
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

async function importEvents(parts: ImportParts, tables: readonly EventSums[]): Promise<void> {
  const { directory, chunks, progress, signal } = parts
  progress.begin('importing', sumRows(tables))
  for (const sums of tables) {
    const { table, dataset, rows } = sums
    await parts.tables.create(table)
    await chunks.settle(table)
    for (const chunk of directory.readChunks(sums)) {
      signal.throwIfAborted()
      await importChunk(parts, { table, dataset, chunk })
      progress.add(chunk.rows)
    }
    const { rows: found } = await chunks.measure(table)
    if (found !== rows) throw differs(dataset, `it has ${formatCount(found)} events instead of ${formatCount(rows)}`)
    progress.say(`${dataset}: ${formatCount(rows)} events`)
  }
}

function differs(dataset: string, how: string): Error {
  return new Error(`the dataset ${dataset} is not what was exported: ${how}`)
}

interface OneChunk {
  table: string
  dataset: string
  chunk: ListedChunk
}

/** Whatever of it is there already, it is there once in the end, and as it was exported. */
async function importChunk({ chunks, directory, requireHeld }: ImportParts, { table, dataset, chunk }: OneChunk): Promise<void> {
  const file = directory.chunkFile(table, chunk)
  for (let tries = 0; ; tries++) {
    const there = await chunks.sum(table, chunk)
    if (there.rows === chunk.rows && there.whole === chunk.whole) return
    if (tries === TRIES_MAX)
      throw differs(
        dataset,
        `of ${file} there are ${formatCount(there.rows)} of ${formatCount(chunk.rows)} events, or other ones`,
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
