/**
 * Ingest through HTTP, acknowledged and durable. Prints a table; exits 1 where a target is missed.
 *
 *   npm run bench -- ingest [batches] [single] [large]
 */
import { startService } from '../__tests__/support/service.ts'
import { createClient, repeat } from './support/client.ts'
import { watchHealth } from './support/crowd.ts'
import { makeBody, makeEvent } from './support/events.ts'
import { quantile, quantileMs, report, rssMb, startTable, timed, watch } from './support/figures.ts'

const PATH = '/v1/datasets/bench/ingest'
const now = Date.now() - 86_400_000
const parts = new Set(process.argv.slice(2))
const isWanted = (part: string) => parts.size === 0 || parts.has(part)
const body = (from: number, count: number) => makeBody(from, count, (i) => makeEvent(i, now))

startTable()
if (isWanted('batches')) {
  await batches({ events: 1_000, requests: 600, rate: 90_000, share: 0.99, ms: 200 })
  await batches({ events: 20_000, requests: 40, rate: 120_000, share: 0.5, ms: 1_200 })
}
if (isWanted('single')) await single()
if (isWanted('large')) await large()

interface Batches {
  /** Of a request. */
  events: number
  requests: number
  /** The least wanted, events a second. */
  rate: number
  /** Which quantile of the times of requests may be so many milliseconds at most. */
  share: number
  ms: number
}

/** Eight clients. */
async function batches({ events, requests, rate, share, ms }: Batches): Promise<void> {
  await using service = await startService()
  const client = createClient(service, 8)
  const bodies = Array.from({ length: Math.max(8, 40_000 / events) }, (_, b) => body(b * events, events))
  const task = (index: number) => client.post(PATH, bodies[index % bodies.length] as Buffer)
  await repeat(8, Math.max(16, 100_000 / events), task)
  const load = await timed(service.pid, () => watch(service.pid, () => repeat(8, requests, task)))
  client.close()
  const { value: times, rssMb: peakMb } = load.value
  const perSecond = (requests * events) / load.seconds
  const took = quantile(times, share)
  const what = `${events.toLocaleString('en')}-event requests, 8 clients`
  report(what, `${Math.round(perSecond)} events/s`, `${rate}/s`, perSecond >= rate)
  report(`${what}, processor time`, `${((load.cpuMs * 1_000) / (requests * events)).toFixed(1)} µs an event`)
  report(`${what}, ${share === 0.5 ? 'median' : `p${share * 100}`} of a request`, `${took.toFixed(0)} ms`, `${ms} ms`, took <= ms)
  report(`${what}, most resident memory`, `${peakMb.toFixed(0)} MB`, '600 MB', peakMb <= 600)
}

async function single(): Promise<void> {
  await using service = await startService()
  report('resident memory, idle', `${rssMb(service.pid).toFixed(0)} MB`)
  const client = createClient(service, 64)
  const bodies = Array.from({ length: 1_000 }, (_, i) => body(i, 1))
  const run = (ms: number) => {
    const end = performance.now() + ms
    const post = (index: number) => client.post(PATH, bodies[index % 1_000] as Buffer)
    return repeat(64, () => performance.now() < end, post)
  }
  await run(2_000)
  const times = await run(10_000)
  client.close()
  const [rate, p99] = [times.length / 10, quantile(times, 0.99)]
  report('one-event requests, 64 clients', `${Math.round(rate)}/s`, '4,000/s', rate >= 4_000)
  report('the same, median and p99', `${quantile(times, 0.5).toFixed(0)} and ${p99.toFixed(0)} ms`, 'p99 150 ms', p99 <= 150)
}

async function large(): Promise<void> {
  await using service = await startService()
  const client = createClient(service, 4)
  await client.post(PATH, body(0, 1))
  const chunk = Buffer.from(Array.from({ length: 1_000 }, (_, i) => `${makeEvent(i, now)}\n`).join(''))
  const chunks = Math.ceil(209_715_200 / chunk.length)
  async function* lines() {
    for (let i = 0; i < chunks; i++) yield chunk
  }
  const load = () => watch(service.pid, () => client.post(PATH, lines(), 'application/x-ndjson'))
  const { value: loaded, health } = await watchHealth(service, load)
  const { value, grownMb } = loaded
  const p99 = quantileMs(health, 0.99)
  client.close()
  const megabytes = `${((chunk.length * chunks) / 1e6).toFixed(0)} MB, ${chunks},000 events`
  const isStored = value.status === 200 && value.text.includes(`"ingested":${chunks * 1_000},`)
  report(`one body of ${megabytes}`, `${(value.ms / 1_000).toFixed(1)} s`, 'stored', isStored)
  report('the same, resident memory grows by', `${grownMb.toFixed(0)} MB`, '256 MB', grownMb <= 256)
  report('the same, GET /healthz meanwhile, p99', `${p99.toFixed(0)} ms`, '100 ms', p99 <= 100)
}
