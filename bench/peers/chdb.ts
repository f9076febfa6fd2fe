/** The engine of the service, bare: in this process, a table with a column for each field, SQL by hand, and no index. */
import { mkdirSync } from 'node:fs'
import { loadChdb } from '../../packages/event-store/src/embedded/chdb.ts'
import type { Dialect, Row, System } from './system.ts'

const TABLE = `CREATE TABLE IF NOT EXISTS events (
  _time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), level LowCardinality(String), status UInt16, duration_ms Float64, method LowCardinality(String),
  path String CODEC(ZSTD(1)), region LowCardinality(String), host LowCardinality(String), client_ip String CODEC(ZSTD(1)), user_id UInt32,
  bytes UInt32, trace_id String CODEC(ZSTD(1)), message String CODEC(ZSTD(1))
) ENGINE = MergeTree ORDER BY _time SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`

const DIALECT: Dialect = {
  text: (field) => field,
  number: (field) => field,
  time: (iso) => `parseDateTime64BestEffort('${iso}', 3, 'UTC')`,
  bin: (minutes) => `toStartOfInterval(_time, INTERVAL ${minutes} MINUTE)`,
  p95: (value) => `quantileDD(0.01, 0.95)(${value})`,
  distinct: (value) => `uniq(${value})`,
  hasWord: (value, word) => `hasTokenCaseInsensitive(${value}, '${word}')`,
  contains: (value, part) => `${value} ILIKE '%${part}%'`,
}

export async function openChdb(folder: string): Promise<System> {
  mkdirSync(folder, { recursive: true })
  const session = new (loadChdb().Session)(folder)
  const select = async (sql: string): Promise<Row[]> => {
    const text = (await session.queryAsync(`${sql} FORMAT JSONEachRow`)).text().trimEnd()
    return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Row)
  }
  const [named] = await select('SELECT version() AS version')
  await session.queryAsync(TABLE)
  return {
    name: 'chDB, columns',
    version: String(named?.version),
    promise: 'the files of the events and their folder synced',
    writers: 1,
    async insert(body) {
      await session.insert({
        table: 'events',
        values: body,
        format: 'JSONEachRow',
        settings: { date_time_input_format: 'best_effort' },
      })
    },
    async settle() {
      await session.queryAsync('OPTIMIZE TABLE events FINAL')
      const [sum] = await select("SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'events'")
      return Number(sum?.bytes)
    },
    async prepare(question, constants) {
      return () => select(question.sql(constants, DIALECT))
    },
    async [Symbol.asyncDispose]() {
      session.close()
    },
  }
}
