/**
 * The largest answers that a query may have, and what everybody else notices of them: how long `/healthz` takes meanwhile, how much the
 * process grows, how long the answer takes. The embedded engine is in the process and works in its memory: it grows with the first
 * query of a kind, and gives back little. Prints a table for docs/query.md.
 *
 *   node bench/large-answer.ts     ROUNDS=3 for a shorter one
 */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningService, startService } from '../__tests__/support/service.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const INGEST_BYTES = 8_000_000
const HEALTH_EVERY_MS = 5
const RSS_EVERY_MS = 10
/** As long as this the machine is watched before anything is asked: others may keep it busy. */
const ALONE_MS = 3_000
/** What a slow reader takes at a time, and how long it waits between. */
const [SIP_BYTES, SIP_EVERY_MS] = [262_144, 4]

const text = (length: number, seed: number) => {
  let out = ''
  for (let n = seed; out.length < length; n = (n * 48_271) % 2_147_483_647) out += n.toString(36)
  return out.slice(0, length)
}

/** An event by its number. */
const DATASETS: Record<string, { rows: number; event: (n: number) => object }> = {
  narrow: {
    rows: 70_000,
    event: (n) => ({
      status: 200 + (n % 5),
      took: (n % 1_000) / 7,
      path: `/api/users/${n % 5_000}/orders`,
      region: ['eu-west', 'us-east', 'ap-south'][n % 3],
      host: `web-${n % 40}`,
      method: n % 3 ? 'GET' : 'POST',
      ok: n % 20 !== 0,
      bytes: (n * 7_919) % 100_000,
      client_ip: `10.${n % 256}.${(n * 3) % 256}.7`,
      user: { id: n % 100_000, plan: n % 2 ? 'pro' : 'free' },
      tags: ['a', `${n % 10}`],
    }),
  },
  columns: {
    rows: 10_000,
    event: (n) => Object.fromEntries(Array.from({ length: 300 }, (_, c) => [`c${c}`, (n * 31 + c * 17) % 9_973])),
  },
  sparse: {
    rows: 10_000,
    event: (n) => Object.fromEntries(Array.from({ length: 30 }, (_, c) => [`c${(n * 7 + c) % 300}`, n + c])),
  },
  wide: { rows: 6_000, event: (n) => ({ n, message: text(4_500, n + 1), stack: text(300, n + 2) }) },
}

const QUERIES: Record<string, string> = {
  '65,000 rows × 12 columns': "['narrow'] | limit 65000",
  '10,000 rows × 300 columns': "['columns'] | limit 10000",
  '10,000 rows × 300 columns, most missing': "['sparse'] | limit 10000",
  'wide events (4.8 kB)': "['wide'] | limit 5000",
  '65,000 groups × 4 columns': "['narrow'] | summarize count(), avg(took), max(bytes) by id = strcat(tostring(bytes), path)",
}

const quantile = (values: readonly number[], at: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? 0
const mib = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`
const ms = (value: number) => `${value.toFixed(0)} ms`

function send(service: RunningService, path: string, body: Buffer | string, onPiece: (bytes: Buffer) => Promise<void> | void) {
  return new Promise<{ status: number; bytes: number }>((resolve, reject) => {
    const sent = request(
      service.url + path,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      },
      async (answer) => {
        let bytes = 0
        try {
          for await (const piece of answer as AsyncIterable<Buffer>) {
            bytes += piece.length
            await onPiece(piece)
          }
          resolve({ status: answer.statusCode ?? 0, bytes })
        } catch (error) {
          reject(error)
        }
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function load(service: RunningService): Promise<void> {
  for (const [name, { rows, event }] of Object.entries(DATASETS)) {
    for (let n = 0; n < rows; ) {
      const lines: string[] = []
      for (let bytes = 0; n < rows && bytes < INGEST_BYTES; n++) {
        const line = JSON.stringify({ _time: new Date(Date.UTC(2026, 0, 1) + n * 100).toISOString(), ...event(n) })
        bytes += line.length
        lines.push(line)
      }
      const { status } = await send(service, `/v1/datasets/${name}/ingest`, `[${lines.join(',')}]`, () => {})
      if (status !== 200) throw new Error(`${name}: ingest answered ${status}`)
    }
  }
}

interface Seen {
  status: number
  bytes: number
  ms: number
  healthMs: number[]
  growthBytes: number
}

function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}

/** Asks, and looks at the service from beside until the answer is through. */
async function watch(service: RunningService, apl: string, isSlow: boolean): Promise<Seen> {
  const healthMs: number[] = []
  const before = rssOf(service.pid)
  let peak = before
  let isOver = false
  const health = (async () => {
    while (!isOver) {
      const from = performance.now()
      await (await fetch(`${service.url}/healthz`)).arrayBuffer()
      healthMs.push(performance.now() - from)
      await sleep(HEALTH_EVERY_MS)
    }
  })()
  const memory = setInterval(() => {
    peak = Math.max(peak, rssOf(service.pid))
  }, RSS_EVERY_MS)
  const body = JSON.stringify({ apl, startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' })
  const from = performance.now()
  let sipped = 0
  const answer = await send(service, '/v1/datasets/_apl', body, async (piece) => {
    sipped += piece.length
    if (!isSlow || sipped < SIP_BYTES) return
    sipped = 0
    await sleep(SIP_EVERY_MS)
  })
  const took = performance.now() - from
  isOver = true
  clearInterval(memory)
  await health
  return { ...answer, ms: took, healthMs, growthBytes: peak - before }
}

await using service = await startService()
await load(service)
const lines: string[] = []
const alone: number[] = []
for (const until = performance.now() + ALONE_MS; performance.now() < until; await sleep(HEALTH_EVERY_MS)) {
  const from = performance.now()
  await (await fetch(`${service.url}/healthz`)).arrayBuffer()
  alone.push(performance.now() - from)
}
console.log(
  `RSS after loading ${mib(rssOf(service.pid))}; /healthz p50 ${ms(quantile(alone, 0.5))}, p99 ${ms(quantile(alone, 0.99))} while nothing is asked`,
)
console.log(
  '| answer | size | time | /healthz p50 | p99 (≤ 50 ms) | growth, first time | growth, again (≤ 64 MB) |\n|---|---|---|---|---|---|---|',
)
for (const isSlow of [false, true]) {
  for (const [what, apl] of Object.entries(QUERIES)) {
    const rounds: Seen[] = []
    for (let round = 0; round < (isSlow ? 1 : ROUNDS); round++) {
      rounds.push(await watch(service, apl, isSlow))
      await sleep(500)
    }
    const health = rounds.flatMap(({ healthMs }) => healthMs)
    const [first] = rounds as [Seen]
    const later = Math.max(...rounds.slice(isSlow ? 0 : 1).map(({ growthBytes }) => growthBytes))
    const line = `| ${what}${isSlow ? ', slow reader' : ''} | ${first.status === 200 ? mib(first.bytes) : `status ${first.status}`} | ${ms(
      quantile(
        rounds.map((one) => one.ms),
        0.5,
      ),
    )} | ${ms(quantile(health, 0.5))} | ${ms(quantile(health, 0.99))} | ${mib(first.growthBytes)} | ${mib(later)} |`
    lines.push(line)
    console.log(line)
  }
}
console.log(`RSS at the end ${mib(rssOf(service.pid))}`)
