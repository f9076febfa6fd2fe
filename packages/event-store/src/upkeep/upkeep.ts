/**
 * The work that has to be done from time to time, by one service at a time: the one that has the lease. Each task may be done again and
 * may
 * be interrupted anywhere. Here are the loop, and two of its tasks: dropping tables that nothing needs, and giving room on the disk
 * back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { listTables } from '@deployment-annotations/records/dataset-records'
import { Lease } from '@deployment-annotations/records/leases'
import type { Records } from '@deployment-annotations/records/records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { Datasets } from '../datasets/datasets.ts'
import type { EventTables } from '../tables/event-tables.ts'

const EVERY_MS = 30_000

/** By its name in the log. */
export type UpkeepTasks = Readonly<Record<string, (log: Log) => Promise<void>>>

/** Does the tasks now and again until the signal ends that. */
export async function runUpkeep(records: Records, tasks: UpkeepTasks, log: Log, signal: AbortSignal): Promise<void> {
  if (Object.keys(tasks).length === 0) return
  await using lease = new Lease(records, 'upkeep')
  await lease.tryAcquire().catch(() => false)
  lease.keep()
  while (!signal.aborted) {
    for (const [task, run] of Object.entries(tasks)) {
      if (!lease.isHeld || signal.aborted) break
      await run(log).catch((error: unknown) => log.error({ event: 'error', task, cause: describeError(error) }))
    }
    await sleep(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Longer than a request may take, whose staging table has no record before all of its rows are there. */
const STRAY_MS_MIN = 600_000

/**
 * Tables that no dataset and no request has: of datasets that were removed, and what a crash left. The engine does not say how old a
 * table is, so one is dropped when it has been seen for a while.
 */
export class StrayTables {
  readonly #parts: { tables: EventTables; records: Records }
  readonly #seenSinceMs = new Map<string, number>()

  constructor(parts: { tables: EventTables; records: Records }) {
    this.#parts = parts
  }

  /** To be called before there are requests: drops all of them. */
  async dropAll(): Promise<void> {
    for (const table of await this.#list()) await this.#parts.tables.drop(table)
  }

  /** Drops those that have been there for longer than any request. */
  async dropOld(): Promise<void> {
    const strays = await this.#list()
    const nowMs = performance.now()
    for (const table of this.#seenSinceMs.keys()) if (!strays.includes(table)) this.#seenSinceMs.delete(table)
    for (const table of strays) {
      const sinceMs = this.#seenSinceMs.get(table) ?? nowMs
      this.#seenSinceMs.set(table, sinceMs)
      if (nowMs - sinceMs >= STRAY_MS_MIN) await this.#parts.tables.drop(table)
    }
  }

  async #list(): Promise<string[]> {
    const { tables, records } = this.#parts
    // Names are in the records before their table is made, so the tables are listed first.
    const there = await tables.list()
    const known = new Set([...(await listTables(records.read)), ...(await listStagingTables(records))])
    return there.filter((table) => !known.has(table))
  }
}

/** Tables in which requests under way collect their rows. */
async function listStagingTables({ read }: Records): Promise<string[]> {
  const rows = await read.selectFrom('ingest_requests').select('staging_table').where('staging_table', 'is not', null).execute()
  return rows.flatMap(({ staging_table }) => staging_table ?? [])
}

const DAY_NS = 86_400_000_000_000n
/** How often datasets are looked at for parts that are too old; the smallest retention is a day. */
const EXPIRE_EVERY_MS = 600_000

interface ReclaimParts {
  datasets: Datasets
  tables: EventTables
  clock: () => number
}

/** @returns the task */
export function createReclaim({ datasets, tables, clock }: ReclaimParts): () => Promise<void> {
  let expiredAtMs = Number.NEGATIVE_INFINITY
  const expire = async () => {
    for (const { table, retentionDays, damagedAt } of datasets.list()) {
      if (retentionDays === 0 || damagedAt !== undefined) continue
      await tables.dropOlder(table, BigInt(clock()) * 1_000_000n - BigInt(retentionDays) * DAY_NS)
    }
  }
  return async () => {
    if (performance.now() - expiredAtMs >= EXPIRE_EVERY_MS) {
      await expire()
      expiredAtMs = performance.now()
    }
    for (const table of await tables.listDeleted()) await tables.reclaim(table).catch(ignoreFullDisk)
  }
}

/** There is no room to write parts again now; health and every refused request say so, and later there may be. */
function ignoreFullDisk(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'storage_full')) throw error
}
