/**
 * `node bench/webhooks.ts`: durable deployment webhooks from 32 clients over HTTP, and bare creates of annotations beside them in
 * the same run, with the records in SQLite and, where a server can be started, in PostgreSQL. A first event is a create of an
 * annotation and of what is known of its deployment; an end is a change of both. Exits 1 where a target is missed.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { INTEGRATIONS_PATH } from '@deployment-annotations/contract/integration'
import { hasPostgres, startPostgres } from '../__tests__/support/postgres.ts'
import { type RunningService, startService } from '../__tests__/support/service.ts'
import { type Client, cpuMs, createClient, quantile, repeat, type Sent } from './ingest-load.ts'

const CLIENTS = 32
const ROUNDS = 3
const SECONDS = 2
const PER_SECOND_MIN = 400
const SECRET = 'a secret for a benchmark only'
/** What encrypts it: records that services share have no file for that. */
const ENV = { ANNOTATION_SERVICE_SEAL_KEY: randomBytes(32).toString('hex') }
const CREATE = Buffer.from(
  JSON.stringify({ datasets: ['web'], type: 'deploy', title: 'shop production v2.4.0', description: 'd' }),
)

const rows: string[] = []
let isMissed = false

{
  await using service = await startService({ env: ENV })
  await measure('SQLite', service, PER_SECOND_MIN)
}
if (hasPostgres) {
  await using server = await startPostgres()
  const args = ['--records', await server.createDatabase()]
  await using service = await startService({ args, env: ENV })
  await measure('PostgreSQL', service)
}
console.log(
  `\n| what | a second | of bare creates | p50 ms | p99 ms | processor ms each | wanted |\n|---|---|---|---|---|---|---|\n${rows.join('\n')}`,
)
if (isMissed) process.exitCode = 1

async function measure(where: string, service: RunningService, wanted = 0): Promise<void> {
  await makeIntegration(service)
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

  const kinds = [
    { what: 'bare creates', task: bare, wanted: 0 },
    { what: 'first events of a deployment', task: first, wanted },
    { what: 'ends', task: end, wanted },
    { what: 'repeats', task: again, wanted },
  ].map((kind) => ({ ...kind, seconds: 0, cpuMs: 0, times: [] as number[] }))
  await load(bare, 1)
  // In turns, because the machine is not the same for long.
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of kinds) {
      const cpu = cpuMs(service.pid)
      const { seconds, times } = await load(kind.task, SECONDS)
      kind.cpuMs += cpuMs(service.pid) - cpu
      kind.seconds += seconds
      kind.times.push(...times)
    }
  }
  const bareRate = rateOf(kinds[0] as Load)
  for (const kind of kinds) report(`${where}, ${kind.what}`, kind, rateOf(kind) / bareRate, kind.wanted)
  client.close()
}

async function makeIntegration({ url, token }: RunningService): Promise<void> {
  const { status } = await fetch(`${url}${INTEGRATIONS_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ platform: 'generic', datasets: ['web'], secret: SECRET }),
  })
  if (status !== 201) throw new Error(`POST ${INTEGRATIONS_PATH} answered ${status}`)
}

function send(client: Client, deployment: string, status: string, time: string): Promise<Sent> {
  const event = { deployment, status, time, project: 'shop', environment: 'production', version: 'v2.4.0' }
  const body = Buffer.from(JSON.stringify(event))
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')
  return client.postSigned('/v1/integrations/generic', body, { 'x-signature-256': `sha256=${signature}` })
}

interface Load {
  seconds: number
  /** Of the service. */
  cpuMs: number
  /** Of each request. */
  times: number[]
}

function rateOf({ seconds, times }: Load): number {
  return times.length / seconds
}

async function load(task: (index: number) => Promise<Sent>, seconds: number): Promise<Omit<Load, 'cpuMs'>> {
  const from = performance.now()
  const times = await repeat(CLIENTS, () => performance.now() - from < seconds * 1_000, task)
  return { seconds: (performance.now() - from) / 1_000, times }
}

function report(what: string, found: Load, share: number, wanted: number): void {
  const rate = rateOf(found)
  const [p50, p99] = [quantile(found.times, 0.5).toFixed(1), quantile(found.times, 0.99).toFixed(1)]
  const cpu = (found.cpuMs / found.times.length).toFixed(2)
  isMissed ||= rate < wanted
  const target = wanted === 0 ? 'none' : `≥ ${wanted}${rate < wanted ? ' MISSED' : ''}`
  rows.push(`| ${what} | ${Math.round(rate)} | ${share.toFixed(2)} | ${p50} | ${p99} | ${cpu} | ${target} |`)
}
