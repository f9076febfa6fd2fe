/**
 * The HTTP service: records, a store and the registries in, a Fastify app out. Every request gets a trace id, is authenticated
 * before its body is read, is logged in one line, and is answered in the contract's form whatever happens.
 * A resource is added by one file in routes/ and one line here. Deliberately not here: flags, signals, opening a store.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { TRACE_ID_HEADER } from '@deployment-annotations/contract/header'
import { DOCUMENTED } from '@deployment-annotations/contract/schemas/parts'
import { WholeBodies } from '@deployment-annotations/event-store/body/whole-body'
import { measureDisk } from '@deployment-annotations/event-store/disk/free-space'
import { createIngest, type Ingest } from '@deployment-annotations/event-store/ingest'
import type { OpenStore } from '@deployment-annotations/event-store/open-store'
import { runUpkeep } from '@deployment-annotations/event-store/upkeep/upkeep'
import type { Followers } from '@deployment-annotations/records/followers'
import type { Records } from '@deployment-annotations/records/records'
import { LISTS } from '@deployment-annotations/runtime/concurrency/queue-bounds'
import { Turns } from '@deployment-annotations/runtime/concurrency/turns'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import Fastify, { type FastifyInstance } from 'fastify'
import { createAnnotations } from './annotations/annotations.ts'
import { newAnnotationId, newMonitorId } from './annotations/new-id.ts'
import { createDeployments } from './automations/deployments/deployments.ts'
import type { IntegrationRegistry } from './automations/integrations/registry.ts'
import { createEvaluation } from './automations/monitors/evaluation.ts'
import { createMonitors, type Monitors } from './automations/monitors/monitors.ts'
import { createMonitorSource } from './automations/monitors/source.ts'
import { createTimer, type Timer } from './automations/monitors/timer.ts'
import { ClockWatch } from './health/clock-watch.ts'
import { DataFolder } from './health/data-folder.ts'
import { createHealthParts } from './health/parts.ts'
import { addArrivals } from './http/arrivals.ts'
import { addAuth } from './http/auth.ts'
import { addBodyParsers, BODY_BYTES_MAX } from './http/body.ts'
import { addDataGuard } from './http/data-guard.ts'
import { ELASTIC_CLIENT } from './http/elastic-client.ts'
import { addErrorAnswers, answerConnect, answerFrameworkError, answerUnreadable } from './http/error-answers.ts'
import { createFigures, type Figures, type Measured } from './http/figures.ts'
import { addOpenApi } from './http/openapi.ts'
import { addPace, PACE, type Pace } from './http/pace.ts'
import { addRateLimits, createWrongTokenLimit, limitRequests } from './http/rate-limits.ts'
import { addRefresh } from './http/refresh.ts'
import { addRequestLog } from './http/request-log.ts'
import { addRequestRules } from './http/request-rules.ts'
import { SummedLines } from './http/summed-lines.ts'
import { addTurnsOfRequests } from './http/turns-of-requests.ts'
import { createAnnotationSource } from './query/annotation-source.ts'
import { createMeasure } from './query/dataset-size.ts'
import { createQueries } from './query/queries.ts'
import { createSavedQueries } from './query/saved-queries.ts'
import { VirtualFields } from './query/virtual-fields.ts'
import { addAnnotationRoutes } from './routes/annotations.ts'
import { addDashboard } from './routes/dashboard.ts'
import { addDatasetInfoRoutes } from './routes/dataset-info.ts'
import { addDatasetRoutes } from './routes/datasets.ts'
import { addElasticRoutes } from './routes/elastic.ts'
import { addExportRoutes } from './routes/export.ts'
import { addFiguresRoute } from './routes/figures.ts'
import { addHealthRoute } from './routes/health.ts'
import { addIngestRoutes } from './routes/ingest.ts'
import { addIntegrationRoutes } from './routes/integrations.ts'
import { addLanguageRoute } from './routes/language.ts'
import { addMapFieldRoutes } from './routes/map-fields.ts'
import { addMonitorRoutes } from './routes/monitors.ts'
import { addOrganizationRoutes } from './routes/organizations.ts'
import { addOtlpRoutes } from './routes/otlp.ts'
import { addQueryRoutes } from './routes/query.ts'
import { addSavedViewRoutes } from './routes/saved-views.ts'
import { addTokenRoutes } from './routes/tokens.ts'
import { addUserRoutes } from './routes/user.ts'
import { addVirtualFieldRoutes } from './routes/virtual-fields.ts'
import { addWebhookRoutes } from './routes/webhooks.ts'
import type { TokenRegistry } from './tokens/registry.ts'
import { createLocalSource } from './transfer/source.ts'
import { VERSION } from './version.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, as it was registered. */
    routeList: { method: string; url: string }[]
  }
}

export interface ServerParts {
  store: OpenStore
  records: Records
  /** Bring what is in memory up to the records; the registries are among them. */
  followers: Followers
  tokens: TokenRegistry
  integrations: IntegrationRegistry
  log: Log
  /** Rows of one answer at most. */
  queryRowsMax: number
  /** Names that the service goes by, besides those of loopback; any when absent. */
  allowedHosts?: readonly string[] | undefined
  /** Of one token; 0, the default, for any number. */
  requestsPerMinuteMax?: number
  /** Events do not make datasets. */
  strictDatasets: boolean
  /** Whose disk is looked at. */
  dataDir: string
  /** Where the built page is. */
  dashboardDir: string
  /** By default the machine's. */
  clock?: Timer
  /** How long a whole request may take to arrive; by default a minute. */
  requestMsMax?: number
  /** How slow senders and readers may be. */
  pace?: Pace
}

/** A request that is not all here after this long is given up, so that slow senders do not pile up. */
const REQUEST_MS_MAX = 60_000
/** Of it, for its headers. */
const HEADERS_MS_MAX = 20_000
/** Longer path parameters are answered like unknown routes; the longest that is valid has 128 characters. */
const PARAM_LENGTH_MAX = 1_000

/** @returns the app, ready to listen or to be asked by `inject` */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { log, tokens, followers } = parts
  const app = createApp(parts)
  addArrivals(app)
  addTurnsOfRequests(app)
  addRequestLog(app, log)
  const lists = new Turns(LISTS)
  const figures = createFigures(app, measured(parts, lists))
  addRequestRules(app, parts.allowedHosts)
  addPace(app, parts.pace ?? PACE)
  const folder = new DataFolder(parts.dataDir)
  addDataGuard(app, folder)
  addRefresh(app, followers)
  await addRateLimits(app)
  addAuth(app, tokens, createWrongTokenLimit(app), () => (parts.clock ?? Date).now())
  limitRequests(app, parts.requestsPerMinuteMax ?? 0)
  addBodyParsers(app)
  addErrorAnswers(app, log)
  await addOpenApi(app)
  await addRoutes(app, parts, { figures, folder, lists })
  await app.ready()
  return app
}

/** The bare app: its limits, its trace ids, and the headers that every answer has. */
function createApp({ log, requestMsMax = REQUEST_MS_MAX }: ServerParts): FastifyInstance {
  const newTraceId = () => randomUUID().replaceAll('-', '')
  const timeouts = new SummedLines(log)
  const app: FastifyInstance = Fastify({
    // Fastify's own lines have headers and queries in them; ours are written by http/request-log.ts.
    logger: false,
    genReqId: newTraceId,
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMsMax,
    http: {
      headersTimeout: Math.min(HEADERS_MS_MAX, requestMsMax),
      // Node looks only every half a minute otherwise.
      connectionsCheckingInterval: 1_000,
      // Node would answer a missing Host itself, without a body; see http/request-rules.ts.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, constraints: { [ELASTIC_CLIENT.name]: ELASTIC_CLIENT } },
    // While closing, what arrives on open connections is answered properly.
    return503OnClosing: false,
    ajv: {
      // A test looks at the schemas, no start does. Times are read by parseTimestamp, which knows more forms and says what is wrong.
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true, validateSchema: false },
      onCreate: (ajv) => void ajv.addFormat('date-time', true).addKeyword(DOCUMENTED),
    },
    // The compiler holds answers to their schemas. Fastify would build writers at each start, for every status of every route.
    schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } },
    frameworkErrors: (error, request, reply) => answerFrameworkError(error, request, reply, log),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newTraceId(), { log, timeouts }),
  })

  app.server.on('connect', (request, socket) => answerConnect(request, socket, newTraceId(), log))
  app.addHook('onClose', async () => timeouts.end())
  const routeList: { method: string; url: string }[] = []
  app.decorate('routeList', routeList)
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routeList.push({ method: name, url })
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header(TRACE_ID_HEADER, request.id)
    // A browser takes an answer for what it says it is, also where it repeats what a caller sent.
    reply.header('x-content-type-options', 'nosniff')
  })
  return app
}

interface Watched {
  figures: Figures
  folder: DataFolder
  /** Whose turn it is to list annotations. */
  lists: Turns
}

function measured({ store, records, dataDir }: ServerParts, lists: Turns): Measured {
  return {
    waiting: () => ({ ...store.events.waiting(), records: records.waiting ?? 0 }),
    queues: () => ({ ...store.reader.load(), lists: lists.load() }),
    stored: () => store.measure(),
    sizes: () => store.events.sizes.all(),
    limits: () => store.events.sizes.limits,
    disk: () => (existsSync(dataDir) ? measureDisk(dataDir) : undefined),
  }
}

async function addRoutes(app: FastifyInstance, parts: ServerParts, { figures, folder, lists }: Watched): Promise<void> {
  const { records, followers, store, tokens, integrations, log, queryRowsMax, strictDatasets, dashboardDir } = parts
  const { clock = createTimer(Date.now) } = parts
  const { events, reader } = store
  const { now } = clock
  const newId = () => newAnnotationId(now())

  const annotations = createAnnotations({ records, clock: now, newId })
  // Monitors are among what monitors query.
  const sources = [createAnnotationSource(annotations), createMonitorSource(() => monitors)]
  const { geo: database } = store
  const geo = database && (() => database.dictionaries())
  const evaluation = createEvaluation({ events, reader, sources, geo, rowsMax: queryRowsMax })
  const refresh = () => followers.refresh()
  const onRun = figures.addRun
  const monitors: Monitors = createMonitors({ records, evaluation, refresh, clock, log, newMonitorId, newAnnotationId, onRun })

  const clockWatch = new ClockWatch(now, log)
  addHealthRoute(app, {
    parts: createHealthParts({ records, store, folder, clockWatch }),
    damaged: () => store.damagedTables.map(({ dataset }) => dataset),
  })
  addAnnotationRoutes(app, { annotations, catalogue: events.datasets, turns: lists })
  addUserRoutes(app)
  addFiguresRoute(app, figures)
  addTokenRoutes(app, tokens, now)
  const ingest = createIngest({ events, strictDatasets, clock: now, onStored: figures.addIngest })
  await addEventRoutes(app, ingest)
  addDatasetResources(app, { events, reader, now })
  addOrganizationRoutes(app)
  const queries = createQueries({ events, reader, sources, geo, rowsMax: queryRowsMax, clock: now, ending: endingOf(app) })
  await addQueryRoutes(app, queries, createSavedQueries(records, now))
  addLanguageRoute(app, sources)
  addSavedViewRoutes(app, { records, clock: now })
  addMonitorRoutes(app, monitors)
  addIntegrationRoutes(app, { records, dataDir: parts.dataDir, clock: now })
  await addWebhookRoutes(app, createDeployments({ records, integrations, log, clock: now, newId }))
  addExportRoutes(
    app,
    createLocalSource({ records, chunks: store.chunks, settle: () => events.settle(), program: VERSION, isStopped: false }),
  )
  await addDashboard(app, dashboardDir)

  runWhileListening(app, log, (signal) => clockWatch.run(signal))
  runWhileListening(app, log, (signal) => monitors.run(signal))
  runWhileListening(app, log, (signal) => events.sizes.run(log, signal))
  if (database) runWhileListening(app, log, (signal) => database.load(log, signal))
  runWhileListening(app, log, (signal) => runUpkeep(records, events.upkeep, log, signal))
}

/** Datasets, and what is set and told of them. */
function addDatasetResources(
  app: FastifyInstance,
  { events, reader, now }: Pick<OpenStore, 'events' | 'reader'> & { now: () => number },
): void {
  const { datasets } = events
  addDatasetRoutes(app, datasets, now)
  addDatasetInfoRoutes(app, datasets, createMeasure(events, reader))
  addMapFieldRoutes(app, datasets)
  addVirtualFieldRoutes(app, new VirtualFields(datasets))
}

/** @returns a signal that ends what would hold up the close */
function endingOf(app: FastifyInstance): AbortSignal {
  const ending = new AbortController()
  app.addHook('preClose', async () => ending.abort())
  return ending.signal
}

/** Every way in for events: the service's own, and the protocols of others. */
async function addEventRoutes(app: FastifyInstance, ingest: Ingest): Promise<void> {
  const bodies = new WholeBodies()
  await addIngestRoutes(app, ingest)
  await addOtlpRoutes(app, { ingest, bodies })
  await addElasticRoutes(app, { ingest, bodies })
}

/** Work beside the requests: it begins when the service listens, and is at rest before the store is closed. */
function runWhileListening(app: FastifyInstance, log: Log, run: (signal: AbortSignal) => Promise<void>): void {
  const ending = new AbortController()
  let running: Promise<void> | undefined
  app.addHook('onListen', async () => {
    running = run(ending.signal).catch((error: unknown) => log.error({ event: 'error', cause: describeError(error) }))
  })
  app.addHook('preClose', async () => {
    ending.abort()
    await running
  })
}
