/** DuckDB in this process, twice: with a column for each field, and with each event as a JSON document. */
import { statSync } from 'node:fs'
import { DuckDBInstance, version } from '@duckdb/node-api'
import { COMMON, type Dialect } from './dialect.ts'
import type { Row, System } from './system.ts'

const FIELDS = {
  _time: 'TIMESTAMP',
  level: 'VARCHAR',
  status: 'INTEGER',
  duration_ms: 'DOUBLE',
  method: 'VARCHAR',
  path: 'VARCHAR',
  region: 'VARCHAR',
  host: 'VARCHAR',
  client_ip: 'VARCHAR',
  user_id: 'INTEGER',
  bytes: 'INTEGER',
  trace_id: 'VARCHAR',
  message: 'VARCHAR',
}

const SHARED = {
  ...COMMON,
  time: (iso: string) => `TIMESTAMP '${iso.slice(0, -1)}'`,
  bin: (minutes: number) => `time_bucket(INTERVAL ${minutes} MINUTE, _time)`,
  p95: (value: string) => `quantile_cont(${value}, 0.95)`,
}

interface Form {
  readonly name: string
  readonly table: string
  /** Takes the body as its parameter. */
  readonly insert: string
  readonly dialect: Dialect
}

const COLUMNS: Form = {
  name: 'DuckDB, columns',
  table: Object.entries(FIELDS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
  insert: `INSERT INTO events SELECT e.* FROM (SELECT unnest(from_json($1, '${JSON.stringify([FIELDS])}')) AS e)`,
  dialect: { ...SHARED, text: (field) => field, number: (field) => field },
}

const DOCUMENTS: Form = {
  name: 'DuckDB, JSON',
  table: '_time TIMESTAMP, data JSON',
  insert: `INSERT INTO events SELECT CAST(e->>'_time' AS TIMESTAMP), e FROM (SELECT unnest(from_json($1, '["JSON"]')) AS e)`,
  dialect: { ...SHARED, text: (field) => `(data->>'${field}')`, number: (field) => `CAST(data->>'${field}' AS DOUBLE)` },
}

export const openDuckdbColumns = (folder: string) => open(`${folder}.duckdb`, COLUMNS)
export const openDuckdbDocuments = (folder: string) => open(`${folder}.duckdb`, DOCUMENTS)

async function open(path: string, { name, table, insert, dialect }: Form): Promise<System> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run(`CREATE TABLE IF NOT EXISTS events (${table})`)
  return {
    name,
    version: version(),
    promise: 'its log synced',
    writers: 1,
    async insert(body) {
      await connection.run(insert, [body.toString()])
    },
    async settle() {
      await connection.run('CHECKPOINT')
      return statSync(path).size
    },
    async prepare(question, constants) {
      const sql = question.sql(constants, dialect)
      if (sql === undefined) return undefined
      return async () => (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[]
    },
    async [Symbol.asyncDispose]() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
