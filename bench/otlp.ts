/**
 * `npm run bench -- otlp`: log records of OpenTelemetry beside the same events as plain JSON, in one run and round about, so that the
 * ratios do not depend on what else the machine does. Exits 1 where a ratio is missed.
 */
import { startService } from '../__tests__/support/service.ts'
import { makeOtlpLogs } from './door-load.ts'
import { cpuMs, createClient, makeLogEvent, quantile, repeat } from './ingest-load.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const REQUESTS = Number(process.env.REQUESTS ?? 40)
const EVENTS = 1_000
const now = Date.now()

interface Door {
  path: string
  type: string
  body(from: number): Buffer
  dataset?: string
  /** Of the speed of flat JSON. */
  wanted?: number
}

const array = (from: number, make: (index: number) => string) =>
  Buffer.from(`[${Array.from({ length: EVENTS }, (_, i) => make(from + i)).join(',')}]`)
const DOORS: Record<string, Door> = {
  'JSON, flat': {
    path: '/v1/datasets/flat/ingest',
    type: 'application/json',
    body: (from) => array(from, (i) => makeLogEvent(i, now)),
  },
  'JSON in the shape of OTLP': {
    path: '/v1/datasets/nested/ingest',
    type: 'application/json',
    body: (from) => array(from, nestedEvent),
  },
  'the same, with map fields in use': {
    path: '/v1/datasets/otlp/ingest',
    type: 'application/json',
    body: (from) => array(from, nestedEvent),
    wanted: 0.9,
  },
  'OTLP protobuf': {
    path: '/v1/logs',
    type: 'application/x-protobuf',
    dataset: 'otlp',
    body: (from) => makeOtlpLogs(from, EVENTS, now),
    wanted: 0.7,
  },
  'OTLP JSON': { path: '/v1/logs', type: 'application/json', dataset: 'otlp', body: otlpJson, wanted: 0.7 },
}

await using service = await startService()
const client = createClient(service, 4)
const bodies = new Map(
  Object.entries(DOORS).map(([name, { body }]) => [name, Array.from({ length: 10 }, (_, i) => body(i * EVENTS))]),
)
const rates = new Map(Object.keys(DOORS).map((name) => [name, { perSecond: [] as number[], cpu: [] as number[] }]))
// The first request of OpenTelemetry makes its dataset, with its map fields.
const order = Object.entries(DOORS).reverse()
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, { path, type, dataset }] of round % 2 === 0 ? order : order.toReversed()) {
    const sent = bodies.get(name) as Buffer[]
    let left = round === 0 ? 10 : REQUESTS
    const total = left
    const cpu = cpuMs(service.pid)
    const from = performance.now()
    const headers = dataset === undefined ? {} : { 'x-axiom-dataset': dataset }
    await repeat(
      4,
      () => left-- > 0,
      (index) => client.post(path, sent[index % sent.length] as Buffer, type, headers),
    )
    if (round === 0) continue
    const rate = rates.get(name)
    rate?.perSecond.push((total * EVENTS) / ((performance.now() - from) / 1_000))
    rate?.cpu.push(((cpuMs(service.pid) - cpu) * 1_000) / (total * EVENTS))
  }
}
client.close()

const median = (name: string, of: 'perSecond' | 'cpu') => quantile(rates.get(name)?.[of] ?? [], 0.5)
const bases: Record<string, string> = { 'the same, with map fields in use': 'JSON in the shape of OTLP' }
console.log(`${ROUNDS} rounds of ${REQUESTS} requests with ${EVENTS} events\n`)
console.log('| door | bytes a request | µs of processor time an event | speed | wanted |\n|---|---|---|---|---|')
for (const [name, { wanted }] of Object.entries(DOORS)) {
  const base = bases[name] ?? 'JSON, flat'
  const ratio = median(name, 'perSecond') / median(base, 'perSecond')
  const met = wanted === undefined || ratio >= wanted
  if (!met) process.exitCode = 1
  const bytes = bodies.get(name)?.[0]?.length
  const of = base === 'JSON, flat' ? '' : ` of ${base}`
  console.log(
    `| ${name} | ${bytes} | ${median(name, 'cpu').toFixed(1)} | ${ratio.toFixed(2)}${of} | ${wanted ?? ''}${met ? '' : ' MISS'} |`,
  )
}

type LogEvent = Record<string, string | number> & { _time: string; message: string; level: string }

/** What a log record of OTLP with these attributes is stored as. */
function nestedEvent(index: number): string {
  const { _time, message, level, ...custom } = JSON.parse(makeLogEvent(index, now)) as LogEvent
  const resource = { service: { name: 'shop' }, scope: { name: 'bench' } }
  return JSON.stringify({ _time, severity_text: level, body: message, attributes: { custom }, ...resource })
}

function otlpJson(from: number): Buffer {
  const logRecords = Array.from({ length: EVENTS }, (_, i) => {
    const { _time, message, level, ...rest } = JSON.parse(makeLogEvent(from + i, now)) as LogEvent
    const attributes = Object.entries(rest).map(([key, value]) => ({ key, value: jsonValue(value) }))
    return { timeUnixNano: `${Date.parse(_time)}000000`, severityText: level, body: { stringValue: message }, attributes }
  })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
  return Buffer.from(JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'bench' }, logRecords }] }] }))
}

function jsonValue(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
