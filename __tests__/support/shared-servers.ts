/**
 * Databases for a service on servers that somebody else has started: `.ci/with-servers.ts` says where they are. So the same tests run
 * with records in PostgreSQL, and on several services that share everything, which are then what `startService` starts.
 */
import { createHash } from 'node:crypto'

/** A URL with a user that may create databases; absent where records are in SQLite. */
const POSTGRES = process.env.TEST_POSTGRES
const CLICKHOUSE = process.env.TEST_CLICKHOUSE
/** How many services stand for one. */
export const SERVICES = Number(process.env.TEST_SERVICES ?? 1)

/** Whether a data directory alone is not all that a service keeps. */
export const isShared = POSTGRES !== undefined

/** What encrypts the secrets of integrations must be the same for all services that share them. */
export const SHARED_KEY = { ANNOTATION_SERVICE_ENCRYPTION_KEY: '5e'.repeat(32) }

/** @returns the variables that tell a service with this data directory where its databases are; they are made if need be */
export async function databasesOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const name = `test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  return {
    ...(POSTGRES && { ...SHARED_KEY, ANNOTATION_SERVICE_POSTGRES: await createRecords(POSTGRES, name) }),
    ...(CLICKHOUSE && { ANNOTATION_SERVICE_CLICKHOUSE: await createEvents(CLICKHOUSE, name) }),
  }
}

async function createRecords(server: string, name: string): Promise<string> {
  // Loaded only where it is needed: each file that starts a service loads this one.
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  // The second is what one of two that make it at one moment is told.
  const DUPLICATE_DATABASE = ['42P04', '23505']
  await client.query(`CREATE DATABASE ${name}`).catch((error: { code?: string }) => {
    if (!DUPLICATE_DATABASE.includes(String(error.code))) throw error
  })
  await client.end()
  return server.replace(/\/postgres(?=\?|$)/, `/${name}`)
}

async function createEvents(server: string, name: string): Promise<string> {
  const answer = await fetch(server, { method: 'POST', body: `CREATE DATABASE IF NOT EXISTS ${name}` })
  if (!answer.ok) throw new Error(`no database on ${server}: ${await answer.text()}`)
  return `${server}/${name}`
}
