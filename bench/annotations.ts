/**
 * Durable creates and changes of annotations from 32 clients over HTTP, with the records in SQLite and, where a server can be started, in
 * PostgreSQL. Exits 1 where a target is missed.
 */
import { hasPostgres, startPostgres } from '../__tests__/support/postgres.ts'
import { type RunningService, startService } from '../__tests__/support/service.ts'
import { createClient, repeat, type Sent } from './support/client.ts'
import { quantile, report, startTable } from './support/figures.ts'

const CLIENTS = 32
const SECONDS = 6
const BODY = { datasets: ['web', 'api'], type: 'deploy', title: 'v1.2.3', description: 'a release', url: 'https://example.org/1' }

interface Target {
  /** The least a second. */
  rate: number
  p99Ms: number
}

startTable()
{
  await using service = await startService()
  await measure('SQLite', service, { creates: { rate: 2_000, p99Ms: 40 }, changes: { rate: 1_500, p99Ms: 60 } })
}
if (hasPostgres) {
  await using server = await startPostgres()
  await using service = await startService({ args: ['--postgres', await server.createDatabase()] })
  await measure('PostgreSQL', service)
}

async function measure(where: string, service: RunningService, targets?: { creates: Target; changes: Target }): Promise<void> {
  const client = createClient(service, CLIENTS)
  const ids: string[] = []
  const create = async () => {
    const sent = await client.post('/v2/annotations', Buffer.from(JSON.stringify(BODY)))
    if (sent.status === 201) ids.push((JSON.parse(sent.text) as { id: string }).id)
    return sent
  }
  const change = (index: number) =>
    client.put(`/v2/annotations/${ids[index % ids.length]}`, Buffer.from(JSON.stringify({ title: `v${index}` })))
  await load(create, 1)
  judge(`${where}, creates`, await load(create, SECONDS), targets?.creates)
  judge(`${where}, changes`, await load(change, SECONDS), targets?.changes)
  client.close()
}

async function load(task: (index: number) => Promise<Sent>, seconds: number): Promise<{ rate: number; times: number[] }> {
  const from = performance.now()
  const times = await repeat(CLIENTS, () => performance.now() - from < seconds * 1_000, task)
  return { rate: (times.length * 1_000) / (performance.now() - from), times }
}

function judge(what: string, { rate, times }: { rate: number; times: number[] }, target?: Target): void {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  const figure = `${Math.round(rate)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  if (!target) report(what, figure)
  else report(what, figure, `${target.rate} a second, p99 ${target.p99Ms} ms`, rate >= target.rate && p99 <= target.p99Ms)
}
