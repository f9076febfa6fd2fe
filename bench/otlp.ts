/**
 * The protocols of others beside the same events as plain JSON: log records of OpenTelemetry and Elasticsearch's bulk API, in one run and
 * round about, so that the ratios do not depend on what else the machine does. Exits 1 where a ratio is missed.
 *
 *   npm run bench -- otlp          ROUNDS=5, REQUESTS=40 of 1,000 events a round
 */
import { startService } from '../__tests__/support/service.ts'
import { encodeRequest } from '../packages/edge/__tests__/otlp/otlp.ts'
import { createClient, repeat } from './support/client.ts'
import { type LogEvent, makeBody, makeEvent } from './support/events.ts'
import { median, timed } from './support/figures.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const REQUESTS = Number(process.env.REQUESTS ?? 40)
const EVENTS = 1_000
const CLIENTS = 8
const now = Date.now()

interface Protocol {
  name: string
  path: string
  type: string
  body(from: number): Buffer
  /** The least that its speed may be of flat JSON's. */
  wanted?: number
}

const eventsOf = (from: number) => Array.from({ length: EVENTS }, (_, i) => JSON.parse(makeEvent(from + i, now)) as LogEvent)

/** @returns a request of log records: the message is the body of a record, and the rest of the event its attributes */
function otlpOf(from: number): object {
  const logRecords = eventsOf(from).map(({ _time, message, level, ...rest }) => ({
    timeUnixNano: `${Date.parse(_time)}000000`,
    severityText: level,
    body: { stringValue: message },
    attributes: Object.entries(rest).map(([key, value]) => ({ key, value: anyValueOf(value) })),
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'bench' }, logRecords }] }] }
}

function anyValueOf(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const protobufOf = (from: number) => encodeRequest('logs', otlpOf(from))
const otlpJsonOf = (from: number) => Buffer.from(JSON.stringify(otlpOf(from)))

function bulkOf(from: number): Buffer {
  const lines = eventsOf(from).map(({ _time, ...rest }) => `{"create":{}}\n${JSON.stringify({ '@timestamp': _time, ...rest })}\n`)
  return Buffer.from(lines.join(''))
}

const FLAT = { name: 'JSON, flat', path: '/v1/datasets/flat/ingest', type: 'application/json' }
const PROTOCOLS: readonly Protocol[] = [
  { ...FLAT, body: (from) => makeBody(from, EVENTS, (i) => makeEvent(i, now)) },
  { name: 'OTLP protobuf', path: '/v1/logs', type: 'application/x-protobuf', body: protobufOf, wanted: 0.7 },
  { name: 'OTLP JSON', path: '/v1/logs', type: 'application/json', body: otlpJsonOf, wanted: 0.5 },
  { name: "Elasticsearch's bulk API", path: '/v1/ingest/bulk/elastic/_bulk', type: 'application/x-ndjson', body: bulkOf },
]

await using service = await startService()
const client = createClient(service, CLIENTS)
const loads = PROTOCOLS.map((protocol) => ({
  protocol,
  bodies: Array.from({ length: 10 }, (_, i) => protocol.body(i * EVENTS)),
  perSecond: [] as number[],
  cpuUs: [] as number[],
}))
for (let round = 0; round <= ROUNDS; round++) {
  for (const { protocol, bodies, perSecond, cpuUs } of round % 2 === 0 ? loads : loads.toReversed()) {
    const requests = round === 0 ? bodies.length : REQUESTS
    const { path, type } = protocol
    const post = (index: number) =>
      client.post(path, bodies[index % bodies.length] as Buffer, type, { 'x-axiom-dataset': 'otlp' })
    const { seconds, cpuMs } = await timed(service.pid, () => repeat(CLIENTS, requests, post))
    if (round === 0) continue
    perSecond.push((requests * EVENTS) / seconds)
    cpuUs.push((cpuMs * 1_000) / (requests * EVENTS))
  }
}
client.close()

console.log(`${ROUNDS} rounds of ${REQUESTS} requests with ${EVENTS} events, ${CLIENTS} clients\n`)
console.log(
  '| protocol | bytes a request | events/s | µs of processor time an event | speed | wanted |\n|---|---|---|---|---|---|',
)
for (const { protocol, bodies, perSecond, cpuUs } of loads) {
  const { name, wanted = 0 } = protocol
  const ratio = median(perSecond) / median(loads[0]?.perSecond ?? [])
  if (ratio < wanted) process.exitCode = 1
  const figures = [bodies[0]?.length, Math.round(median(perSecond)), median(cpuUs).toFixed(1), ratio.toFixed(2)]
  console.log(`| ${name} | ${figures.join(' | ')} | ${wanted || ''}${ratio < wanted ? ' MISSED' : ''} |`)
}
