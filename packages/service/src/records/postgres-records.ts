/**
 * The records in PostgreSQL, which several services may share. A transaction has a connection of its own; what it is about to
 * change it locks by row. Conflicts that PostgreSQL resolves by ending one of two transactions are tried again.
 */
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { RECORD_CHANGES } from '../concurrency/queue-bounds.ts'
import { Semaphore } from '../concurrency/semaphore.ts'
import { ServiceError } from '../errors.ts'
import { migrate } from './migrations/migrations.ts'
import { decodeText, EncodedTexts } from './postgres-text.ts'
import type { Records, RecordsDatabase } from './records.ts'
import type { Tables } from './tables.ts'

/** Connections of one service; ten services stay within a server's usual hundred. */
const CONNECTIONS_MAX = 8
const CONNECT_MS_MAX = 5_000
/** A statement that takes longer is ended by the server: ours are all small. */
const STATEMENT_MS_MAX = 10_000
const TRIES_MAX = 5

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
    idle_in_transaction_session_timeout: STATEMENT_MS_MAX,
    keepAlive: true,
    types,
  })
  // A connection that breaks while nobody uses it is replaced; without a listener it would end the process.
  pool.on('error', () => undefined)
  const db: RecordsDatabase = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new EncodedTexts()] })
  try {
    await migrate(db)
  } catch (cause) {
    await db.destroy()
    throw new Error(`the records at ${shown(url)} cannot be used: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  const places = new Semaphore(CONNECTIONS_MAX, RECORD_CHANGES)
  return {
    read: db,
    transaction: (work) => places.run(() => translated(url, () => runTransaction(db, work))),
    nowMs: sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    isShared: true,
    check: () => translated(url, async () => void (await sql`select 1`.execute(db))),
    async close() {
      await places.idle()
      await db.destroy()
    },
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

async function translated<T>(url: URL, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    const code = codeOf(cause)
    if (code === DISK_FULL)
      throw new ServiceError('storage_full', 'the disk of the records is full; nothing was stored', { cause })
    if (!isAway(code, cause)) throw cause
    throw new ServiceError('unavailable', `the records at ${shown(url)} cannot be reached; try again in a moment`, { cause })
  }
}

const DISK_FULL = '53100'
/** The server ends, starts, or has no connection left. */
const AWAY = new Set(['57P01', '57P02', '57P03', '53300', '57014'])

/** Errors of the network have codes of Node's or none; class 08 is PostgreSQL's own word for them. */
function isAway(code: string, error: unknown): boolean {
  if (AWAY.has(code) || code.startsWith('08') || /^E[A-Z_]{3,}$/.test(code)) return true
  return code === '' && error instanceof Error && /connection|timeout/i.test(error.message)
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}

/** Without user and password. */
function shown({ host, pathname }: URL): string {
  return `postgres://${host}${pathname}`
}
