/**
 * `node bench/ingest.ts [batches] [doors] [settled] [single] [large] [keys]`: ingest through HTTP, acknowledged and durable, against what the
 * engine does by itself with the same rows and table, in one run on one machine. Prints a table; exits 1 where a target is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../__tests__/support/service.ts'
import { openEmbeddedEngine } from '../packages/event-store/src/embedded/embedded-engine.ts'
import { createEventTable, EVENT_COLUMNS } from '../packages/event-store/src/schema/event-table.ts'
import { makeBulk, makeOtlpLogs } from './door-load.ts'
import { cpuMs, createClient, makeEvent, makeLogEvent, quantile, repeat, rssMb, watch } from './ingest-load.ts'

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
  const rate = await serviceRate({ events: 1_000, requests: 600, wanted: { rate: 90_000, quantile: 0.99, ms: 200 } })
  const large = await serviceRate({ events: 20_000, requests: 40, wanted: { rate: 120_000, quantile: 0.5, ms: 1_200 } })
  // The service writes rows in columns; the engine reads the same ones as JSON.
  note('service / engine, both 1,000 rows', (rate / engineSmall).toFixed(2), '1.5', rate / engineSmall >= 1.5)
  note('service / engine, both 20,000 rows', (large / engineLarge).toFixed(2), '1.5', large / engineLarge >= 1.5)
}
if (wanted('doors')) await doors()
if (wanted('settled')) await settled()
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
  await engine.run(createEventTable(table))
  const make = (offset: number) => {
    const lines: string[] = []
    for (let i = offset; i < offset + batch; i++) {
      const { _time, ...data } = JSON.parse(makeLogEvent(i, now)) as Record<string, unknown>
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

interface Load {
  /** Of a request. */
  events: number
  requests: number
  wanted: { rate: number; quantile: number; ms: number }
}

/** Eight clients. @returns events a second */
async function serviceRate({ events, requests, wanted }: Load): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-ingest-'))
  const service = await startService({ dataDir })
  const client = createClient(service, 8)
  const bodies = Array.from({ length: Math.max(8, 40_000 / events) }, (_, b) => logEvents(b * events, events))
  let left = Math.max(16, 100_000 / events)
  const task = (index: number) => client.post('/v1/datasets/bench/ingest', bodies[index % bodies.length] as Buffer)
  await repeat(8, () => left-- > 0, task)
  left = requests
  const cpu = cpuMs(service.pid)
  const from = performance.now()
  const { value: times, rssMb: peakMb } = await watch(service.pid, () => repeat(8, () => left-- > 0, task))
  const rate = (requests * events) / ((performance.now() - from) / 1_000)
  const perEvent = ((cpuMs(service.pid) - cpu) * 1_000) / (requests * events)
  const ms = quantile(times, wanted.quantile)
  client.close()
  await service.stop()
  const what = `${events.toLocaleString('en')}-event requests, 8 clients`
  const rank = wanted.quantile === 0.5 ? 'median' : `p${wanted.quantile * 100}`
  note(what, `${Math.round(rate)} events/s`, `${wanted.rate}/s`, rate >= wanted.rate)
  note('the same, processor time', `${perEvent.toFixed(1)} µs an event`, 'none', true)
  note(`the same, ${rank} of a request`, `${ms.toFixed(0)} ms`, `${wanted.ms} ms`, ms <= wanted.ms)
  note('the same, most resident memory', `${peakMb.toFixed(0)} MB`, '600 MB', peakMb <= 600)
  rmSync(dataDir, { recursive: true })
  return rate
}

/** The protocols of others, 1,000 events a request from eight clients. */
async function doors(): Promise<void> {
  await using service = await startService()
  const client = createClient(service, 8)
  const bodies = (make: typeof makeBulk) => Array.from({ length: 40 }, (_, b) => make(b * 1_000, 1_000, now))
  const [logs, bulk] = [bodies(makeOtlpLogs), bodies(makeBulk)]
  const at = (list: readonly Buffer[], index: number) => list[index % list.length] as Buffer
  const kinds = {
    'OTLP log records in protobuf': (index: number) =>
      client.post('/v1/logs', at(logs, index), 'application/x-protobuf', { 'x-axiom-dataset': 'logs' }),
    "Elasticsearch's bulk API": (index: number) =>
      client.post('/v1/ingest/bulk/elastic/_bulk', at(bulk, index), 'application/x-ndjson'),
  }
  for (const [kind, task] of Object.entries(kinds)) {
    let left = 40
    await repeat(8, () => left-- > 0, task)
    left = 200
    const cpu = cpuMs(service.pid)
    const from = performance.now()
    await repeat(8, () => left-- > 0, task)
    const rate = 200_000 / ((performance.now() - from) / 1_000)
    const perEvent = ((cpuMs(service.pid) - cpu) * 1_000) / 200_000
    note(`${kind}, 1,000 a request, 8 clients`, `${Math.round(rate)} events/s, ${perEvent.toFixed(1)} µs each`, 'none', true)
  }
  client.close()
}

/** Of events that are all unlike each other. */
async function settled(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-ingest-'))
  const service = await startService({ dataDir })
  const client = createClient(service, 8)
  let left = 400
  await repeat(
    8,
    () => left-- > 0,
    (index) => client.post('/v1/datasets/bench/ingest', logEvents(index * 1_000, 1_000)),
  )
  client.close()
  await service.stop()
  const bytes = await settledBytes(dataDir)
  rmSync(dataDir, { recursive: true })
  note('400,000 events on disk after all merges', `${bytes.toFixed(1)} bytes an event`, '50', bytes <= 50)
}

function logEvents(from: number, count: number): Buffer {
  return Buffer.from(`[${Array.from({ length: count }, (_, i) => makeLogEvent(from + i, now)).join(',')}]`)
}

async function settledBytes(dataDir: string): Promise<number> {
  const engine = openEmbeddedEngine(join(dataDir, 'engine'))
  const [{ name }] = (await engine.select<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'events_')",
  )) as [{ name: string }]
  await engine.run(`OPTIMIZE TABLE ${name} FINAL`)
  const [{ bytes }] = (await engine.select<{ bytes: number }>(
    'SELECT sum(bytes_on_disk) / sum(rows) AS bytes FROM system.parts WHERE active AND table = {name:String}',
    { name },
  )) as [{ bytes: number }]
  await engine.close()
  return bytes
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
  note('one-event requests, 64 clients', `${Math.round(rate)}/s`, '4,000/s', rate >= 4_000)
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
