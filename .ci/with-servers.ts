/**
 * `node .ci/with-servers.ts postgres[,clickhouse] command…`: runs the command while these servers are there, and tells it where by
 * TEST_POSTGRES and TEST_CLICKHOUSE. A server that this machine cannot start ends it with a word, and without the command.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hasClickHouse, startClickHouse } from '../__tests__/support/clickhouse-server.ts'
import { hasPostgres, startPostgres } from '../__tests__/support/postgres.ts'

const [names = '', ...command] = process.argv.slice(2)
const wanted = new Set(names.split(','))

if ((wanted.has('postgres') && !hasPostgres) || (wanted.has('clickhouse') && !hasClickHouse)) {
  console.log(`skipped: this machine cannot start ${names}`)
} else {
  await using servers = new AsyncDisposableStack()
  const env: Record<string, string> = {}
  if (wanted.has('postgres')) env.TEST_POSTGRES = servers.use(await startPostgres()).url
  if (wanted.has('clickhouse')) env.TEST_CLICKHOUSE = servers.use(await startClickHouse()).url
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  const [code] = (await once(child, 'close')) as [number | null]
  process.exitCode = code ?? 1
}
