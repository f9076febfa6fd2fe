/**
 * Opens what an export reads and an import fills: a stopped service's data directory, databases that services share, or, for an
 * export, a running service. Deliberately not here: what is done with them.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findHolder } from '@deployment-annotations/event-store/embedded/embedded-engine'
import { openPlace } from '@deployment-annotations/event-store/open-store'
import type { Store } from '@deployment-annotations/event-store/stores/store'
import { createEventChunks, type EventChunks } from '@deployment-annotations/event-store/tables/event-chunks'
import { readOwners } from '@deployment-annotations/event-store/tables/ownership'
import type { Records } from '@deployment-annotations/records/database/records'
import { readSetting } from '@deployment-annotations/records/database/settings-records'
import { LEASE_MS, Lease } from '@deployment-annotations/records/leases/leases'
import { openRecords, recordsFile } from '@deployment-annotations/records/open-records'
import { type PlaceFlags, placeOfEvents } from '../flags/storage-flags.ts'

interface OpenStorage extends AsyncDisposable {
  records: Records
  tables: Store
  chunks: EventChunks
  /** Resolves when all events that were acknowledged are in their tables. */
  settle(): Promise<void>
  /** Whether no service can run on the place while it is open. */
  isStopped: boolean
  /** To be called before anything is imported. @throws Error when somebody else may import there by now */
  requireHeld(): void
}

/** @throws Error when nothing is there. Nothing is made. */
export async function openForExport(flags: PlaceFlags): Promise<OpenStorage> {
  const { data, postgres, clickhouse } = flags
  for (const [isElsewhere, path] of [
    [postgres, recordsFile(data)],
    [clickhouse, join(data, 'engine')],
  ] as const) {
    if (!isElsewhere && !existsSync(path))
      throw new Error(`there is nothing to export in ${data}: ${path} is missing; name the data directory with --data`)
  }
  return open(flags, requireOwned)
}

async function requireOwned(place: OpenStorage): Promise<OpenStorage> {
  const { tables, records } = place
  if ((await readSetting(records.read, 'importing')) !== undefined)
    throw new Error('an import into these records is not done: run annotation-service import again, with the same --from')
  const id = await readSetting(records.read, 'id')
  if (id !== undefined && (await readOwners(tables.engine)).includes(id)) return place
  throw new Error(
    'the events and the records there do not belong together: start the service on them once, which says what is wrong',
  )
}

/** Makes what is missing. */
export async function openForImport(flags: PlaceFlags): Promise<OpenStorage> {
  mkdirSync(flags.data, { recursive: true, mode: 0o700 })
  return open(flags, async (place) => {
    await requireNoService(place.records)
    return flags.clickhouse ? takeForImport(place) : place
  })
}

/** @param take says whether the place may be used, and as what */
async function open(flags: PlaceFlags, take: (place: OpenStorage) => Promise<OpenStorage>): Promise<OpenStorage> {
  const { data, clickhouse } = flags
  const holder = clickhouse ? undefined : findHolder(join(data, 'engine'))
  if (holder !== undefined)
    throw new Error(
      `the data directory ${data} is in use by process ${holder}; stop it, or export from the running service with --url`,
    )
  const records = await openRecords(data, flags.postgres)
  let tables: Store | undefined
  const close = async () => {
    await tables?.endWrites()
    await tables?.close()
    await records.close()
  }
  try {
    const store = await openPlace(placeOfEvents(flags), records)
    tables = store
    const opened = { records, tables: store, chunks: createEventChunks(store), settle: () => store.flush() }
    return await take({ ...opened, isStopped: !clickhouse, requireHeld: () => undefined, [Symbol.asyncDispose]: close })
  } catch (error) {
    await close()
    throw error
  }
}

/** Shorter than others, so that an import that was killed is soon continued. */
const IMPORT_LEASE = { leaseMs: 4_000, renewMs: 1_000 }
const AGAIN_MS = 250

/** Of two imports into shared databases one is refused. */
async function takeForImport(place: OpenStorage): Promise<OpenStorage> {
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
