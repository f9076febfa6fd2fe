/**
 * `node bench/webhooks.ts`: durable deployment webhooks from 32 clients over HTTP, and bare creates of annotations beside them in
 * the same run, with the records in SQLite and, where a server can be started, in PostgreSQL. A first event is a create of an
 * annotation and of what is known of its deployment; an end is a change of both. Exits 1 where a target is missed.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { hasPostgres, startPostgres } from '../__tests__/support/postgres.ts'
import { type RunningService, runServiceCommand, startService } from '../__tests__/support/service.ts'
import { type Client, createClient, quantile, repeat, type Sent } from './ingest-load.ts'

const CLIENTS = 32
const SECONDS = 5
const PER_SECOND_MIN = 400
const SECRET = 'a secret for a benchmark only'
const CREATE = Buffer.from(
  JSON.stringify({ datasets: ['web'], type: 'deploy', title: 'shop production v2.4.0', description: 'd' }),
)

const rows: string[] = []
let isMissed = false

{
  await using service = await startService()
  await measure('SQLite', service)
}
if (hasPostgres) {
  await using server = await startPostgres()
  const args = ['--records', await server.createDatabase()]
  await using service = await startService({ args })
  await measure('PostgreSQL', service, args)
}
console.log(`\n| what | a second | of bare creates | p50 ms | p99 ms | wanted |\n|---|---|---|---|---|---|\n${rows.join('\n')}`)
if (isMissed) process.exitCode = 1

async function measure(where: string, service: RunningService, args: readonly string[] = []): Promise<void> {
  await makeIntegration(service, args)
  const client = createClient(service, CLIENTS)
  const begun: string[] = []
  const start = (deployment: string) => send(client, deployment, 'started', '2026-03-01T12:00:00Z')
  const first = () => {
    const deployment = randomUUID()
    begun.push(deployment)
    return start(deployment)
  }
  const end = (index: number) => send(client, begun[index % begun.length] ?? '', 'succeeded', `2026-03-01T12:05:00.${index}Z`)
  const again = (index: number) => start(begun[index % begun.length] ?? '')
  const bare = () =>
    client.post('/v2/annotations', CREATE).then((sent) => (sent.status === 201 ? { ...sent, status: 200 } : sent))

  await load(bare, 1)
  const creates = await load(bare, SECONDS)
  const share = ({ rate }: Load) => rate / creates.rate
  const note = (what: string, found: Load, isJudged: boolean) =>
    report(`${where}, ${what}`, found, share(found), isJudged ? PER_SECOND_MIN : 0)
  note('bare creates', creates, false)
  note('first events of a deployment', await load(first, SECONDS), true)
  note('ends', await load(end, SECONDS), true)
  note('repeats', await load(again, SECONDS), true)
  client.close()
}

async function makeIntegration({ dataDir }: RunningService, args: readonly string[]): Promise<void> {
  const flags = ['--platform', 'generic', '--datasets', 'web', '--secret-stdin', '--data', dataDir, ...args]
  const { exitCode, stderr } = await runServiceCommand(['integration', 'create', ...flags], {}, `${SECRET}\n`)
  if (exitCode !== 0) throw new Error(`integration create ended with ${exitCode}: ${stderr}`)
}

function send(client: Client, deployment: string, status: string, time: string): Promise<Sent> {
  const event = { deployment, status, time, project: 'shop', environment: 'production', version: 'v2.4.0' }
  const body = Buffer.from(JSON.stringify(event))
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')
  return client.postSigned('/v1/integrations/generic', body, { 'x-signature-256': `sha256=${signature}` })
}

interface Load {
  rate: number
  times: number[]
}

async function load(task: (index: number) => Promise<Sent>, seconds: number): Promise<Load> {
  const from = performance.now()
  const times = await repeat(CLIENTS, () => performance.now() - from < seconds * 1_000, task)
  return { rate: (times.length * 1_000) / (performance.now() - from), times }
}

function report(what: string, { rate, times }: Load, share: number, wanted: number): void {
  const [p50, p99] = [quantile(times, 0.5).toFixed(1), quantile(times, 0.99).toFixed(1)]
  isMissed ||= rate < wanted
  const target = wanted === 0 ? 'none' : `≥ ${wanted}${rate < wanted ? ' MISSED' : ''}`
  console.log(
    `${what}: ${Math.round(rate)} a second, ${share.toFixed(2)} of bare creates, p50 ${p50} ms, p99 ${p99} ms (wanted ${target})`,
  )
  rows.push(`| ${what} | ${Math.round(rate)} | ${share.toFixed(2)} | ${p50} | ${p99} | ${target} |`)
}
