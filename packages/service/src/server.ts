/**
 * The HTTP service: a store and a token registry in, a Fastify app out. Every request gets a trace id, is authenticated
 * before its body is read, is logged in one line, and is answered in the contract's form whatever happens.
 * A resource is added by one file in routes/ and one line here. Deliberately not here: flags, signals, opening a store.
 */
import { randomBytes } from 'node:crypto'
import { TRACE_ID_HEADER } from '@deployment-annotations/contract/error-body'
import Fastify, { type FastifyInstance } from 'fastify'
import { createAnnotations } from './annotations/annotations.ts'
import { newAnnotationId } from './annotations/new-id.ts'
import { addDeployments, addMonitors } from './automations/automations.ts'
import type { IntegrationRegistry } from './automations/integrations/registry.ts'
import { createEvaluation } from './automations/monitors/evaluation.ts'
import { createTimer, type Timer } from './automations/monitors/timer.ts'
import type { EventStore } from './events/event-store.ts'
import { createIngest } from './events/ingest.ts'
import { addAuth } from './http/auth.ts'
import { addBodyParsers, BODY_BYTES_MAX } from './http/body.ts'
import { addErrorAnswers, answerFrameworkError, answerUnreadable } from './http/error-answers.ts'
import { addOpenApi } from './http/openapi.ts'
import { addRequestLog } from './http/request-log.ts'
import type { Log } from './log.ts'
import { createQueries, ROWS_MAX } from './query/queries.ts'
import { addAnnotationRoutes } from './routes/annotations.ts'
import { addDashboard } from './routes/dashboard.ts'
import { addDatasetRoutes } from './routes/datasets.ts'
import { addHealthRoute } from './routes/health.ts'
import { addIngestRoutes } from './routes/ingest.ts'
import { addLanguageRoute } from './routes/language.ts'
import { addQueryRoutes } from './routes/query.ts'
import { addTokenRoutes } from './routes/tokens.ts'
import { addUserRoute } from './routes/user.ts'
import type { MonitorStore } from './store/monitor-store.ts'
import type { Reader } from './store/reading/reader.ts'
import type { Store } from './store/store.ts'
import type { TokenRegistry } from './tokens/registry.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, as it was registered. */
    routeList: { method: string; url: string }[]
  }
}

export interface ServerParts {
  store: Store
  tokens: TokenRegistry
  log: Log
  /** Without it, there are only annotations. */
  events?: EventStore
  /** Without them, no webhooks are received. */
  integrations?: IntegrationRegistry
  /** Queries of the events. */
  reader?: Reader
  /** Where monitors are kept; they need events and a reader. `elsewhere`: another service on the same tables has them. */
  monitors?: MonitorStore | 'elsewhere'
  /** Rows of one answer at most. */
  queryRowsMax?: number
  /** Events do not make datasets. */
  strictDatasets?: boolean
  /** Where the built page is; without it, there is no page. */
  dashboardDir?: string
  /** Milliseconds since the epoch. */
  clock?: () => number
  /** How monitors wait for their time; by default as long as it takes. */
  waitUntil?: Timer['waitUntil']
}

/** A request that is not all here after this long is given up, so that slow senders do not pile up. */
const REQUEST_MS_MAX = 60_000
/** Longer path parameters are answered like unknown routes; the longest that is valid has 128 characters. */
const PARAM_LENGTH_MAX = 1_000

/** @returns the app, ready to listen or to be asked by `inject` */
export async function buildServer({
  store,
  tokens,
  log,
  events,
  integrations,
  reader,
  monitors: monitorStore,
  queryRowsMax = ROWS_MAX,
  strictDatasets = false,
  dashboardDir,
  clock = Date.now,
  waitUntil = createTimer(clock).waitUntil,
}: ServerParts): Promise<FastifyInstance> {
  const newTraceId = () => randomBytes(16).toString('hex')
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: newTraceId,
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    // While closing, what arrives on open connections is answered properly.
    return503OnClosing: false,
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true },
      // Times are read by parseTimestamp, which knows more forms than the validator and tells what is wrong.
      onCreate: (ajv) => void ajv.addFormat('date-time', true),
    },
    frameworkErrors: (error, request, reply) => answerFrameworkError(error, request, reply, log),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newTraceId(), log),
  })

  const routeList: { method: string; url: string }[] = []
  app.decorate('routeList', routeList)
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routeList.push({ method: name, url })
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header(TRACE_ID_HEADER, request.id)
    // A browser takes an answer for what it says it is, also where it repeats what somebody sent.
    reply.header('x-content-type-options', 'nosniff')
  })
  addRequestLog(app, log)
  addAuth(app, tokens)
  addBodyParsers(app)
  addErrorAnswers(app, log)
  await addOpenApi(app)

  addHealthRoute(app, store)
  const annotations = createAnnotations({ store: store.annotations, clock, newId: () => newAnnotationId(clock()) })
  addAnnotationRoutes(app, annotations)
  addUserRoute(app)
  addTokenRoutes(app, tokens)
  if (events) {
    await addIngestRoutes(app, createIngest({ events, strictDatasets, clock }))
    addDatasetRoutes(app, events.datasets, clock)
    if (reader) {
      await addQueryRoutes(app, createQueries({ datasets: events.datasets, reader, rowsMax: queryRowsMax, clock }))
      addLanguageRoute(app)
    }
  }
  if (events && reader && monitorStore) {
    const evaluation = createEvaluation(events.datasets, reader, queryRowsMax)
    await addMonitors(app, monitorStore, { annotations, evaluation, clock: { now: clock, waitUntil }, log })
  }
  if (integrations) await addDeployments(app, { store: store.deployments, annotations, integrations, log, clock })
  if (dashboardDir !== undefined) await addDashboard(app, dashboardDir)

  await app.ready()
  return app
}
