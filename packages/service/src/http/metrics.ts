/**
 * The metrics of this process in Prometheus' format; docs/operate.md says what each means. Counters are raised where things happen,
 * gauges are measured when the metrics are read. Nothing that a caller chose is a label, so that strangers cannot make as many series
 * as they like; names of datasets are only for callers who may list them.
 * Deliberately not here: who may read them (routes/health.ts).
 */
import type { IngestResult } from '@deployment-annotations/contract/event'
import type { GateLoad } from '@deployment-annotations/runtime/concurrency/gate'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from '../version.ts'

/** What is measured when the metrics are read. */
interface MetricSources {
  /** How many requests run and wait in each queue, and what became of them since the start. */
  queues: () => Readonly<Record<string, GateLoad>>
  /** Each in milliseconds, see {@link TIMES}. */
  times: Readonly<Record<keyof typeof TIMES, () => number | Promise<number>>>
  /** The bytes that the events of each dataset take up on disk. */
  sizes: () => Promise<ReadonlyMap<string, number>>
  /** The limits of those bytes. */
  limits: () => { datasetBytesMax?: number | undefined; allBytesMax?: number | undefined }
  /** How many events are stored; `undefined` where the engine does not say. */
  stored: () => Promise<{ parts: number; rows: number; bytes: number } | undefined>
  /** What was acknowledged and may be missing, by what it is. */
  missing: () => Readonly<Record<string, number>>
  /** The disk of the data directory; `undefined` where the directory is gone. */
  disk: () => { freeBytes: number; totalBytes: number } | undefined
}

export interface Metrics {
  /** @returns the metrics in the format that Prometheus reads; @param withDatasets whether datasets may be named */
  read(withDatasets: boolean): Promise<string>
  readonly contentType: string
  /** Measures the requests of the app; must be called before its routes are added. */
  watch(app: FastifyInstance): void
  /** Counts a request with events that was answered. */
  addIngest(result: Pick<IngestResult, 'ingested' | 'failed' | 'processedBytes'>): void
  /** Counts a run of a monitor. */
  addRun(outcome: 'measured' | 'failed'): void
}

const PREFIX = 'annotation_service_'
/** The buckets of request times in seconds, from a lookup to the longest query. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  measureStorage(sources, registers)
  measureQueues(sources, registers)
  measureProcess(sources, registers)
  const datasets = measureDatasets(sources)
  const labelNames = ['outcome'] as const
  const events = new Counter({ name: `${PREFIX}events_total`, help: 'Events received', labelNames, registers })
  const bytes = new Counter({ name: `${PREFIX}event_bytes_total`, help: 'Bytes of events received, uncompressed', registers })
  const runs = new Counter({ name: `${PREFIX}monitor_runs_total`, help: 'Runs of monitors', labelNames, registers })
  return {
    contentType: registry.contentType,
    read: async (withDatasets) => (await registry.metrics()) + (withDatasets ? await datasets.metrics() : ''),
    addIngest({ ingested, failed, processedBytes }) {
      events.inc({ outcome: 'ingested' }, ingested)
      events.inc({ outcome: 'failed' }, failed)
      bytes.inc(processedBytes)
    },
    watch: (app) => watchRequests(app, registers),
    addRun: (outcome) => runs.inc({ outcome }),
  }
}

/** Gauges of Node whose names are those of counters; others without `_total` have the same by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** The values of a gauge by those of its label, or one alone without a label; what is not known has none. */
type Values = Readonly<Record<string, number | undefined>> | readonly [number]

/** @param label empty where there is one value; @param read measures when the metrics are read */
function addGauge(registers: Registry[], name: string, label: string, help: string, read: () => Values | Promise<Values>): void {
  new Gauge({
    name: PREFIX + name,
    help,
    labelNames: label ? [label] : [],
    registers,
    async collect() {
      this.reset()
      for (const [value, count] of Object.entries(await read()))
        if (count !== undefined) this.set(label ? { [label]: value } : {}, count)
    },
  })
}

const MISSING = 'What was acknowledged and may be missing because of damage: requests, datasets of which events are'
const LIMITS = 'What events may take up on disk: those of one dataset, and all of them; nothing where there is no limit'

function measureStorage({ stored, disk, limits, missing }: MetricSources, registers: Registry[]): void {
  addGauge(registers, 'missing', 'kind', MISSING, missing)
  addGauge(registers, 'disk_bytes', 'state', 'Disk of the data directory', () => {
    const { freeBytes, totalBytes } = disk() ?? {}
    return { free: freeBytes, total: totalBytes }
  })
  addGauge(registers, 'stored', 'kind', 'Events in the engine: parts, rows, bytes on disk', async () => ({ ...(await stored()) }))
  addGauge(registers, 'size_limit_bytes', 'scope', LIMITS, () => {
    const { datasetBytesMax, allBytesMax } = limits()
    return { dataset: datasetBytesMax, all: allBytesMax }
  })
}

function measureQueues({ queues }: MetricSources, registers: Registry[]): void {
  const read = (of: (load: GateLoad) => number) =>
    Object.fromEntries(Object.entries(queues()).map(([queue, load]) => [queue, of(load)]))
  addGauge(registers, 'waiting', 'queue', 'What waits now, by what for', () => read(({ waiting }) => waiting))
  addGauge(registers, 'running', 'queue', 'What has a slot now, by queue', () => read(({ running }) => running))
  const counted = {
    started_total: ['What was given a slot, by queue', ({ started }: GateLoad) => started],
    wait_seconds_total: ['How long that waited for its slot, by queue', ({ waitedMs }: GateLoad) => waitedMs / 1_000],
    refused_total: ['What was answered 429 or 503 instead, by queue', ({ refused }: GateLoad) => refused],
  } as const
  for (const [name, [help, of]] of Object.entries(counted)) {
    new Counter({
      name: PREFIX + name,
      help,
      labelNames: ['queue'],
      registers,
      collect() {
        this.reset()
        for (const [queue, count] of Object.entries(read(of))) this.inc({ queue }, count)
      },
    })
  }
}

/** What waits is read from the records by every service, so that it also grows while none does it. */
const TIMES = {
  clock_ahead: "How much later it is by the machine's clock than by that of the records",
  monitor_lag: 'How long the monitor that is due for longest waits for its run',
  verdict_lag: 'How long the release that is due for longest waits to be judged',
} as const

function measureProcess({ times }: MetricSources, registers: Registry[]): void {
  addGauge(registers, 'build_info', 'version', 'Always 1, at the version of this process', () => ({ [VERSION]: 1 }))
  for (const [name, help] of Object.entries(TIMES)) {
    const readMs = async () => times[name as keyof typeof TIMES]()
    addGauge(registers, `${name}_seconds`, '', help, async () => [(await readMs().catch(() => Number.NaN)) / 1_000])
  }
}

/** How many datasets are named, the largest ones: each is a series. */
const DATASETS_MAX = 1_000

/** In a registry of its own, because not everybody who may read metrics may know what datasets there are. */
function measureDatasets({ sizes }: MetricSources): Registry {
  const registry = new Registry()
  addGauge([registry], 'dataset_bytes', 'dataset', 'What the events of each dataset take up on disk', async () => {
    const found = await sizes().catch(() => new Map<string, number>())
    return Object.fromEntries([...found].sort(([, a], [, b]) => b - a).slice(0, DATASETS_MAX))
  })
  return registry
}

/** Measures how long requests take, by the route as it was registered, and how much is sent in answer. */
function watchRequests(app: FastifyInstance, registers: Registry[]): void {
  const labelNames = ['method', 'route', 'status'] as const
  const seconds = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'From the headers of a request to the end of its answer',
    labelNames,
    buckets: BUCKETS,
    registers,
  })
  const sent = new Counter({
    name: `${PREFIX}http_response_bytes_total`,
    help: 'Bytes of answers',
    labelNames: ['route'],
    registers,
  })
  const active = new Gauge({ name: `${PREFIX}http_requests_active`, help: 'Requests under way', registers })
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    const [startedMs, before] = [performance.now(), socket.bytesWritten ?? 0]
    active.inc()
    reply.raw.once('close', () => {
      active.dec()
      const route = request.routeOptions.url ?? 'none'
      // An answer that its caller did not wait for is counted as such, whatever its status was to be.
      const status = reply.raw.writableFinished ? reply.raw.statusCode : 499
      // Without a route, strangers choose the method.
      const method = request.routeOptions.url === undefined ? 'any' : request.method
      seconds.observe({ method, route, status }, (performance.now() - startedMs) / 1_000)
      sent.inc({ route }, Math.max(0, (socket.bytesWritten ?? 0) - before))
    })
  })
}
