/**
 * The records in SQLite, inside the data directory.
 * One connection writes. Waiting transactions are committed together (group commit): each has its own savepoint, and all share one sync
 * of the disk, so that many small changes cost little more than one. A second connection reads, and sees only committed data. SQLite
 * runs in this thread: a commit blocks it for about as long as the disk needs for a sync.
 */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from '@deployment-annotations/runtime/concurrency/batcher'
import { RECORD_CHANGES } from '@deployment-annotations/runtime/concurrency/bounds'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { Kysely, type KyselyPlugin, type RootOperationNode, SelectQueryNode, SqliteDialect, sql } from 'kysely'
import type { Records, RecordsDatabase } from '../database/records.ts'
import { WHOLE_SHARE } from '../leases/shares.ts'
import { migrate } from '../migrations/migrations.ts'
import type { Tables } from '../schema/tables.ts'
import { checkFile, NodeSqlite } from './sqlite-database.ts'

/** The most transactions of one commit, about as many as arrive during a sync. */
const GROUP = { rows: 64, bytes: Number.POSITIVE_INFINITY }

/** How long a transaction waits for another process to end its own. */
const BEGIN_MS_MAX = 5_000
const BEGIN_AGAIN_MS = 5

/**
 * A start compares the indexes of a file of this size with their tables, which takes a third of a second. A file of 340 MB with 500,000
 * annotations takes 1.7 s for that and 0.35 s without, so for a larger file only fsck does it.
 */
const INDEXES_CHECKED_BYTES_MAX = 67_108_864

interface WaitingTransaction {
  work(db: RecordsDatabase): Promise<unknown>
  isPatient: boolean
}

type Outcome = { value: unknown } | { error: unknown }

/** @throws Error that names the file if it is damaged or no database, or a newer program wrote it */
export async function openSqliteRecords(file: string): Promise<Records> {
  try {
    return await open(file)
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    const remedy = 'restore it from a backup; annotation-service fsck says what else is damaged'
    throw new Error(`the records in ${file} cannot be read (${(cause as Error).message}): ${remedy}`, { cause })
  }
}

async function open(file: string): Promise<Records> {
  const writing = new NodeSqlite(file)
  const write = connect(writing)
  let damage: string[]
  try {
    damage = checkFile(file, { isQuick: statSync(file).size > INDEXES_CHECKED_BYTES_MAX })
    // Kysely neither locks nor uses a transaction here for SQLite: two processes would create a table twice, and a crash would leave
    // half of them.
    await alone(writing, () => migrate(write, { disableTransactions: true }))
  } catch (error) {
    await write.destroy()
    throw error
  }
  const reading = new NodeSqlite(file, { isReadOnly: true })
  const read = connect(reading)
  const groups = new Batcher<WaitingTransaction, Outcome>({
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
    now: Date.now,
    // The file belongs to this process, and health finds out if another one is put in its place.
    epoch: sql<string>`'file'`,
    share: () => WHOLE_SHARE,
    makeLocal: (make) => make(),
    damage,
    load: () => groups.load(),
    check: () => translated(async () => void (await read.selectFrom('versions').select('kind').limit(1).execute())),
    async close() {
      await groups.idle()
      await read.destroy()
      await write.destroy()
    },
  }
}

/** Reads on a connection of its own, because the one for reads is shared. */
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

/** Removes `for update`, which SQLite does not know: a transaction there locks the whole database. */
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

/** A transaction that fails undoes only its own savepoint. */
async function commitTogether(
  database: NodeSqlite,
  db: RecordsDatabase,
  group: readonly Pick<WaitingTransaction, 'work'>[],
): Promise<Outcome[]> {
  return alone(database, async () => {
    const outcomes: Outcome[] = []
    for (const { work } of group) outcomes.push(await inSavepoint(database, () => work(db)))
    return outcomes
  })
}

/** Runs the task as one transaction that locks the database from its beginning, so that it cannot conflict halfway. */
async function alone<T>(database: NodeSqlite, task: () => Promise<T>): Promise<T> {
  await begin(database)
  try {
    const value = await task()
    database.exec('COMMIT')
    return value
  } catch (error) {
    // SQLite itself rolls back where the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Waits for another process, such as a subcommand, without blocking the event loop. */
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
    // A full disk may have ended the whole transaction. Then this throws, and the whole group fails.
    database.exec('ROLLBACK TO one')
    database.exec('RELEASE one')
    return { error: translate(error) }
  }
}

/** The result codes of SQLite, whose low byte is the primary code. */
const SQLITE_BUSY = 5
const SQLITE_FULL = 13
/** SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_FORMAT, SQLITE_NOTADB, and an incomplete page */
const DAMAGE = new Set([11, 14, 24, 26])
const SQLITE_IOERR_SHORT_READ = 522
const SQLITE_IOERR_WRITE = 778
const SQLITE_IOERR_SHMSIZE = 4_874

const codeOf = (error: unknown) => ((error ?? {}) as { errcode?: number }).errcode ?? 0

function isBusy(error: unknown): boolean {
  return codeOf(error) % 256 === SQLITE_BUSY
}

function isDamage(error: unknown): boolean {
  return DAMAGE.has(codeOf(error) % 256) || codeOf(error) === SQLITE_IOERR_SHORT_READ
}

async function translated<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw translate(error)
  }
}

function translate(cause: unknown): unknown {
  const code = codeOf(cause)
  if (code === SQLITE_FULL || code === SQLITE_IOERR_WRITE || code === SQLITE_IOERR_SHMSIZE) {
    // Only SQLITE_FULL says for certain that the disk is full.
    const what = code === SQLITE_FULL ? 'the disk is full' : 'the disk is full or has failed'
    return new ServiceError('storage_full', `${what}; nothing was stored`, { cause })
  }
  if (isDamage(cause)) {
    return new ServiceError('unavailable', 'the records are damaged; the operator of the service has to look at them', { cause })
  }
  if (isBusy(cause)) {
    return new ServiceError('overloaded', 'another process has the records to itself; try again in a second', { cause })
  }
  return cause
}
