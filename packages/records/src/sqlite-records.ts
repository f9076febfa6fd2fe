/**
 * The records in SQLite, inside the data directory.
 *
 * One connection writes. Transactions that wait are committed together (group commit): each in a savepoint of its own, all
 * with one sync of the disk, so that many small changes at a time cost little more than one. Another connection reads, and sees
 * only what is committed. SQLite works in this thread: a commit of a group takes about as long as the disk needs for a sync.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from '@deployment-annotations/runtime/concurrency/batcher'
import { RECORD_CHANGES } from '@deployment-annotations/runtime/concurrency/bounds'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { Kysely, type KyselyPlugin, type RootOperationNode, SelectQueryNode, SqliteDialect, sql } from 'kysely'
import { SOLE_LEADERSHIP } from './leases.ts'
import { migrate } from './migrations/migrations.ts'
import type { Records, RecordsDatabase } from './records.ts'
import { NodeSqlite } from './sqlite-database.ts'
import type { Tables } from './tables.ts'

/** Transactions of one commit: about as many as come while a sync is under way. */
const GROUP = { rows: 64, bytes: Number.POSITIVE_INFINITY }

/** How long a transaction waits for another process to end its own. */
const BEGIN_MS_MAX = 5_000
const BEGIN_AGAIN_MS = 5

interface Waiting {
  work(db: RecordsDatabase): Promise<unknown>
  isPatient: boolean
}

type Outcome = { value: unknown } | { error: unknown }

/** @throws Error when the file is no database, or a newer program wrote it */
export async function openSqliteRecords(file: string): Promise<Records> {
  const writing = new NodeSqlite(file)
  const write = connect(writing)
  try {
    // The library has neither lock nor transaction for SQLite: two processes would make one table twice, and a crash leave half of them.
    await alone(writing, () => migrate(write, { disableTransactions: true }))
  } catch (error) {
    await write.destroy()
    throw error
  }
  const read = connect(new NodeSqlite(file, { isReadOnly: true }))
  const groups = new Batcher<Waiting, Outcome>({
    work: (group) => translated(() => commitTogether(writing, write, group)),
    batchMax: GROUP,
    startsInOwnTurn: true,
    bound: RECORD_CHANGES,
    isPatient: ({ isPatient }) => isPatient,
  })
  return {
    read,
    async transaction<T>(work: (db: RecordsDatabase) => Promise<T>, wait?: 'soon') {
      const outcome = await groups.add({ work, isPatient: wait !== 'soon' })
      if ('error' in outcome) throw outcome.error
      return outcome.value as T
    },
    snapshot: (work) => translated(() => readOneState(file, work)),
    nowMs: sql<bigint>`cast(unixepoch('subsec') * 1000 as integer)`,
    leadership: () => SOLE_LEADERSHIP,
    makeLocal: (make) => make(),
    load: () => groups.load(),
    check: () => translated(async () => void (await read.selectFrom('versions').select('kind').limit(1).execute())),
    async close() {
      await groups.idle()
      await read.destroy()
      await write.destroy()
    },
  }
}

/** On a connection of its own: the one for reads is shared. */
async function readOneState<T>(file: string, work: (db: RecordsDatabase) => Promise<T>): Promise<T> {
  const database = new NodeSqlite(file, { isReadOnly: true })
  const db = connect(database)
  try {
    database.exec('BEGIN')
    return await work(db)
  } finally {
    await db.destroy()
  }
}

function connect(database: NodeSqlite): RecordsDatabase {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }), plugins: [new WithoutRowLocks()] })
}

/** A transaction of SQLite has the whole database to itself, and its language has no word for less. */
class WithoutRowLocks implements KyselyPlugin {
  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    if (!SelectQueryNode.is(node) || !node.endModifiers) return node
    const { endModifiers: _, ...rest } = node
    return rest
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result
  }
}

/** One that fails takes nothing with it but its own savepoint. */
async function commitTogether(
  database: NodeSqlite,
  db: RecordsDatabase,
  group: readonly Pick<Waiting, 'work'>[],
): Promise<Outcome[]> {
  return alone(database, async () => {
    const outcomes: Outcome[] = []
    for (const { work } of group) outcomes.push(await inSavepoint(database, () => work(db)))
    return outcomes
  })
}

/** As one transaction, to which the database belongs from its beginning: so it cannot meet another one halfway. */
async function alone<T>(database: NodeSqlite, task: () => Promise<T>): Promise<T> {
  await begin(database)
  try {
    const value = await task()
    database.exec('COMMIT')
    return value
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** Waits for another process, a subcommand for example, without holding up everything else here. */
async function begin(database: NodeSqlite): Promise<void> {
  for (const from = performance.now(); ; ) {
    try {
      return database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      if (!isBusy(error) || performance.now() - from > BEGIN_MS_MAX) throw error
      await sleep(BEGIN_AGAIN_MS)
    }
  }
}

async function inSavepoint(database: NodeSqlite, work: () => Promise<unknown>): Promise<Outcome> {
  database.exec('SAVEPOINT one')
  try {
    const value = await work()
    database.exec('RELEASE one')
    return { value }
  } catch (error) {
    // A full disk may have ended the whole transaction: this throws then, and the group fails together.
    database.exec('ROLLBACK TO one')
    database.exec('RELEASE one')
    return { error: translate(error) }
  }
}

function rollBack(database: NodeSqlite): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has rolled back by itself.
  }
}

/** SQLite's own numbers, of which the low byte is the family. */
const SQLITE_BUSY = 5
const SQLITE_FULL = 13
const SQLITE_IOERR_WRITE = 778
const SQLITE_IOERR_SHMSIZE = 4_874

function isBusy(error: unknown): boolean {
  return (((error ?? {}) as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY
}

async function translated<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw translate(error)
  }
}

function translate(cause: unknown): unknown {
  const { errcode } = (cause ?? {}) as { errcode?: number }
  if (errcode === undefined) return cause
  if (errcode === SQLITE_FULL || errcode === SQLITE_IOERR_WRITE || errcode === SQLITE_IOERR_SHMSIZE) {
    // Which of the two, only the first of the codes says.
    const what = errcode === SQLITE_FULL ? 'the disk is full' : 'the disk is full or has failed'
    return new ServiceError('storage_full', `${what}; nothing was stored`, { cause })
  }
  if (isBusy(cause)) {
    return new ServiceError('overloaded', 'another process has the records to itself; try again in a second', { cause })
  }
  return cause
}
