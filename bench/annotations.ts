/**
 * `node bench/annotations.ts`: durable creates and changes of annotations from 32 clients over HTTP, with the records in SQLite
 * and, where a server can be started, in PostgreSQL; beside them what the disk does by itself. Exits 1 where a target is missed.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPostgres, startPostgres } from '../__tests__/support/postgres.ts'
import { type RunningService, startService } from '../__tests__/support/service.ts'
import { createClient, quantile, repeat, type Sent } from './ingest-load.ts'

const CLIENTS = 32
const SECONDS = 6
const BODY = { datasets: ['web', 'api'], type: 'deploy', title: 'v1.2.3', description: 'a release', url: 'https://example.org/1' }

const rows: string[] = []
let isMissed = false

console.log(`the disk: ${Math.round(syncsPerSecond())} writes with fsync a second, one after the other`)
{
  await using service = await startService()
  await measure('SQLite', service, { creates: { rate: 2_000, p99: 40 }, changes: { rate: 1_500, p99: 60 } })
}
if (hasPostgres) {
  await using server = await startPostgres()
  await using service = await startService({ args: ['--records', await server.createDatabase()] })
  await measure('PostgreSQL', service)
}
console.log(`\n| what | a second | p50 ms | p99 ms | wanted |\n|---|---|---|---|---|\n${rows.join('\n')}`)
if (isMissed) process.exitCode = 1

interface Target {
  rate: number
  p99: number
}

async function measure(where: string, service: RunningService, targets?: { creates: Target; changes: Target }): Promise<void> {
  const client = createClient(service, CLIENTS)
  const ids: string[] = []
  const create = async () => {
    const sent = await client.post('/v2/annotations', Buffer.from(JSON.stringify(BODY)))
    if (sent.status === 201) ids.push((JSON.parse(sent.text) as { id: string }).id)
    return sent.status === 201 ? { ...sent, status: 200 } : sent
  }
  const change = (index: number) =>
    client.put(`/v2/annotations/${ids[index % ids.length]}`, Buffer.from(JSON.stringify({ title: `v${index}` })))
  await load(create, 1)
  report(`${where}, creates`, await load(create, SECONDS), targets?.creates)
  report(`${where}, changes`, await load(change, SECONDS), targets?.changes)
  client.close()
}

async function load(task: (index: number) => Promise<Sent>, seconds: number): Promise<{ rate: number; times: number[] }> {
  const from = performance.now()
  const times = await repeat(CLIENTS, () => performance.now() - from < seconds * 1_000, task)
  return { rate: (times.length * 1_000) / (performance.now() - from), times }
}

function report(what: string, { rate, times }: { rate: number; times: number[] }, target?: Target): void {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  const isMet = !target || (rate >= target.rate && p99 <= target.p99)
  isMissed ||= !isMet
  const wanted = target ? `≥ ${target.rate}, p99 ≤ ${target.p99}${isMet ? '' : ' MISSED'}` : 'none'
  console.log(`${what}: ${Math.round(rate)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (wanted ${wanted})`)
  rows.push(`| ${what} | ${Math.round(rate)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${wanted} |`)
}

/** What a change costs at least: one write of a page, synced. */
function syncsPerSecond(): number {
  const directory = mkdtempSync(join(tmpdir(), 'bench-disk-'))
  const file = openSync(join(directory, 'file'), 'w')
  const page = Buffer.alloc(4_096, 1)
  const from = performance.now()
  let syncs = 0
  while (performance.now() - from < 1_000) {
    writeSync(file, page)
    fsyncSync(file)
    syncs++
  }
  closeSync(file)
  rmSync(directory, { recursive: true })
  return syncs
}
