/**
 * Opens what an export reads and an import fills: a stopped service's data directory, databases that services share, or, for an
 * export, a running service. Deliberately not here: what is done with them.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataDisk, logDirectory } from '@deployment-annotations/event-store/disk/data-disk'
import { findHolder, openEmbeddedEngine } from '@deployment-annotations/event-store/embedded/embedded-engine'
import type { Engine } from '@deployment-annotations/event-store/engine/engine'
import type { Cluster } from '@deployment-annotations/event-store/schema/event-table'
import { openServerEngine } from '@deployment-annotations/event-store/server/server-engine'
import { createEventChunks, type EventChunks } from '@deployment-annotations/event-store/tables/event-chunks'
import { createEventTables, type EventTables } from '@deployment-annotations/event-store/tables/event-tables'
import { readOwners } from '@deployment-annotations/event-store/tables/owner'
import { WriteAheadLog } from '@deployment-annotations/event-store/write/write-ahead-log'
import { LEASE_MS, Lease } from '@deployment-annotations/records/leases'
import { openRecords, recordsFile } from '@deployment-annotations/records/open-records'
import type { Records } from '@deployment-annotations/records/records'
import { readSetting } from '@deployment-annotations/records/settings-records'
import type { ClickHouseFlags, RecordsFlags } from '../storage-flags.ts'

/** As the flags of the service say it. */
export interface PlaceFlags extends RecordsFlags, ClickHouseFlags {}

export interface Place extends AsyncDisposable {
  engine: Engine
  records: Records
  tables: EventTables
  chunks: EventChunks
  cluster: Cluster | undefined
  /** Resolves when all events that were acknowledged are in their tables. */
  settle(): Promise<void>
  /** While it is open, no service can be. */
  isAlone: boolean
  /** To be called before anything is imported. @throws Error when somebody else may import there by now */
  requireHeld(): void
}

/** @throws Error when nothing is there. Nothing is made. */
export async function openForExport(flags: PlaceFlags): Promise<Place> {
  const { data, records, clickhouse } = flags
  for (const [isElsewhere, path] of [
    [records, recordsFile(data)],
    [clickhouse, join(data, 'engine')],
  ] as const) {
    if (!isElsewhere && !existsSync(path))
      throw new Error(`there is nothing to export in ${data}: ${path} is missing; name the data directory with --data`)
  }
  const place = await open(flags)
  try {
    await requireOwned(place)
    return place
  } catch (error) {
    await place[Symbol.asyncDispose]()
    throw error
  }
}

async function requireOwned({ engine, records }: Place): Promise<void> {
  if ((await readSetting(records.read, 'importing')) !== undefined)
    throw new Error('an import into these records is not done: run annotation-service import again, with the same --from')
  const id = await readSetting(records.read, 'id')
  if (id !== undefined && (await readOwners(engine)).includes(id)) return
  throw new Error(
    'the events and the records there do not belong together: start the service on them once, which says what is wrong',
  )
}

/** Makes what is missing. */
export async function openForImport(flags: PlaceFlags): Promise<Place> {
  mkdirSync(flags.data, { recursive: true, mode: 0o700 })
  const place = await open(flags)
  try {
    await requireNoService(place.records)
    return place.isAlone ? place : await takeForImport(place)
  } catch (error) {
    await place[Symbol.asyncDispose]()
    throw error
  }
}

async function open(flags: PlaceFlags): Promise<Place> {
  const { engine, tables, cluster } = await openEvents(flags)
  try {
    const records = await openRecords(flags.data, flags.records)
    return {
      engine,
      records,
      tables,
      chunks: createEventChunks(engine, cluster),
      cluster,
      settle: () => settleAll(records, tables, logDirectory(flags.data)),
      isAlone: !flags.clickhouse,
      requireHeld: () => undefined,
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

/** What a service left in its write-ahead log. */
async function settleAll(records: Records, tables: EventTables, directory: string): Promise<void> {
  const { tryRows } = tables
  if (!tryRows) return
  const log = await WriteAheadLog.open({ directory, records, tables, tryRows })
  await log.flush().finally(() => log.close())
}

async function openEvents({
  data,
  clickhouse,
  clickhouseCluster,
}: PlaceFlags): Promise<Pick<Place, 'engine' | 'tables' | 'cluster'>> {
  const cluster = clickhouseCluster === undefined ? undefined : { name: clickhouseCluster }
  if (clickhouse) {
    const engine = await openServerEngine(clickhouse, cluster)
    return { engine, tables: createEventTables(engine, cluster), cluster }
  }
  const directory = join(data, 'engine')
  const holder = findHolder(directory)
  if (holder !== undefined)
    throw new Error(
      `the data directory ${data} is in use by process ${holder}; stop it, or export from the running service with --url`,
    )
  const disk = new DataDisk(directory)
  const engine = openEmbeddedEngine(directory)
  return { engine, tables: disk.openTables(engine), cluster: undefined }
}

/** Shorter than others, so that an import that was killed is soon continued. */
const IMPORT_LEASE = { leaseMs: 4_000, renewMs: 1_000 }
const AGAIN_MS = 250

/** Of two imports into shared databases one is refused. */
async function takeForImport(place: Place): Promise<Place> {
  const lease = new Lease(place.records, 'import', IMPORT_LEASE)
  for (const until = performance.now() + 2 * IMPORT_LEASE.leaseMs; !(await lease.tryAcquire()); await sleep(AGAIN_MS))
    if (performance.now() > until) throw new Error('another import into these databases is running')
  lease.keep()
  return {
    ...place,
    requireHeld() {
      if (!lease.isHeld) throw new Error('the records could not be reached for some seconds; run the same command again')
    },
    async [Symbol.asyncDispose]() {
      await lease[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
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
  throw new Error(`${live.length} services are running on these records; stop them, and after a crash wait ${LEASE_MS / 1_000} s`)
}
