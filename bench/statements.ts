/**
 * The statements that one request costs PostgreSQL and ClickHouse, alone and from 36 clients at once. They are those that the servers
 * themselves counted, less what an idle service sends. Times are not measured.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { hasClickHouse, startClickHouse } from '../__tests__/support/clickhouse-server.ts'
import { hasPostgres, startPostgres } from '../__tests__/support/postgres.ts'
import { startService } from '../__tests__/support/service.ts'
import { createClient, patiently, repeat, type Sent } from './support/client.ts'

const IDLE_SECONDS = 5
const ALONE = 20
const CLIENTS = 36
const TOGETHER = 360
const WIDE_DATASETS = 16

if (!hasPostgres || !hasClickHouse) throw new Error('this machine has no PostgreSQL or no ClickHouse server to start')

await using postgres = await startPostgres({ settings: { log_statement: 'all' } })
await using clickhouse = await startClickHouse()
await using service = await startService({
  args: ['--postgres', await postgres.createDatabase(), '--clickhouse', clickhouse.url],
})
const client = createClient(service, CLIENTS)

let unique = 0
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  client.post(path, Buffer.from(JSON.stringify(body)), 'application/json', headers)
const ingest = (dataset: string, event: object, headers?: Record<string, string>) =>
  post(`/v1/datasets/${dataset}/ingest`, [event], headers)
const REQUESTS: Readonly<Record<string, () => Promise<Sent>>> = {
  'a list of annotations': () => client.get('/v2/annotations?pageSize=10'),
  'a new annotation': () => post('/v2/annotations', { datasets: ['web'], type: 'note' }),
  'one event': () => ingest('web', { a: 1 }),
  'one event, with a key': () => ingest('web', { a: 1 }, { 'Idempotency-Key': `key-${unique++}` }),
  'one event, with a new field': () => ingest(`fields-${unique++ % WIDE_DATASETS}`, { [`field_${unique}`]: 1 }),
  'one event, of a new dataset': () => ingest(`new-${unique++}`, { a: 1 }),
  'a query': () => post('/v1/datasets/_apl?format=tabular', { apl: "['web'] | count" }),
}

await repeat(1, WIDE_DATASETS, (i) => ingest(`fields-${i}`, { a: 1 }))
await ingest('web', { a: 1 })
/** What an idle service does in a second. */
const idle = (await count(() => sleep(IDLE_SECONDS * 1_000))).statements / IDLE_SECONDS
console.log(`idle: ${idle.toFixed(1)} statements a second to PostgreSQL\n`)
console.log('| request | PostgreSQL, alone | of 36 clients | ClickHouse, alone | of 36 clients |\n|---|---|---|---|---|')
for (const [name, send] of Object.entries(REQUESTS)) {
  const alone = await each(1, ALONE, send)
  const together = await each(CLIENTS, TOGETHER, send)
  console.log(`| ${name} | ${alone.postgres} | ${together.postgres} | ${alone.clickhouse} | ${together.clickhouse} |`)
}
client.close()

/** @returns what a request cost, where so many clients sent so many in all; what an idle service does in that time is taken off */
async function each(clients: number, requests: number, send: () => Promise<Sent>) {
  const from = performance.now()
  const { statements, queries } = await count(() => repeat(clients, requests, () => patiently(send)))
  const idling = (idle * (performance.now() - from)) / 1_000
  const share = (of: number) => (Math.max(0, of) / requests).toFixed(1)
  return { postgres: share(statements - idling), clickhouse: share(queries) }
}

interface Counted {
  /** To PostgreSQL. */
  statements: number
  /** To ClickHouse. */
  queries: number
}

/** Counts what the servers did meanwhile. */
async function count(task: () => Promise<unknown>): Promise<Counted> {
  const before = await readCounts()
  await task()
  const after = await readCounts()
  // The first reading is counted in the second.
  return { statements: after.statements - before.statements, queries: after.queries - before.queries - 1 }
}

async function readCounts(): Promise<Counted> {
  // The log is written by another process, and arrives a moment later.
  await sleep(500)
  const statements = postgres.log.match(/LOG: {2}(?:statement|execute [^:]*): /g)?.length ?? 0
  const sql = "SELECT sum(value) FROM system.events WHERE event IN ('InsertQuery', 'SelectQuery') FORMAT JSONCompact"
  const answer = (await (await fetch(clickhouse.url, { method: 'POST', body: sql })).json()) as { data: [[string]] }
  return { statements, queries: Number(answer.data[0][0]) }
}
