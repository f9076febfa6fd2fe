/**
 * The records in PostgreSQL, which several services may share. Each transaction has its own connection, and locks the rows that it will
 * change. Conflicts in which PostgreSQL ends one of two transactions are retried.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { RECORD_CHANGES } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type Records, type RecordsDatabase, readClock } from '../database/records.ts'
import { SharedClock } from '../leases/shared-clock.ts'
import { DividedShare } from '../leases/shares.ts'
import { areMade, migrate } from '../migrations/migrations.ts'
import type { Tables } from '../schema/tables.ts'
import { codeOf, isNotReadyYet, shownUrl, translatePostgresError } from './postgres-errors.ts'
import { translatePool } from './postgres-pool.ts'
import { decodeText, EncodedTexts } from './postgres-text.ts'

/** The most connections of one service; ten services stay within the usual limit of a hundred. */
const CONNECTIONS_MAX = 8
const CONNECT_MS_MAX = 5_000
/** A statement that takes longer has failed, and its connection is not used again. All statements of the service are small. */
const STATEMENT_MS_MAX = 12_000
const TRIES_MAX = 5
/** How long to wait at start for a server that is starting or too busy to answer. */
const OPEN_MS_MAX = 30_000
const OPEN_AGAIN_MS = 500

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)
types.setTypeParser(pg.types.builtins.TEXT, decodeText)

/**
 * @param url `postgres://user:password@host:5432/database?sslmode=verify-full`; missing parts come from variables such as `PGPASSWORD`
 * @throws Error, without the password, if the server cannot be used or a newer program wrote the records
 */
export async function openPostgresRecords(url: URL): Promise<Records> {
  const db = connect(url)
  try {
    await whenReady(() => migrate(db))
  } catch (cause) {
    await db.destroy()
    throw unusable(url, cause)
  }
  const clock: SharedClock = new SharedClock(() => readClock(records))
  const records = createRecords(db, clock)
  await clock.follow()
  return records
}

/** @returns whether records are there; nothing is made to find that out. @throws Error, without the password, if the server cannot be used */
export async function hasPostgresRecords(url: URL): Promise<boolean> {
  const db = connect(url)
  try {
    return await whenReady(() => areMade(db))
  } catch (cause) {
    throw unusable(url, cause)
  } finally {
    await db.destroy()
  }
}

function unusable(url: URL, cause: unknown): Error {
  return new Error(`the records at ${shownUrl(url)} cannot be used: ${reasonOf(cause)}`, { cause })
}

function connect(url: URL): RecordsDatabase {
  const pool = new pg.Pool({
    connectionString: url.href,
    application_name: 'annotation-service',
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: STATEMENT_MS_MAX,
    keepAlive: true,
    types,
  })
  // A broken connection is replaced, and whoever uses it gets the error from the statement. Without these listeners an error on an idle
  // connection, or between two statements of a transaction, would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const translated = translatePool(pool, (error) => translatePostgresError(error, url))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: translated }), plugins: [new EncodedTexts()] })
}

function createRecords(db: RecordsDatabase, clock: SharedClock): Records {
  const changes = new Gate({ ...RECORD_CHANGES, slots: CONNECTIONS_MAX })
  const records: Records = {
    read: db,
    async transaction(work, wait) {
      using _permit = await changes.acquire({ isPatient: wait !== 'soon' })
      return await runTransaction(db, work)
    },
    async snapshot(work) {
      using _permit = await changes.acquire({ isPatient: true })
      return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
    },
    nowMs: sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    now: () => clock.now(),
    epoch: EPOCH,
    share: (work) => new DividedShare(records, work),
    makeLocal: () => undefined,
    damage: [],
    load: () => changes.load(),
    async check() {
      await sql`select 1`.execute(db)
    },
    async close() {
      clock[Symbol.dispose]()
      await changes.idle()
      await db.destroy()
    },
  }
  return records
}

/** A standby and a server that was restored started at another time; a dump that is read in makes the tables in other files. */
const EPOCH = sql<string>`concat_ws('/', extract(epoch from pg_postmaster_start_time()), 'versions'::regclass::oid,
pg_relation_filenode('versions'))`

/** Waits only for a server that is not ready. If nothing listens or the user is refused, the address is probably wrong. */
async function whenReady<T>(task: () => Promise<T>): Promise<T> {
  for (const from = performance.now(); ; await sleep(OPEN_AGAIN_MS)) {
    try {
      return await task()
    } catch (error) {
      if (!isNotReadyYet(error) || performance.now() - from > OPEN_MS_MAX) throw error
    }
  }
}

/**
 * The codes of PostgreSQL for a conflict between transactions: nothing was done, and the transaction may be repeated. The last one is for a
 * row whose owner another transaction has removed meanwhile.
 */
const CONFLICTS = new Set(['40001', '40P01', '23503'])

async function runTransaction<T>(db: RecordsDatabase, work: (db: RecordsDatabase) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!CONFLICTS.has(codeOf(error)) || tries === TRIES_MAX) throw error
    }
  }
}

/** @returns the words of the server or the network instead of the translated ones */
function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {}
  return cause instanceof Error ? cause.message || codeOf(cause) : String(cause)
}
