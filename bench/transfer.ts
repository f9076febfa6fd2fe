/**
 * `node bench/transfer.ts [events]`: how many events a second go out of a stopped service's data directory, and into an empty one,
 * by the commands themselves, their start and all comparisons included. Events have 347 bytes and 13 fields on average.
 */
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../__tests__/support/service.ts'
import { startCommand } from '../packages/service/__tests__/transfer/moving.ts'
import { createClient, makeEvent } from './ingest-load.ts'

const EVENTS = Number(process.argv[2] ?? 1_000_000)
const BATCH = 10_000

const parent = mkdtempSync(join(tmpdir(), 'bench-transfer-'))
const [from, out, to] = ['from', 'out', 'to'].map((name) => join(parent, name)) as [string, string, string]
try {
  await fill()
  const outS = await measure(['export', '--data', from, '--to', out])
  const inS = await measure(['import', '--from', out, '--data', to])
  const bytes = globSync(`${out}/**/*.zst`).reduce((sum, file) => sum + statSync(file).size, 0)
  console.log('\n| | seconds | events/s |\n|---|---|---|')
  for (const [what, seconds] of [
    ['export', outS],
    ['import', inS],
  ] as const)
    console.log(`| ${what} | ${seconds.toFixed(1)} | ${Math.round(EVENTS / seconds).toLocaleString('en-US')} |`)
  console.log(`\n${(bytes / EVENTS).toFixed(1)} bytes an event in the export`)
} finally {
  rmSync(parent, { recursive: true, force: true })
}

async function fill(): Promise<void> {
  await using service = await startService({ dataDir: from })
  const client = createClient(service, 2)
  const startMs = Date.now() - 86_400_000
  for (let first = 0; first < EVENTS; first += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, EVENTS - first) }, (_, n) => makeEvent(first + n, startMs))
    await client.post('/v1/datasets/web/ingest', Buffer.from(`[${events.join(',')}]`))
  }
  client.close()
}

/** @returns seconds */
async function measure(args: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  const { output, ended } = startCommand(args)
  if ((await ended) !== 0) throw new Error(output.stderr)
  return (performance.now() - startedAt) / 1_000
}
