/**
 * What has to be done from time to time, by one service at a time: the one that has the lease. Each task may be done again and
 * may be interrupted anywhere. Deliberately not here: the retention of events, which the engine applies by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { describeError, type Log } from '../log.ts'
import { listTables } from '../records/dataset-records.ts'
import { Lease } from '../records/leases.ts'
import type { Records } from '../records/records.ts'
import type { EventTables } from '../store/event-tables.ts'

const EVERY_MS = 30_000

/** What is older than this is of no request under way. */
export const STRAY_MINUTES = 10

/** By its name in the log. */
export type UpkeepTasks = Readonly<Record<string, () => Promise<void>>>

/** Does the tasks now and again until the signal ends that. */
export async function runUpkeep(records: Records, tasks: UpkeepTasks, log: Log, signal: AbortSignal): Promise<void> {
  await using lease = new Lease(records, 'upkeep')
  await lease.tryAcquire().catch(() => false)
  lease.keep()
  while (!signal.aborted) {
    for (const [task, run] of Object.entries(tasks)) {
      if (!lease.isHeld || signal.aborted) break
      await run().catch((error: unknown) => log.error({ event: 'error', task, cause: describeError(error) }))
    }
    await sleep(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/**
 * Drops tables that no dataset and no request has: of datasets that were removed, and what a crash left. Names are in the records
 * before their table is made, so the tables are listed first.
 * @param minutes only tables that were made at least so long ago: longer than a request may take, whose staging table has no record yet
 */
export async function dropStrays(tables: EventTables, records: Records, minutes: number): Promise<void> {
  const there = await tables.list(minutes)
  const known = new Set([...(await listTables(records.read)), ...(await listStagingTables(records))])
  for (const table of there) if (!known.has(table)) await tables.drop(table)
}

/** Tables in which requests under way collect their rows. */
async function listStagingTables({ read }: Records): Promise<string[]> {
  const rows = await read.selectFrom('ingest_requests').select('staging_table').where('staging_table', 'is not', null).execute()
  return rows.flatMap(({ staging_table }) => staging_table ?? [])
}
