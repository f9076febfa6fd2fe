/**
 * What a filtered page costs as its dataset grows five times: counted, not counted, and behind a cursor. One row in twenty passes the
 * filter. Prints a table for docs/query.md; exits 1 where a page without a count grows with the dataset.
 *
 *   node bench/pages.ts       ROWS=200000 for a smaller one
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { type RunningService, startService } from '../__tests__/support/service.ts'
import { quantile } from './ingest-load.ts'
import { DATASET, END_NS, loadEvents, START_NS } from './query-data.ts'

const ROWS = Number(process.env.ROWS ?? 1_000_000)
const TIMES = 5
const ROUNDS = 21
const GROWTH_MAX = 1.5
const TEXT = `['${DATASET}'] | where status == 500 | sort by _time desc | limit 100`

type Kind = 'first page, counted' | 'first page, not counted' | 'second page' | 'second page, not counted'
const figures: Record<Kind, number>[] = []
for (const rows of [ROWS, ROWS * TIMES]) figures.push(await measure(rows))
const [small, large] = figures as [Record<Kind, number>, Record<Kind, number>]

console.log(
  `| | ${ROWS.toLocaleString('en')} rows | ${(ROWS * TIMES).toLocaleString('en')} rows | growth | target |\n|---|---|---|---|---|`,
)
for (const [kind, ms] of Object.entries(small) as [Kind, number][]) {
  const growth = large[kind] / ms
  const isBound = kind !== 'first page, counted'
  if (isBound && growth > GROWTH_MAX) process.exitCode = 1
  const target = isBound ? `≤ ${GROWTH_MAX} ×` : ''
  console.log(`| ${kind} | ${ms.toFixed(0)} ms | ${large[kind].toFixed(0)} ms | ${growth.toFixed(2)} × | ${target} |`)
}

/** @returns medians in ms */
async function measure(rows: number): Promise<Record<Kind, number>> {
  const dataDir = mkdtempSync(join(process.env.DIRECTORY ?? tmpdir(), 'bench-pages-'))
  try {
    await loadEvents(dataDir, rows)
    await using service = await startService({ dataDir })
    const { cursor } = await ask(service, {})
    const kinds: Record<Kind, object> = {
      // Another interval every time, so that no count is remembered.
      'first page, counted': {},
      'first page, not counted': { countMatches: false },
      'second page': { cursor },
      'second page, not counted': { cursor, countMatches: false },
    }
    const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, members] of Object.entries(kinds)) {
        const endTime = kind === 'first page, counted' ? formatTimestamp(END_NS - BigInt(round)) : undefined
        times.get(kind)?.push((await ask(service, { ...members, ...(endTime && { endTime }) })).ms)
      }
    }
    return Object.fromEntries([...times].map(([kind, all]) => [kind, quantile(all, 0.5)])) as Record<Kind, number>
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function ask({ url, token }: RunningService, members: object): Promise<{ ms: number; cursor: string }> {
  const from = performance.now()
  const response = await fetch(`${url}/v1/datasets/_apl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ apl: TEXT, startTime: formatTimestamp(START_NS), endTime: formatTimestamp(END_NS), ...members }),
  })
  const body = (await response.json()) as { message: string; status: { minCursor: string } }
  if (response.status !== 200) throw new Error(`${response.status} ${body.message}`)
  return { ms: performance.now() - from, cursor: body.status.minCursor }
}
