/**
 * The figures of this process in Prometheus' format: what each means is in docs/operate.md. Counted where things happen, measured
 * when somebody asks. Nothing that a caller chose is a label, so that strangers cannot make as many series as they like; names of
 * datasets are for those alone who may list them.
 * Deliberately not here: who may read them (routes/figures.ts).
 */
import type { IngestResult } from '@deployment-annotations/contract/schemas/event'
import type { QueueLoad } from '@deployment-annotations/runtime/concurrency/queue-counts'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What is measured when somebody asks. */
export interface Measured {
  /** How many wait, by what for. */
  waiting: () => Readonly<Record<string, number>>
  /** The same of those that wait for a slot, and what became of them since the start. */
  queues: () => Readonly<Record<string, QueueLoad>>
  /** Bytes on disk, by dataset. */
  sizes: () => Promise<ReadonlyMap<string, number>>
  /** Of those bytes. */
  limits: () => { datasetBytesMax?: number | undefined; allBytesMax?: number | undefined }
  /** Of all events; `undefined` where it is not ours to know. */
  stored: () => Promise<{ parts: number; rows: number; bytes: number } | undefined>
  /** Of the disk of the data directory; `undefined` where that is gone. */
  disk: () => { freeBytes: number; totalBytes: number } | undefined
}

export interface Figures {
  /**
   * In the format that Prometheus reads.
   * @param withDatasets whether datasets may be named
   */
  read(withDatasets: boolean): Promise<string>
  readonly contentType: string
  /** A request with events was answered. */
  addIngest(result: IngestResult): void
  /** A monitor ran. */
  addRun(outcome: 'measured' | 'failed'): void
}

const PREFIX = 'annotation_service_'
/** In seconds: from what a lookup takes to what a query may. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** To be called before routes are added. */
export function createFigures(app: FastifyInstance, measured: Measured): Figures {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  watchRequests(app, registers)
  measureWhenAsked(measured, registers)
  measureQueues(measured, registers)
  measureLimits(measured, registers)
  const datasets = measureDatasets(measured)
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
    addRun: (outcome) => runs.inc({ outcome }),
  }
}

function measureWhenAsked({ waiting, queues, stored, disk }: Measured, registers: Registry[]): void {
  new Gauge({
    name: `${PREFIX}waiting`,
    help: 'What waits now, by what for',
    labelNames: ['queue'],
    registers,
    collect() {
      for (const [queue, count] of Object.entries(waiting())) this.set({ queue }, count)
      for (const [queue, load] of Object.entries(queues())) this.set({ queue }, load.waiting)
    },
  })
  new Gauge({
    name: `${PREFIX}disk_bytes`,
    help: 'Disk of the data directory',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset()
      // Where the directory is gone there is none; /healthz says so.
      const { freeBytes, totalBytes } = disk() ?? {}
      if (freeBytes !== undefined) this.set({ state: 'free' }, freeBytes)
      if (totalBytes !== undefined) this.set({ state: 'total' }, totalBytes)
    },
  })
  new Gauge({
    name: `${PREFIX}stored`,
    help: 'Events in the engine: parts, rows, bytes on disk',
    labelNames: ['of'],
    registers,
    async collect() {
      this.reset()
      for (const [of, count] of Object.entries((await stored()) ?? {})) this.set({ of }, count)
    },
  })
}

/** What queues give slots to. */
function measureQueues({ queues }: Measured, registers: Registry[]): void {
  const labelNames = ['queue'] as const
  new Gauge({
    name: `${PREFIX}running`,
    help: 'What has a slot now, by queue',
    labelNames,
    registers,
    collect() {
      for (const [queue, { running }] of Object.entries(queues())) this.set({ queue }, running)
    },
  })
  const counted = {
    begun_total: ['What was given a slot, by queue', ({ begun }: QueueLoad) => begun],
    wait_seconds_total: ['How long that waited for its slot, by queue', ({ waitedMs }: QueueLoad) => waitedMs / 1_000],
    refused_total: ['What was answered 429 or 503 instead, by queue', ({ refused }: QueueLoad) => refused],
  } as const
  for (const [name, [help, of]] of Object.entries(counted)) {
    new Counter({
      name: PREFIX + name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        for (const [queue, load] of Object.entries(queues())) this.inc({ queue }, of(load))
      },
    })
  }
}

function measureLimits({ limits }: Measured, registers: Registry[]): void {
  new Gauge({
    name: `${PREFIX}size_limit_bytes`,
    help: 'What events may take up on disk: those of one dataset, and all of them; nothing where there is no limit',
    labelNames: ['of'],
    registers,
    collect() {
      const { datasetBytesMax, allBytesMax } = limits()
      if (datasetBytesMax !== undefined) this.set({ of: 'dataset' }, datasetBytesMax)
      if (allBytesMax !== undefined) this.set({ of: 'all' }, allBytesMax)
    },
  })
}

/** The largest ones only: each is a series. */
const DATASETS_MAX = 1_000

/** Apart from the others, because not everybody who may read figures may know what datasets there are. */
function measureDatasets({ sizes }: Measured): Registry {
  const registry = new Registry()
  new Gauge({
    name: `${PREFIX}dataset_bytes`,
    help: 'What the events of each dataset take up on disk',
    labelNames: ['dataset'],
    registers: [registry],
    async collect() {
      this.reset()
      const found = await sizes().catch(() => new Map<string, number>())
      const largest = [...found].sort(([, a], [, b]) => b - a).slice(0, DATASETS_MAX)
      for (const [dataset, bytes] of largest) this.set({ dataset }, bytes)
    },
  })
  return registry
}

/** How long requests take, by route as it was registered, and what is sent in answer. */
function watchRequests(app: FastifyInstance, registers: Registry[]): void {
  const labelNames = ['method', 'route', 'status'] as const
  const seconds = new Histogram({
    name: `${PREFIX}http_request_seconds`,
    help: 'From the headers of a request to the end of its answer',
    labelNames,
    buckets: BUCKETS,
    registers,
  })
  const sent = new Counter({
    name: `${PREFIX}http_sent_bytes_total`,
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
      // What the caller left before its end is not what it was to be.
      const status = reply.raw.writableFinished ? reply.raw.statusCode : 499
      // Strangers choose the method where there is no route.
      const method = request.routeOptions.url === undefined ? 'any' : request.method
      seconds.observe({ method, route, status }, (performance.now() - startedMs) / 1_000)
      sent.inc({ route }, Math.max(0, (socket.bytesWritten ?? 0) - before))
    })
  })
}
