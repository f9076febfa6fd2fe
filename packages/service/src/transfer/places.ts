/**
 * Opens what an export reads and an import fills: a stopped service's data directory, databases that services share, or, for an
 * export, a running service. Deliberately not here: what is done with them.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LEASE_MS } from '../records/leases.ts'
import { openRecords } from '../records/open-records.ts'
import type { Records } from '../records/records.ts'
import { DirectoryInUseError, openEmbeddedEngine } from '../store/embedded-engine.ts'
import type { Engine } from '../store/engine.ts'
import { createEventChunks, type EventChunks } from '../store/event-chunks.ts'
import { createEventTables, type EventTables } from '../store/event-tables.ts'
import type { Cluster } from '../store/schema/event-table.ts'
import { openServerEngine } from '../store/server-engine.ts'

/** As the flags of the service say it. */
export interface PlaceFlags {
  data: string
  records?: URL
  clickhouse?: URL[]
  clickhouseCluster?: string
}

export interface Place extends AsyncDisposable {
  engine: Engine
  records: Records
  tables: EventTables
  chunks: EventChunks
  cluster: Cluster | undefined
  /** While it is open, no service can be. */
  isAlone: boolean
}

/** @throws Error when nothing is there. Nothing is made. */
export async function openForExport(flags: PlaceFlags): Promise<Place> {
  const { data, records, clickhouse } = flags
  for (const [isElsewhere, path] of [
    [records, join(data, 'records.db')],
    [clickhouse, join(data, 'engine')],
  ] as const) {
    if (!isElsewhere && !existsSync(path))
      throw new Error(`there is nothing to export in ${data}: ${path} is missing; name the data directory with --data`)
  }
  return open(flags)
}

/** Makes what is missing. */
export async function openForImport(flags: PlaceFlags): Promise<Place> {
  mkdirSync(flags.data, { recursive: true, mode: 0o700 })
  const place = await open(flags)
  try {
    await requireNoService(place.records)
    return place
  } catch (error) {
    await place[Symbol.asyncDispose]()
    throw error
  }
}

async function open({ data, records: recordsUrl, clickhouse, clickhouseCluster }: PlaceFlags): Promise<Place> {
  const cluster = clickhouseCluster === undefined ? undefined : { name: clickhouseCluster }
  const engine = clickhouse ? await openServerEngine(clickhouse, cluster) : openEmbedded(data)
  try {
    const records = await openRecords(data, recordsUrl)
    return {
      engine,
      records,
      tables: createEventTables(engine, cluster),
      chunks: createEventChunks(engine, cluster),
      cluster,
      isAlone: !clickhouse,
      async [Symbol.asyncDispose]() {
        await engine.close()
        await records.close()
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

function openEmbedded(data: string): Engine {
  try {
    return openEmbeddedEngine(join(data, 'engine'))
  } catch (cause) {
    if (!(cause instanceof DirectoryInUseError)) throw cause
    throw new Error(
      `the data directory ${data} is in use by process ${cause.pid}; stop it, or export from the running service with --url`,
      { cause },
    )
  }
}

/** A service that shares the records would see them change under it. */
async function requireNoService({ read, nowMs }: Records): Promise<void> {
  const live = await read
    .selectFrom('leases')
    .select('name')
    .where('name', 'like', 'node/%')
    .where('expires_at_ms', '>', nowMs)
    .execute()
  if (live.length === 0) return
  throw new Error(
    `${live.length} services are running on these records; stop them, and after a crash wait ${LEASE_MS / 1_000} s`,
  )
}
