/**
 * How many events a second go out of a stopped service's data directory, and into an empty one,
 * by the commands themselves, their start and all comparisons included. Events have 350 bytes and 13 fields.
 *
 *   npm run bench -- transfer [events]
 */
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../__tests__/support/service.ts'
import { startCommand } from '../packages/service/__tests__/transfer/moving.ts'
import { DAY_MS, sendLogs } from './support/sent-logs.ts'

const EVENTS = Number(process.argv[2] ?? 1_000_000)

const parent = mkdtempSync(join(tmpdir(), 'bench-transfer-'))
const [from, out, to] = ['from', 'out', 'to'].map((name) => join(parent, name)) as [string, string, string]
try {
  await fill()
  const outS = await measure(['export', '--data', from, '--to', out])
  const inS = await measure(['import', '--from', out, '--data', to])
  const bytes = globSync(`${out}/**/*.zst`).reduce((sum, file) => sum + statSync(file).size, 0)
  console.log('\n| | seconds | events/s |\n|---|---|---|')
  for (const [what, seconds] of Object.entries({ export: outS, import: inS }))
    console.log(`| ${what} | ${seconds.toFixed(1)} | ${Math.round(EVENTS / seconds).toLocaleString('en-US')} |`)
  console.log(`\n${(bytes / EVENTS).toFixed(1)} bytes an event in the export`)
} finally {
  rmSync(parent, { recursive: true, force: true })
}

async function fill(): Promise<void> {
  await using service = await startService({ dataDir: from })
  await sendLogs(service, { dataset: 'web', total: EVENTS, startMs: Date.now() - DAY_MS })
}

/** @returns seconds */
async function measure(args: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  const { output, ended } = startCommand(args)
  if ((await ended) !== 0) throw new Error(output.stderr)
  return (performance.now() - startedAt) / 1_000
}
