/**
 * `node bench/statements.ts`: statements that one request costs PostgreSQL and ClickHouse, alone and from 36 clients at once. They are those
 * that the servers themselves counted, less what an idle service sends. Times are not measured.
 */
import { hasClickHouse, startClickHouse } from '../__tests__/support/clickhouse-server.ts'
import { hasPostgres, startPostgres } from '../__tests__/support/postgres.ts'
import { type RunningService, startService } from '../__tests__/support/service.ts'

const IDLE_SECONDS = 5
const ALONE = 20
const CLIENTS = 36
const TOGETHER = 360

if (!hasPostgres || !hasClickHouse) throw new Error('this machine has no PostgreSQL or no ClickHouse server to start')

await using postgres = await startPostgres({ settings: { log_statement: 'all' } })
await using clickhouse = await startClickHouse()
await using service = await startService({ args: ['--records', await postgres.createDatabase(), '--clickhouse', clickhouse.url] })

/** What an idle service does in {@link IDLE_SECONDS}. */
let idle: Counted | undefined
let unique = 0
const post = (path: string, body: unknown, headers: Record<string, string> = {}) => {
  return { method: 'POST', path, body: JSON.stringify(body), headers }
}
const ingest = (dataset: string, event: object, headers?: Record<string, string>) =>
  post(`/v1/datasets/${dataset}/ingest`, [event], headers)
const REQUESTS: Readonly<Record<string, () => ReturnType<typeof post> | { method: 'GET'; path: string }>> = {
  'a list of annotations': () => ({ method: 'GET', path: '/v2/annotations?pageSize=10' }),
  'a new annotation': () => post('/v2/annotations', { datasets: ['web'], type: 'note' }),
  'one event': () => ingest('web', { a: 1 }),
  'one event, with a key': () => ingest('web', { a: 1 }, { 'Idempotency-Key': `key-${unique++}` }),
  'one event, with a new field': () => ingest(`fields-${unique++ % 16}`, { [`field_${unique}`]: 1 }),
  'one event, of a new dataset': () => ingest(`new-${unique++}`, { a: 1 }),
  'a query': () => post('/v1/datasets/_apl?format=tabular', { apl: "['web'] | count" }),
}

for (let i = 0; i < 16; i++) await send(service, ingest(`fields-${i}`, { a: 1 }))
await send(service, ingest('web', { a: 1 }))
idle = await count(() => new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1_000)))
console.log(
  `idle: ${(idle.statements / IDLE_SECONDS).toFixed(1)} statements a second to PostgreSQL, of which ${(idle.commits / IDLE_SECONDS).toFixed(1)} commit\n`,
)
console.log('| request | PostgreSQL, alone | of 36 clients | ClickHouse, alone | of 36 clients |\n|---|---|---|---|---|')
for (const [name, make] of Object.entries(REQUESTS)) {
  const alone = await count(async () => {
    for (let i = 0; i < ALONE; i++) await send(service, make())
  })
  const together = await count(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let i = 0; i < TOGETHER / CLIENTS; i++) await send(service, make())
      }),
    ),
  )
  const each = ({ statements, inserts, selects }: Counted, requests: number) => [
    (statements / requests).toFixed(1),
    ((inserts + selects) / requests).toFixed(1),
  ]
  const [[pg = '', ch = ''], [pgs = '', chs = '']] = [each(alone, ALONE), each(together, TOGETHER)]
  console.log(`| ${name} | ${pg} | ${pgs} | ${ch} | ${chs} |`)
}

interface Counted {
  statements: number
  commits: number
  inserts: number
  selects: number
}

/** Counts what the servers did meanwhile; what an idle service does in that time is taken off. */
async function count(task: () => Promise<unknown>): Promise<Counted> {
  const before = await readCounts()
  const from = performance.now()
  await task()
  const seconds = (performance.now() - from) / 1_000
  const after = await readCounts()
  return {
    statements: Math.max(0, after.statements - before.statements - ((idle?.statements ?? 0) / IDLE_SECONDS) * seconds),
    commits: after.commits - before.commits,
    inserts: after.inserts - before.inserts,
    selects: after.selects - before.selects,
  }
}

async function readCounts(): Promise<Counted> {
  // The log is written by another process, and arrives a moment later.
  await new Promise((resolve) => setTimeout(resolve, 500))
  const statements = postgres.log.match(/LOG: {2}(?:statement|execute [^:]*): /g)?.length ?? 0
  const commits = postgres.log.match(/LOG: {2}(?:statement|execute [^:]*): commit/gi)?.length ?? 0
  const sql = "SELECT event, value FROM system.events WHERE event IN ('InsertQuery', 'SelectQuery') FORMAT JSONCompact"
  const answer = (await (await fetch(clickhouse.url, { method: 'POST', body: sql })).json()) as { data: [string, string][] }
  const counts = new Map(answer.data.map(([name, value]) => [name, Number(value)]))
  return { statements, commits, inserts: counts.get('InsertQuery') ?? 0, selects: (counts.get('SelectQuery') ?? 0) - 1 }
}

async function send(to: Pick<RunningService, 'url' | 'token'>, request: ReturnType<(typeof REQUESTS)[string]>): Promise<void> {
  const { method, path, ...rest } = request
  const { body, headers = {} } = rest as { body?: string; headers?: Record<string, string> }
  const answer = await fetch(`${to.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${to.token}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  if (answer.status === 429 || answer.status === 503) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return send(to, request)
  }
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${text}`)
}
