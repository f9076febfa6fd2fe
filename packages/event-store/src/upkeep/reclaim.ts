/**
 * Gives room on the disk back: of events that are older than their dataset keeps them, which the engine removes by itself in its own
 * time, and of those that were removed by a trim. Work of upkeep.ts, so it may be done again and interrupted anywhere.
 */
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Datasets } from '../datasets/datasets.ts'
import type { EventTables } from '../tables/event-tables.ts'

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
