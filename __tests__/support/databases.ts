/** What several services share: a ClickHouse server for events, and a database of a PostgreSQL server for records. */
import { test } from '@jest/globals'
import { hasClickHouse, startClickHouse } from './clickhouse-server.ts'
import { hasPostgres, startPostgres } from './postgres.ts'

/** Tests on one of these servers, or on both, are skipped where this machine has none, and that is said. */
export const testOnClickHouse = hasClickHouse ? test : test.skip
export const testOnPostgres = hasPostgres ? test : test.skip
export const testOnServers = hasClickHouse ? testOnPostgres : test.skip
if (testOnServers !== test) console.warn('skipped: this machine has no ClickHouse server or no PostgreSQL to start')

/** @param settings of PostgreSQL */
export async function startDatabases(settings: Readonly<Record<string, string>> = {}) {
  const [clickhouse, postgres] = await Promise.all([startClickHouse(), startPostgres({ settings })])
  const url = await postgres.createDatabase()
  return {
    postgres,
    url: new URL(url),
    /** The flags of a service that uses them. */
    args: ['--clickhouse', clickhouse.url, '--postgres', url],
    async [Symbol.asyncDispose]() {
      await Promise.all([clickhouse, postgres].map((server) => server[Symbol.asyncDispose]()))
    },
  }
}
