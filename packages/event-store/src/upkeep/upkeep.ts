/**
 * Runs the maintenance tasks at intervals, in the one service that holds the lease for them. Each task may be repeated and may be
 * interrupted anywhere. Two of the tasks are also here: dropping stray tables, and freeing disk space.
 */
import type { Records } from '@deployment-annotations/records/database/records'
import { findTables, listTables } from '@deployment-annotations/records/datasets/dataset-records'
import { Lease } from '@deployment-annotations/records/leases/leases'
import { repeat } from '@deployment-annotations/runtime/concurrency/repeat'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import { crowdedText } from '../datasets/dataset.ts'
import { ageLimitNs, type Datasets } from '../datasets/datasets.ts'
import { encodeComment } from '../datasets/table-comment.ts'
import { isStagingTable } from '../disk/engine-files.ts'
import { ignoreFullDisk } from '../disk/free-space.ts'
import { ignoreMissing } from '../engine/engine-failures.ts'
import { type EventTables, listComments, listRetentions } from '../tables/event-tables.ts'

const EVERY_MS = 30_000

/** The tasks by their names in the log. */
export type UpkeepTasks = Readonly<Record<string, (log: Log) => Promise<void>>>

/** Says what a field is by its name, such as `level`; `undefined` where the name is not usual. */
export type KindOfField = (field: string) => string | undefined

/** What the tasks of a store need. */
export interface UpkeepParts {
  records: Records
  datasets: Datasets
  /** As in the options of the event store. */
  kindOfField: KindOfField | undefined
}

/** Runs the tasks at intervals until the signal aborts. */
export async function runUpkeep(records: Records, tasks: UpkeepTasks, log: Log, signal: AbortSignal): Promise<void> {
  if (Object.keys(tasks).length === 0) return
  await using lease = new Lease(records, 'upkeep')
  await lease.tryAcquire().catch(() => false)
  lease.keep()
  const runAll = async () => {
    for (const [task, run] of Object.entries(tasks)) {
      if (!lease.isHeld || signal.aborted) break
      await run(log).catch((error: unknown) => log.error({ event: 'error', task, cause: describeError(error) }))
    }
  }
  await repeat(runAll, EVERY_MS, signal)
}

/** Knows since when names have been seen each time, because the engine does not know the age of what they name. */
export class Sightings {
  #sinceMs = new Map<string, number>()

  /** @param names all that are seen now. @returns those that have been seen for so long */
  findStale(names: readonly string[], ageMs: number): string[] {
    const nowMs = performance.now()
    this.#sinceMs = new Map(names.map((name) => [name, this.#sinceMs.get(name) ?? nowMs]))
    return names.filter((name) => nowMs - (this.#sinceMs.get(name) ?? nowMs) >= ageMs)
  }
}

/** This is longer than a request may take, whose staging table has no record until all of its rows are there. */
const STRAY_MS_MIN = 600_000

/**
 * Tables that belong to no dataset and no request. Those of datasets that somebody removed are dropped, and so are staging tables, the
 * remains of a crash, none of whose rows was acknowledged. Any other one has events that the records lost, for example because an older
 * backup of them was restored: it is kept and named until somebody decides. A staging table is dropped after it has been
 * seen for a while.
 */
export class StrayTables {
  readonly #parts: { tables: EventTables; records: Records }
  readonly #seen = new Sightings()
  /** The tables of events that no record names, and that nobody asked to drop. */
  unknown: readonly string[] = []

  constructor(parts: { tables: EventTables; records: Records }) {
    this.#parts = parts
  }

  /** Looks for stray tables again. */
  async find(): Promise<{ removed: string[]; staging: string[] }> {
    const { unknown, ...strays } = await findStrays(this.#parts)
    this.unknown = unknown
    return strays
  }

  /**
   * Drops the tables of removed datasets, and staging tables.
   * @param staleMs how long a staging table must have been seen; 0, which drops all of them, before there are requests
   */
  async drop(staleMs = STRAY_MS_MIN): Promise<void> {
    const { removed, staging } = await this.find()
    for (const table of removed) await this.#parts.tables.drop(table)
    for (const table of this.#seen.findStale(staging, staleMs)) await this.#parts.tables.drop(table)
  }
}

/** Sorts the tables that belong to no dataset and no request. */
export async function findStrays({ tables, records }: { tables: Pick<EventTables, 'list'>; records: Records }) {
  // The tables are listed first, because names are recorded before their table is created.
  const there = await tables.list()
  const requests = await records.read.selectFrom('ingest_requests').select('staging_table').execute()
  const known = new Set([...(await listTables(records.read)), ...requests.map(({ staging_table }) => staging_table)])
  const strays = there.filter((table) => !known.has(table))
  const asked = new Set(await findTables(records.read, 'dropped_tables', strays))
  return {
    /** Of datasets that somebody removed. */
    removed: strays.filter((table) => asked.has(table)),
    staging: strays.filter(isStagingTable),
    unknown: strays.filter((table) => !isStagingTable(table) && !asked.has(table)).sort(),
  }
}

/** @returns the upkeep task that writes comments which have changed, and once the retentions that a crash kept from their tables */
export function createCommentTask(datasets: Datasets, tables: EventTables): () => Promise<void> {
  let known: Map<string, string> | undefined
  return async () => {
    if (!known) await datasets.applyRetentions(await listRetentions(tables.engine, tables.names))
    known ??= await listComments(tables.engine)
    for (const dataset of datasets.list()) {
      const comment = encodeComment(dataset)
      if (dataset.damagedAt !== undefined || known.get(dataset.table) === comment) continue
      await tables.setComment(dataset.table, comment).then(() => known?.set(dataset.table, comment), ignoreMissing)
    }
  }
}

/** How often people are told, and the fields that events have are looked for, for which the engine reads all of them. */
const FIELDS_EVERY_MS = 3_600_000

/** @returns the task that says which datasets have nearly all fields that they may have, and frees those that no event has any more */
export function createFieldsTask(datasets: Datasets): (log: Log) => Promise<void> {
  const lookedAtMs = new Map<string, number>()
  return async (log) => {
    for (const dataset of datasets.list()) {
      const { table, name, fields, damagedAt } = dataset
      const isRecent = performance.now() - (lookedAtMs.get(table) ?? Number.NEGATIVE_INFINITY) < FIELDS_EVERY_MS
      if (!fields.isCrowded || damagedAt !== undefined || isRecent) continue
      lookedAtMs.set(table, performance.now())
      log.warn({ event: 'many-fields', dataset: name, message: crowdedText(dataset) })
      if (fields.hasUnlisted) await datasets.freeFields(dataset).catch(ignoreMissing)
    }
  }
}

/** How often datasets are checked for parts that are too old; the smallest retention is a day. */
const EXPIRE_EVERY_MS = 600_000

interface ReclaimParts {
  datasets: Datasets
  tables: EventTables
  /** Asks the clock of the records itself, because what is dropped is gone. */
  readNow: () => Promise<number>
}

/** @returns the task that drops old parts and rewrites those with deleted rows */
export function createReclaim({ datasets, tables, readNow }: ReclaimParts): () => Promise<void> {
  let expiredAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - expiredAtMs >= EXPIRE_EVERY_MS) {
      const nowMs = await readNow()
      for (const { table, retentionDays, damagedAt } of datasets.list())
        if (retentionDays > 0 && damagedAt === undefined)
          await tables.dropOlder(table, ageLimitNs(nowMs, retentionDays)).catch(ignoreMissing)
      expiredAtMs = performance.now()
    }
    // Without room, parts cannot be rewritten now. Health and every refused request report that, and there may be room later.
    for (const table of await tables.listDeleted()) await tables.reclaim(table).catch(ignoreFullDisk)
  }
}
