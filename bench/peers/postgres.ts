/** PostgreSQL, a server of its own: each event as a document (`jsonb`) beside its time, which has the only index. */
import pg from 'pg'
import { hasPostgres, startPostgres } from '../../__tests__/support/postgres.ts'
import type { Dialect, Row, System } from './system.ts'

const CLIENTS = 8
/** Room for all events in memory: what a server of its own would be given. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '4GB', work_mem: '64MB' }

const DIALECT: Dialect = {
  text: (field) => `(data->>'${field}')`,
  number: (field) => `(data->>'${field}')::float8`,
  time: (iso) => `TIMESTAMPTZ '${iso}'`,
  bin: (minutes) => `date_bin('${minutes} minutes', _time, TIMESTAMPTZ '2000-01-01')`,
  p95: (value) => `percentile_cont(0.95) WITHIN GROUP (ORDER BY ${value})`,
  distinct: (value) => `count(DISTINCT ${value})`,
  // The cheapest that answers the same, because no word of the events is a part of another.
  hasWord: (value, word) => `${value} ILIKE '%${word}%'`,
  contains: (value, part) => `${value} ILIKE '%${part}%'`,
}

/** @returns `undefined` where PostgreSQL is not installed */
export async function openPostgres(): Promise<System | undefined> {
  if (!hasPostgres) return undefined
  const server = await startPostgres({ settings: SETTINGS })
  const pool = new pg.Pool({ connectionString: server.url, max: CLIENTS })
  const select = async (sql: string): Promise<Row[]> => (await pool.query<Row>(sql)).rows
  await pool.query('CREATE TABLE events (_time timestamptz NOT NULL, data jsonb NOT NULL)')
  await pool.query('CREATE INDEX events_time ON events (_time)')
  const [named] = await select('SHOW server_version')
  return {
    name: 'PostgreSQL, jsonb',
    version: String(named?.server_version).split(' ')[0] as string,
    promise: 'its log synced',
    writers: CLIENTS,
    async insert(body) {
      const sql = "INSERT INTO events SELECT (e->>'_time')::timestamptz, e FROM jsonb_array_elements($1::jsonb) AS e"
      await pool.query({ name: 'insert', text: sql, values: [body.toString()] })
    },
    async settle() {
      await pool.query('VACUUM ANALYZE events')
      await pool.query('CHECKPOINT')
      const [sum] = await select("SELECT pg_total_relation_size('events') AS bytes")
      return Number(sum?.bytes)
    },
    async prepare(question, constants) {
      return () => select(question.sql(constants, DIALECT))
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
      await server[Symbol.asyncDispose]()
    },
  }
}
