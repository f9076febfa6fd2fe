/**
 * Writes an export: the plan, the events chunk by chunk, the records, and at the end the sums over all of it. Killed at any moment
 * and run again, it goes on behind the last chunk that is on disk, by the plan it began with.
 * Deliberately not here: where it reads from; see source.ts.
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs'
import type { MovedTable } from '@deployment-annotations/records/database/all-records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import {
  type EventSums,
  type ExportDirectory,
  type FinishedExport,
  FORMAT,
  type ListedChunk,
  type Manifest,
} from './directory.ts'
import { lockExport } from './export-lock.ts'
import { type PlannedTable, RecordsBudget } from './export-plan.ts'
import { formatCount, type Progress, sumRows } from './progress.ts'
import { RowSums, toLine } from './record-lines.ts'
import type { ExportSource } from './source.ts'

interface ExportParts {
  source: ExportSource
  directory: ExportDirectory
  progress: Progress
  /** Ends it between two chunks. */
  signal: AbortSignal
}

/** Of one chunk, before compression: what both sides hold in memory a few times. */
const CHUNK_BYTES = 33_554_432
const FIRST_ROWS = 10_000
const CHUNK_ROWS_MAX = 250_000

/**
 * @returns what was exported
 * @throws Error when the directory has something else in it, or the source is not the one that the export began with
 */
export async function runExport(parts: ExportParts): Promise<FinishedExport> {
  parts.directory.make()
  using _lock = lockExport(parts.directory.path)
  const manifest = await beginExport(parts)
  return manifest.finished ?? (await goOn(parts, manifest))
}

async function goOn(parts: ExportParts, manifest: Manifest): Promise<FinishedExport> {
  const { source, directory, progress, signal } = parts
  const { tables } = manifest.plan
  const listed = new Map(tables.map(({ table }) => [table, directory.resumeChunks(table)]))
  const done = sumRows([...listed.values()].flat())
  if (done > 0) progress.say(`going on behind ${formatCount(done)} events that are exported already`)
  progress.begin('exporting', sumRows(tables) - done)
  const gone = new Set<string>()
  for (const planned of tables) {
    try {
      await exportTable(parts, manifest, planned, listed.get(planned.table) ?? [])
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error
      gone.add(planned.table)
    }
  }
  signal.throwIfAborted()
  const { tables: live, records } = await exportRecords(parts, manifest)
  const { recordsVersion } = await source.plan()
  if (recordsVersion !== manifest.plan.recordsVersion)
    throw new Error('the service was updated while it was exported; run the same command again, and it goes on from here')
  const events = tables.flatMap((planned) =>
    finishTable(directory, planned, { isLive: live.has(planned.table), isGone: gone.has(planned.table) }),
  )
  const finished = { at: new Date().toISOString(), records, events }
  directory.writeManifest({ ...manifest, finished })
  return finished
}

async function beginExport({ source, directory, progress }: ExportParts): Promise<Manifest> {
  const known = directory.readManifest()
  if (known?.finished) {
    progress.say(`${directory.path} has a finished export of ${known.finished.at}; nothing was done`)
    return known
  }
  if (!known && !directory.isNew())
    throw new Error(
      `${directory.path} is not empty, and has no export that could be continued; choose another directory with --to`,
    )
  const plan = await source.plan()
  if (known) {
    if (known.plan.source !== plan.source)
      throw new Error(`the export in ${directory.path} was begun from other records; choose another directory with --to`)
    // The records are still to be read, by the program as it is now.
    return { ...known, plan: { ...known.plan, program: plan.program, recordsVersion: plan.recordsVersion } }
  }
  const manifest = { format: FORMAT, id: randomUUID(), startedAt: new Date().toISOString(), plan }
  directory.writeManifest(manifest)
  return manifest
}

async function exportTable(parts: ExportParts, { plan }: Manifest, planned: PlannedTable, listed: ListedChunk[]): Promise<void> {
  const { source, directory, progress, signal } = parts
  const { table, dataset, rows, sysTimeNsMax } = planned
  let rowsMax = FIRST_ROWS
  for (;;) {
    signal.throwIfAborted()
    const before = listed.at(-1)
    if (before) rowsMax = nextRows(before)
    const chunk = await source.readChunk(table, { after: before?.last, sysTimeNsMax, rowsMax })
    if (!chunk) break
    const { body, ...rest } = chunk
    const file = `${String(listed.length + 1).padStart(6, '0')}.native.zst`
    listed.push(directory.addChunk(table, { file, ...rest }, body))
    progress.add(chunk.rows)
  }
  const exported = sumRows(listed)
  if (plan.isStopped && exported !== rows)
    throw new Error(
      `the dataset ${dataset} has ${formatCount(rows)} events, and ${formatCount(exported)} were exported; nothing else should use the data meanwhile`,
    )
  progress.say(`${dataset}: ${formatCount(exported)} events in ${listed.length} chunks`)
}

/** As many as will take about {@link CHUNK_BYTES}; not many more than last time, because the next ones may be larger. */
function nextRows({ rows, bytes }: ListedChunk): number {
  const fitting = Math.ceil((rows * CHUNK_BYTES) / Math.max(bytes, 1))
  return Math.min(fitting, Math.max(rows, 100) * 8, CHUNK_ROWS_MAX)
}

/** Writes a file for each table that has rows, also for those that only the version of a running service knows. */
async function exportRecords({ source, directory, progress }: ExportParts, { plan }: Manifest) {
  const fit = new RecordsBudget(plan)
  const files = new Map<MovedTable, { file: number; sums: RowSums }>()
  const open = (table: MovedTable) => {
    const opened = { file: openSync(directory.makeRecordsFile(table), 'w', 0o600), sums: new RowSums() }
    files.set(table, opened)
    return opened
  }
  await source.readRecords((table, row) => {
    const fitting = fit.fit(table, row)
    if (!fitting) return
    const line = toLine(fitting)
    const { file, sums } = files.get(table) ?? open(table)
    sums.add(line)
    appendFileSync(file, `${line}\n`)
  })
  const records: FinishedExport['records'] = {}
  for (const [table, { file, sums }] of files) {
    fsyncSync(file)
    closeSync(file)
    records[table] = { rows: sums.rows, sum: sums.sum }
  }
  progress.say(`records: ${formatCount(sumRows(Object.values(records)))} rows`)
  return { tables: fit.tables, records }
}

/** @returns the sums of a table; none when its dataset was deleted meanwhile, and then its chunks are removed */
function finishTable(
  directory: ExportDirectory,
  { table, dataset }: PlannedTable,
  { isLive, isGone }: { isLive: boolean; isGone: boolean },
): EventSums[] {
  if (!isLive) {
    directory.removeTable(table)
    return []
  }
  if (isGone) throw new Error(`the table ${table} of the dataset ${dataset} is not there, although the dataset is`)
  const chunks = directory.resumeChunks(table)
  return [{ table, dataset, rows: sumRows(chunks), chunks: chunks.length, listSha256: directory.hashList(table) }]
}
