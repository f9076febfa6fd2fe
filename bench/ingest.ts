/**
 * `node bench/ingest.ts [batches] [single] [large] [keys]`: ingest through HTTP, acknowledged and durable, against what the
 * engine does by itself with the same rows and table, in one run on one machine. Prints a table; exits 1 where a target is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../__tests__/support/service.ts'
import { openEmbeddedEngine } from '../packages/service/src/store/embedded-engine.ts'
import { createEventTable, EVENT_COLUMNS } from '../packages/service/src/store/schema/event-table.ts'
import { cpuMs, createClient, makeEvent, quantile, repeat, rssMb, watch } from './ingest-load.ts'

const parts = new Set(process.argv.slice(2))
const wanted = (part: string) => parts.size === 0 || parts.has(part)
const rows: { what: string; figure: string; target: string; met: boolean }[] = []
const note = (what: string, figure: string, target: string, met: boolean) => {
  rows.push({ what, figure, target, met })
  console.log(`${met ? 'ok  ' : 'MISS'} ${what}: ${figure} (target ${target})`)
}
const now = Date.now() - 86_400_000

if (wanted('batches')) {
  const [engineSmall, engineLarge] = [await engineRate(1_000, 60), await engineRate(20_000, 15)]
  note('engine alone, 1,000 rows an insert', `${Math.round(engineSmall)} rows/s`, 'none', true)
  note('engine alone, 20,000 rows an insert', `${Math.round(engineLarge)} rows/s`, 'none', true)
  const rate = await serviceRate(8, 300)
  note('service, 1,000-event requests, 8 clients', `${Math.round(rate)} events/s`, '20,000/s', rate >= 20_000)
  note('service / engine, both 1,000 rows', (rate / engineSmall).toFixed(2), '0.60', rate / engineSmall >= 0.6)
  // The service joins requests, so this is what it could reach at most.
  note('service / engine at 20,000 rows', (rate / engineLarge).toFixed(2), 'none', true)
}
if (wanted('single')) await single()
if (wanted('large')) await large()
if (wanted('keys')) for (const keys of [1_000, 10_000]) await distinctKeys(keys)

console.log(
  `\n| what | figure | target |\n|---|---|---|\n${rows.map((row) => `| ${row.what} | ${row.figure} | ${row.target} |`).join('\n')}`,
)
if (rows.some(({ met }) => !met)) process.exitCode = 1

/** Rows a second that the engine stores by itself, fsync included. */
async function engineRate(batch: number, batches: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-engine-'))
  const engine = openEmbeddedEngine(join(directory, 'engine'))
  const table = 'events_benchmark'
  for (const statement of createEventTable(table, 'process')) await engine.run(statement)
  const make = (offset: number) => {
    const lines: string[] = []
    for (let i = offset; i < offset + batch; i++) {
      const { _time, ...data } = JSON.parse(makeEvent(i, now)) as Record<string, unknown>
      lines.push(`[${JSON.stringify(data)},${BigInt(Date.parse(_time as string)) * 1_000_000n},${now}000000,${i}]\n`)
    }
    return Buffer.from(lines.join(''))
  }
  const buffers = Array.from({ length: batches }, (_, index) => make(index * batch))
  await engine.insertJson(table, EVENT_COLUMNS, make(0))
  const from = performance.now()
  const cpu = cpuMs(process.pid)
  for (const buffer of buffers) await engine.insertJson(table, EVENT_COLUMNS, buffer)
  const seconds = (performance.now() - from) / 1_000
  const perRow = ((cpuMs(process.pid) - cpu) * 1_000) / (batch * batches)
  note(`engine alone, ${batch} rows an insert, processor time`, `${perRow.toFixed(0)} µs a row`, 'none', true)
  await engine.close()
  rmSync(directory, { recursive: true })
  return (batch * batches) / seconds
}

async function serviceRate(clients: number, requests: number): Promise<number> {
  await using service = await startService()
  const client = createClient(service, clients)
  const bodies = Array.from({ length: 40 }, (_, b) =>
    Buffer.from(`[${Array.from({ length: 1_000 }, (_, i) => makeEvent(b * 1_000 + i, now)).join(',')}]`),
  )
  let left = 40
  const task = (index: number) => client.post('/v1/datasets/bench/ingest', bodies[index % bodies.length] as Buffer)
  await repeat(clients, () => left-- > 0, task)
  left = requests
  const cpu = cpuMs(service.pid)
  const from = performance.now()
  const times = await repeat(clients, () => left-- > 0, task)
  const seconds = (performance.now() - from) / 1_000
  client.close()
  const perEvent = ((cpuMs(service.pid) - cpu) * 1_000) / (times.length * 1_000)
  note('service, 1,000-event requests, processor time', `${perEvent.toFixed(0)} µs an event`, 'none', true)
  note('the same, p99 of a request', `${quantile(times, 0.99).toFixed(0)} ms`, '250 ms', quantile(times, 0.99) <= 250)
  return (times.length * 1_000) / seconds
}

async function single(): Promise<void> {
  await using service = await startService()
  note('resident memory, idle', `${rssMb(service.pid).toFixed(0)} MB`, 'none', true)
  const client = createClient(service, 64)
  const bodies = Array.from({ length: 1_000 }, (_, i) => Buffer.from(`[${makeEvent(i, now)}]`))
  const run = async (ms: number) => {
    const end = performance.now() + ms
    return repeat(
      64,
      () => performance.now() < end,
      (index) => client.post('/v1/datasets/bench/ingest', bodies[index % 1_000] as Buffer),
    )
  }
  await run(2_000)
  const times = await run(10_000)
  client.close()
  const [rate, p99] = [times.length / 10, quantile(times, 0.99)]
  note('one-event requests, 64 clients', `${Math.round(rate)}/s`, '1,000/s', rate >= 1_000)
  note('the same, median and p99', `${quantile(times, 0.5).toFixed(0)} and ${p99.toFixed(0)} ms`, 'p99 150 ms', p99 <= 150)
}

async function large(): Promise<void> {
  await using service = await startService()
  const client = createClient(service, 4)
  await client.post('/v1/datasets/warm/ingest', Buffer.from(`[${makeEvent(0, now)}]`))
  const chunk = Buffer.from(Array.from({ length: 1_000 }, (_, i) => `${makeEvent(i, now)}\n`).join(''))
  const chunks = Math.ceil(209_715_200 / chunk.length)
  async function* body() {
    for (let i = 0; i < chunks; i++) yield chunk
  }
  const health: number[] = []
  let isOn = true
  const pinging = repeat(
    1,
    () => isOn,
    async () => {
      const sent = await client.get('/healthz')
      health.push(sent.ms)
      await new Promise((resolve) => setTimeout(resolve, 10))
      return sent
    },
  )
  const from = performance.now()
  const { value, grownMb } = await watch(service.pid, () =>
    client.post('/v1/datasets/large/ingest', body(), 'application/x-ndjson'),
  )
  const seconds = (performance.now() - from) / 1_000
  isOn = false
  await pinging
  client.close()
  const megabytes = (chunk.length * chunks) / 1e6
  const isStored = value.status === 200 && value.text.includes(`"ingested":${chunks * 1_000},`)
  note(
    `one body of ${megabytes.toFixed(0)} MB, ${chunks},000 events`,
    `${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s`,
    'stored',
    isStored,
  )
  note('the same, resident memory grows by', `${grownMb.toFixed(0)} MB`, '256 MB', grownMb <= 256)
  const p99 = quantile(health, 0.99)
  note('the same, GET /healthz meanwhile, p99', `${p99.toFixed(0)} ms of ${health.length}`, '100 ms', p99 <= 100)
}

/** Events of 12 keys out of `keys`; beyond the limit of fields they are failures, so the limit is set higher too. */
async function distinctKeys(keys: number): Promise<void> {
  await using service = await startService({ args: ['--fields-max', '20000'] })
  const client = createClient(service, 4)
  let seed = 1
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % keys
  }
  const event = () =>
    `{${Array.from(new Set(Array.from({ length: 12 }, random)), (key) => `"key_${key}":${key % 7 === 0 ? `"text ${key}"` : key}`).join(',')}}`
  const bodies = Array.from({ length: 40 }, () => Buffer.from(`[${Array.from({ length: 1_000 }, event).join(',')}]`))
  let left = 200
  const from = performance.now()
  const { files } = await watch(service.pid, () =>
    repeat(
      4,
      () => left-- > 0,
      (index) => client.post('/v1/datasets/keys/ingest', bodies[index % 40] as Buffer),
    ),
  )
  const rate = 200_000 / ((performance.now() - from) / 1_000)
  client.close()
  note(`${keys} distinct keys, 200 × 1,000 events`, `${Math.round(rate)} events/s`, 'goes on', rate > 0)
  note('the same, most files open', String(files), '16,384', files < 16_384)
}
