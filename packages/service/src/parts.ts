/**
 * The parts that a service is made of, put together from its store, its records and its options. Routes take from them what they need.
 * Deliberately not here: HTTP, flags, and opening the store.
 */
import { existsSync } from 'node:fs'
import { measureDisk } from '@deployment-annotations/event-store/disk/free-space'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import { createIngest } from '@deployment-annotations/event-store/ingest'
import type { RecordCaches } from '@deployment-annotations/records/database/record-caches'
import { type Records, readNow } from '@deployment-annotations/records/database/records'
import { LISTS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import type { Log } from '@deployment-annotations/runtime/log'
import { Annotations } from './annotations/annotations.ts'
import { createDeployments } from './automations/deployments/deployments.ts'
import { Integrations } from './automations/integrations/integrations.ts'
import type { IntegrationRegistry } from './automations/integrations/registry.ts'
import { createEvaluation } from './automations/monitors/evaluation.ts'
import { Monitors } from './automations/monitors/monitors.ts'
import { createMonitorSource } from './automations/monitors/source.ts'
import { Notifiers } from './automations/notifiers/notifiers.ts'
import type { MetricSource } from './automations/releases/metric-sources.ts'
import { ReleaseJudge } from './automations/releases/release-judge.ts'
import { createAnnotationSource } from './automations/releases/source.ts'
import { VersionDetector } from './automations/versions/version-detector.ts'
import { CEILINGS, type Ceilings } from './flags/ceilings.ts'
import { ClockCheck } from './health/clock-check.ts'
import { DataDirectory } from './health/data-directory.ts'
import { HealthChecks } from './health/health.ts'
import { countLosses, countRequests } from './health/integrity.ts'
import type { HttpOptions } from './http/app.ts'
import { WholeBodies } from './http/content-encoding.ts'
import { createMetrics } from './http/metrics.ts'
import { createTurns, type RequestQueues } from './http/turns-of-requests.ts'
import { MessageOutbox, type OutboxOptions } from './outbox/message-outbox.ts'
import { createMeasure } from './query/dataset-size.ts'
import { createQueries } from './query/queries.ts'
import { createSavedQueries } from './query/saved-queries.ts'
import { SavedViews } from './query/saved-views.ts'
import { VirtualFields } from './query/virtual-fields.ts'
import { createTimer, type Timer } from './scheduling/scheduler.ts'
import type { TokenRegistry } from './tokens/registry.ts'
import { createLocalSource } from './transfer/source.ts'
import { VERSION } from './version.ts'

export interface ServerOptions extends HttpOptions {
  events: EventStore
  records: Records
  /** Bring what is in memory, the registries among it, up to what the records say. */
  caches: RecordCaches
  tokens: TokenRegistry
  integrations: IntegrationRegistry
  log: Log
  /** How many rows one answer may have. */
  queryRowsMax: number
  /** Whether events are refused for datasets that have not been created. */
  strictDatasets: boolean
  dataDir: string
  /** Words in the types of annotations that are judged by themselves; by default none are. */
  releaseTypes?: readonly string[]
  /** Fields of events whose values are versions, by which releases are detected; by default none are. */
  versionFields?: readonly string[]
  /** By whose series they are judged besides events. */
  metricSources?: readonly MetricSource[]
  /** How messages are sent; by default to public addresses only, and without email. */
  notifications?: Partial<Pick<OutboxOptions, 'mayBePrivate' | 'smtp' | 'publicUrl' | 'timeoutMs' | 'claimMs'>>
  /** By default those of a service without such flags. */
  ceilings?: Ceilings
  /** The directory of the built page. */
  dashboardDir: string
  /** By default the clock of the records. */
  clock?: Timer
}

export type Parts = ReturnType<typeof createParts>

export function createParts(options: ServerOptions) {
  const { records, caches, events, tokens, integrations, log, dataDir, queryRowsMax: rowsMax } = options
  const { clock = createTimer(records.now), releaseTypes: types = [], versionFields: fields = [], ceilings = CEILINGS } = options
  const { now } = clock
  const ending = new AbortController()
  const { draining = ending.signal } = options
  const turns = createTurns()
  const lists = new Gate(LISTS, { givesWayTo: turns.requests })
  const clockCheck = new ClockCheck(options.clock?.now ?? Date.now, { log, shared: now })
  const lags = { monitors: () => monitors.lagMs(), verdicts: () => judge.lagMs() }
  const times = { monitor_lag: lags.monitors, verdict_lag: lags.verdicts, clock_ahead: () => clockCheck.aheadMs }
  const metrics = createMetrics({ ...metricSources(options, lists, turns), times })

  const annotations = new Annotations(records, now)
  // Queries can read annotations and monitors besides datasets, and monitors run queries.
  const sources = [
    createAnnotationSource({ annotations, isRelease: (type) => judge.isRelease(type) }),
    createMonitorSource(() => monitors),
  ]
  const evaluation = createEvaluation({ events, reader: events.reader, sources, rowsMax })
  const refresh = () => caches.refresh()
  const monitors: Monitors = new Monitors({ records, ceilings, evaluation, refresh, clock, log, onRun: metrics.addRun })
  const queries = createQueries({ events, reader: events.reader, sources, rowsMax, clock: now, ending: ending.signal })
  const own = { records, queries, annotations, refresh, datasets: events.datasets, clock, log }
  const judge = new ReleaseJudge({ ...own, types, sources: options.metricSources })
  const dataDirectory = new DataDirectory(dataDir)
  return {
    log,
    now,
    readNow: () => readNow(records, options.clock?.now),
    tokens,
    caches,
    metrics,
    annotations,
    lists,
    turns,
    sources,
    monitors,
    dataDirectory,
    dashboardDir: options.dashboardDir,
    health: new HealthChecks({ records, events, dataDirectory, clockCheck, lags, turns, draining }),
    datasets: events.datasets,
    measureDataset: createMeasure(events, events.reader),
    virtualFields: new VirtualFields(events.datasets),
    ingest: createIngest({ events, strictDatasets: options.strictDatasets, clock: now, onStored: metrics.addIngest }),
    bodies: new WholeBodies(),
    queries,
    judge,
    versionDetector: new VersionDetector({ ...own, isRelease: judge.isRelease, fields }),
    savedQueries: createSavedQueries(records, now),
    savedViews: new SavedViews({ records, ceilings, clock: now }),
    ...createOutside(options, clock),
    records,
    deployments: createDeployments({ records, integrations, log, clock: now }),
    exported: createExported(options),
    /** Aborted when the service closes: it ends the work beside the requests, and queries that wait for rows. */
    ending,
    clockCheck,
  }
}

function createExported({ records, events: { chunks, settle } }: ServerOptions) {
  return createLocalSource({ records, chunks, settle, program: VERSION, isStopped: false })
}

/** What comes from elsewhere, and goes there. */
function createOutside({ records, ceilings = CEILINGS, dataDir, log, notifications = {} }: ServerOptions, clock: Timer) {
  const { mayBePrivate = false, smtp } = notifications
  return {
    outbox: new MessageOutbox({ ...notifications, mayBePrivate, records, dataDir, clock, log }),
    integrations: new Integrations({ records, dataDir, clock: clock.now }),
    notifiers: new Notifiers({ records, ceilings, dataDir, clock: clock.now, mayBePrivate, hasSmtp: smtp !== undefined }),
  }
}

function metricSources({ events, records, dataDir }: ServerOptions, lists: Gate, { requests, bodies }: RequestQueues) {
  const { reader } = events
  const loadOf = () => ({ ...events.load(), records: records.load(), ...reader.load(), lists: lists.load() })
  return {
    queues: () => ({ ...loadOf(), requests: requests.load(), bodies: bodies.load() }),
    stored: () => events.tables.measure(),
    sizes: () => events.sizes.all(),
    limits: () => events.sizes.limits,
    missing: () => {
      const { datasets, tables, records: problems, ...losses } = countLosses(events, records)
      return { requests: countRequests(losses), datasets, tables, records: problems }
    },
    disk: () => (existsSync(dataDir) ? measureDisk(dataDir) : undefined),
  }
}
