/**
 * A table for the rows of one large request: filled piece by piece in bounded memory, then joined to the dataset in one step,
 * so that a large request too is stored all or none, whenever the process ends. What a crash leaves is dropped at start.
 * On a cluster there is no such step, and pieces go to the dataset as they come.
 */
import { randomBytes } from 'node:crypto'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../errors.ts'
import type { Rows } from '../ingest/row-writer.ts'
import type { Engine } from '../store/engine.ts'
import { type Cluster, createEventTable, dropEventTable } from '../store/schema/event-table.ts'
import type { Dataset } from './dataset.ts'
import type { EventWriter, Refused } from './event-writer.ts'

export interface Staging {
  put(rows: Rows): Promise<Refused[]>
  /** Makes all rows part of the dataset at once; they are on disk and visible then. */
  join(): Promise<void>
  drop(): Promise<void>
}

/** Large requests at a time; each holds a piece in memory and a merge in the engine. */
const STAGINGS_MAX = 4

export interface StagingRoom {
  /** @throws ServiceError `overloaded` when there are too many already */
  make(dataset: Dataset): Promise<Staging>
}

export function createStagingRoom(engine: Engine, writer: EventWriter, cluster?: Cluster): StagingRoom {
  let count = 0
  return {
    async make(dataset) {
      if (count >= STAGINGS_MAX) {
        throw new ServiceError(
          'overloaded',
          `${count} large requests are under way already; send this one again in a second, or in parts`,
        )
      }
      count++
      const table = `staging_${randomBytes(10).toString('hex')}`
      if (cluster)
        return { put: (rows) => writer.write({ dataset, rows }), join: async () => undefined, drop: async () => void count-- }
      try {
        for (const statement of createEventTable(table)) await engine.run(statement)
      } catch (error) {
        count--
        throw error
      }
      return {
        put: (rows) => writer.write({ dataset, table, rows }),
        async join() {
          await engine.run(`ALTER TABLE ${dataset.table} ATTACH PARTITION ID 'all' FROM ${table}`)
          await syncDirectories(engine, dataset.table)
        },
        async drop() {
          count--
          for (const statement of dropEventTable(table)) await engine.run(statement)
        },
      }
    },
  }
}

/** Joined parts are links to files that are on disk; that the links are there too is up to us. */
async function syncDirectories(engine: Engine, table: string): Promise<void> {
  const rows = await engine.select<{ path: string }>(
    'SELECT arrayJoin(data_paths) AS path FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
    { table },
  )
  for (const { path } of rows) {
    // A server's disk is not ours to sync.
    const parts = await readdir(path, { withFileTypes: true }).catch(() => [])
    for (const part of parts) if (part.isDirectory()) await sync(join(path, part.name))
    if (parts.length > 0) await sync(path)
  }
}

async function sync(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    // Merged away in the meantime: the part that replaced it is synced by the engine.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
