/**
 * Data of an earlier version, taken over at the first start. Up to version 4 everything was in the engine and in two files; now the
 * records have it, and only events stay in the engine. It happens once, and whatever ends the process, the next start does the rest:
 *
 * 1. The engine is marked as that of these records, so that what lies there afterwards is known to be theirs.
 * 2. One transaction writes all of it into the records, together with the note that it did.
 * 3. What was taken over is removed: the version is raised first, so that an earlier program no longer opens the data, then
 *    the tables are dropped and the files put aside. With the note this may be done any number of times.
 *
 * A new place gets the note and the version too: what is put there later is not mistaken for data of its own.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureRecordsId } from '../events/claim.ts'
import type { Log } from '../log.ts'
import { Lease } from '../records/leases.ts'
import type { Records } from '../records/records.ts'
import { addSetting, readSetting } from '../records/settings-records.ts'
import { readDataVersion, writeDataVersion } from '../store/data-version.ts'
import type { Engine } from '../store/engine.ts'
import { createEventTables } from '../store/event-tables.ts'
import { readOwners, writeOwner } from '../store/owner.ts'
import type { Cluster } from '../store/schema/event-table.ts'
import { putAside, readEarlierFiles } from './earlier-files.ts'
import { dropEarlierTables, listEarlierTables } from './earlier-tables.ts'
import { writeRecords } from './write-records.ts'

interface TakeOver {
  engine: Engine
  records: Records
  dataDir: string
  cluster?: Cluster | undefined
  log: Log
}

/** @throws Error when the data is newer than this program, cannot be read, or belongs to other records; it is as it was then */
export async function takeOver(parts: TakeOver): Promise<void> {
  const { engine, records } = parts
  // Most starts have nothing to do, and wait for nobody.
  await using _turn = (await isDone(parts)) ? undefined : await acquireTurn(parts)
  const version = await readDataVersion(engine)
  const tables = await listEarlierTables(engine)
  if (tables.size > 0) await own(parts)
  if ((await readSetting(records.read, 'taken-over')) === undefined) await write(parts, tables, version)
  await removeEarlier(parts)
}

async function isDone({ engine, records }: TakeOver): Promise<boolean> {
  if ((await readSetting(records.read, 'taken-over')) === undefined) return false
  return (await listEarlierTables(engine)).size === 0
}

const AGAIN_MS = 200

/** Of several services that start at once, one takes over while the others wait. A directory's engine is open in one anyway. */
async function acquireTurn({ engine, records }: TakeOver): Promise<AsyncDisposable | undefined> {
  if (!engine.isServer) return undefined
  const lease = new Lease(records, 'take-over')
  while (!(await lease.tryAcquire())) await sleep(AGAIN_MS)
  lease.keep()
  return lease
}

/** Before the records have any of it: a process that finds the tables later knows whose they are. */
async function own({ engine, records, cluster }: TakeOver): Promise<void> {
  const id = await ensureRecordsId(records)
  const owners = await readOwners(engine)
  if (owners.includes(id)) return
  if (owners.length > 0 || (await readSetting(records.read, 'taken-over')) !== undefined) {
    throw new Error(
      'an earlier version made the data there, and these records are not the ones to take it over, because they have data of their own already: give it new records, with another --data or --records',
    )
  }
  await writeOwner(engine, id, cluster)
}

async function write({ engine, records, dataDir, cluster, log }: TakeOver, tables: ReadonlySet<string>, version: number) {
  const files = readEarlierFiles(dataDir)
  const isNew = tables.size === 0 && files.hashes.length === 0
  const events = createEventTables(engine, cluster)
  const counts = await records.transaction(async (db) => {
    if (!(await addSetting(db, 'taken-over', isNew ? 'none' : String(version)))) return undefined
    await addSetting(db, 'taken-over-files', JSON.stringify(files.hashes))
    return writeRecords(db, { engine, events, tables, files })
  })
  if (counts && !isNew) log.info({ event: 'taken over', version, ...counts })
}

/** May be repeated. */
async function removeEarlier({ engine, records, dataDir, log }: TakeOver): Promise<void> {
  await writeDataVersion(engine)
  await dropEarlierTables(engine)
  const hashes = JSON.parse((await readSetting(records.read, 'taken-over-files')) ?? '[]') as string[]
  for (const path of putAside(dataDir, hashes)) {
    const message = `${path} is not used: an earlier version wrote it, and these records were made without it; make anew what you miss, and remove the file`
    log.warn({ event: 'warning', message })
  }
}
