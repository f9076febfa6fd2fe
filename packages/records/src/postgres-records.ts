/**
 * The records in PostgreSQL, which several services may share. A transaction has a connection of its own; what it is about to
 * change it locks by row. Conflicts that PostgreSQL resolves by ending one of two transactions are tried again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { RECORD_CHANGES } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { Lease } from './leases.ts'
import { migrate } from './migrations/migrations.ts'
import { codeOf, isNotReadyYet, shownUrl, translatePostgresError } from './postgres-errors.ts'
import { translatePool } from './postgres-pool.ts'
import { decodeText, EncodedTexts } from './postgres-text.ts'
import type { Records, RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'

/** Connections of one service; ten services stay within a server's usual hundred. */
const CONNECTIONS_MAX = 8
const CONNECT_MS_MAX = 5_000
/** A statement that takes longer is ended by the server: ours are all small. */
const STATEMENT_MS_MAX = 10_000
/** A server that says nothing for this long, not even that a statement took too long, is not there. */
const SILENT_MS_MAX = 12_000
const TRIES_MAX = 5
/** How long a start waits for a server that starts itself, or is too busy to answer. */
const OPEN_MS_MAX = 30_000
const OPEN_AGAIN_MS = 500

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)
types.setTypeParser(pg.types.builtins.TEXT, decodeText)

/**
 * @param url `postgres://user:password@host:5432/database?sslmode=verify-full`; what it leaves out comes from `PGPASSWORD` and
 *   its like
 * @throws Error, without the password, when the server cannot be used, or a newer program wrote the records
 */
export async function openPostgresRecords(url: URL): Promise<Records> {
  const pool = new pg.Pool({
    connectionString: url.href,
    application_name: 'annotation-service',
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    statement_timeout: STATEMENT_MS_MAX,
    query_timeout: SILENT_MS_MAX,
    idle_in_transaction_session_timeout: STATEMENT_MS_MAX,
    keepAlive: true,
    types,
  })
  // A connection that breaks is replaced, and its user is told by what was asked. Without listeners, for those that nobody
  // uses and for those between two statements of a transaction, it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const dialect = new PostgresDialect({ pool: translatePool(pool, (error) => translatePostgresError(error, url)) })
  const db: RecordsDatabase = new Kysely<Tables>({ dialect, plugins: [new EncodedTexts()] })
  try {
    await migrateWhenReady(db)
  } catch (cause) {
    await db.destroy()
    throw new Error(`the records at ${shownUrl(url)} cannot be used: ${reasonOf(cause)}`, { cause })
  }
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
    leadership: (name) => new Lease(records, name),
    makeLocal: () => undefined,
    load: () => changes.load(),
    async check() {
      await sql`select 1`.execute(db)
    },
    async close() {
      await changes.idle()
      await db.destroy()
    },
  }
  return records
}

/** Not where nothing listens or the user is refused: that is a wrong address more often than a server that comes late. */
async function migrateWhenReady(db: RecordsDatabase): Promise<void> {
  for (const from = performance.now(); ; await sleep(OPEN_AGAIN_MS)) {
    try {
      return await migrate(db)
    } catch (error) {
      if (!isNotReadyYet(error) || performance.now() - from > OPEN_MS_MAX) throw error
    }
  }
}

/** Codes of PostgreSQL for a transaction that met another one: nothing of it was done, and it may be run again. */
const CONFLICTS = new Set(['40001', '40P01'])

async function runTransaction<T>(db: RecordsDatabase, work: (db: RecordsDatabase) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!CONFLICTS.has(codeOf(error)) || tries === TRIES_MAX) throw error
    }
  }
}

/** @returns what the server or the network said, rather than our word for it */
function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {}
  return cause instanceof Error ? cause.message || codeOf(cause) : String(cause)
}
