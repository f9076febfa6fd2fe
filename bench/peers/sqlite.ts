/** SQLite in this process: each event as a JSON document beside its time, which has the only index. */
import { DatabaseSync } from 'node:sqlite'
import { COMMON, type Dialect } from './dialect.ts'
import type { Row, System } from './system.ts'

const DIALECT: Dialect = {
  ...COMMON,
  text: (field) => `(data->>'${field}')`,
  number: (field) => `(data->>'${field}')`,
  time: (iso) => `'${iso}'`,
  bin: (minutes) => `unixepoch(_time) / ${minutes * 60} * ${minutes * 60}`,
  p95: () => undefined,
  hasWord: (value, word) => `${value} LIKE '%${word}%'`,
  contains: (value, part) => `${value} LIKE '%${part}%'`,
}

export async function openSqlite(folder: string): Promise<System> {
  const database = new DatabaseSync(`${folder}.sqlite`)
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -262144; PRAGMA mmap_size = 4294967296',
  )
  database.exec(
    'CREATE TABLE IF NOT EXISTS events (_time TEXT, data TEXT); CREATE INDEX IF NOT EXISTS events_time ON events (_time)',
  )
  const insert = database.prepare("INSERT INTO events SELECT value->>'_time', value FROM json_each(?)")
  const number = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0])
  return {
    name: 'SQLite, JSON',
    version: String(Object.values(database.prepare('SELECT sqlite_version()').get() ?? {})[0]),
    promise: 'its log synced (synchronous = FULL)',
    writers: 1,
    async insert(body) {
      insert.run(body.toString())
    },
    async settle() {
      database.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
      return number('PRAGMA page_count') * number('PRAGMA page_size')
    },
    async prepare(question, constants) {
      const sql = question.sql(constants, DIALECT)
      return sql === undefined ? undefined : async () => database.prepare(sql).all() as Row[]
    },
    async [Symbol.asyncDispose]() {
      database.close()
    },
  }
}
