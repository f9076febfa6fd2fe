/**
 * A table for the rows of one large request: filled piece by piece in bounded memory, then joined to the dataset in one step,
 * so that a large request too is stored all or none, whenever the process ends. What a crash leaves is dropped at start.
 * On a cluster there is no such step, and pieces go to the dataset as they come.
 */
import { randomBytes } from 'node:crypto'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../errors.ts'
import type { Engine } from '../store/engine.ts'
import { type Cluster, createEventTable, dropEventTable } from '../store/schema/event-table.ts'
import type { Dataset } from './dataset.ts'
import type { EventWriter, Refused } from './event-writer.ts'
import type { Rows } from './row-writer.ts'

export interface Staging {
  put(rows: Rows): Promise<Refused[]>
  /** Makes all rows part of the dataset at once; they are on disk and visible then. */
  join(): Promise<void>
  drop(): Promise<void>
}

/** Large requests at a time; each holds a piece in memory and a merge in the engine. */
const STAGINGS_MAX = 4
/** More wait with one piece each in memory, their senders held up, and then they are refused. */
const WAITING_MAX = 32

export interface StagingRoom {
  /** @throws ServiceError `overloaded` when there are too many already */
  make(dataset: Dataset): Promise<Staging>
}

export function createStagingRoom(engine: Engine, writer: EventWriter, cluster?: Cluster): StagingRoom {
  let count = 0
  const waiting: (() => void)[] = []
  const enter = async () => {
    if (count < STAGINGS_MAX) count++
    else if (waiting.length < WAITING_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
    else {
      throw new ServiceError(
        'overloaded',
        `${count + waiting.length} large requests are under way already; send this one again, or in parts`,
      )
    }
  }
  // A place that is given up goes to the one that waits longest.
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else count--
  }
  return {
    async make(dataset) {
      await enter()
      const table = `staging_${randomBytes(10).toString('hex')}`
      if (cluster)
        return { put: (rows) => writer.write({ dataset, rows }), join: async () => undefined, drop: async () => leave() }
      try {
        for (const statement of createEventTable(table)) await engine.run(statement)
      } catch (error) {
        leave()
        throw error
      }
      return {
        put: (rows) => writer.write({ dataset, table, rows }),
        async join() {
          await engine.run(`ALTER TABLE ${dataset.table} ATTACH PARTITION ID 'all' FROM ${table}`)
          await syncDirectories(engine, dataset.table)
        },
        async drop() {
          try {
            for (const statement of dropEventTable(table)) await engine.run(statement)
          } finally {
            leave()
          }
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
