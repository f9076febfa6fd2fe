/**
 * The HTTP app without its routes: the limits of the server, and the hooks that every request passes, in their order. A request gets a
 * trace id, is authenticated before its body is read, is logged in one line, and is answered in the contract's form whatever happens.
 */
import { TRACE_ID_HEADER } from '@deployment-annotations/contract/header'
import { DOCUMENTED } from '@deployment-annotations/contract/schema'
import type { RecordCaches } from '@deployment-annotations/records/database/record-caches'
import { UNSENT_ANSWERS } from '@deployment-annotations/runtime/concurrency/bounds'
import type { Log } from '@deployment-annotations/runtime/log'
import Fastify, { type FastifyInstance } from 'fastify'
import type { DataDirectory } from '../health/data-directory.ts'
import type { TokenRegistry } from '../tokens/registry.ts'
import { newTraceId } from '../wire/ids.ts'
import { addAuth, guessToken } from './auth.ts'
import { addBodyParsers, BODY_BYTES_MAX } from './body.ts'
import { compressAnswers } from './compression.ts'
import { addCors } from './cors.ts'
import { addErrorAnswers, answerConnect, answerFrameworkError, answerUnreadable } from './error-answers.ts'
import { addHttp2, limitCalls, PREFACE_CODE } from './http2.ts'
import type { Metrics } from './metrics.ts'
import { addOpenApi } from './openapi.ts'
import { takeOneAtATime } from './pipelining.ts'
import { addRateLimits, createWrongTokenLimit, limitRequests } from './rate-limits.ts'
import { ELASTIC_CLIENT } from './request-headers.ts'
import { addRequestLog, RateLimitedLog } from './request-log.ts'
import { addRequestRules, requireData } from './request-rules.ts'
import { limitSlowClients, type SlowClientLimits } from './slow-clients.ts'
import { addTurnsOfRequests, type RequestQueues } from './turns-of-requests.ts'
import { boundUnsentAnswers, UnsentAnswers } from './unsent-answers.ts'
import { compileLazily } from './validators.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods of every route that was registered, by its address. */
    methodsByUrl: Map<string, Set<string>>
  }
  interface FastifyRequest {
    /** When the request came at the latest, by the monotonic clock. */
    arrivedMs: number
  }
}

/** What an operator and a test can choose. */
export interface HttpOptions {
  /** The names of the service besides those of loopback; without it any name is allowed. */
  allowedHosts?: readonly string[] | undefined
  /** The origins of pages that may send from a browser, or `*`; without it none. */
  corsOrigins?: readonly string[] | undefined
  /** How many requests one token may send in a minute; 0, the default, is no limit. */
  requestsPerMinuteMax?: number
  /** How many milliseconds a whole request may take to arrive; by default a minute. */
  requestMsMax?: number
  slowClients?: Partial<SlowClientLimits>
  /** Addresses and networks of proxies, separated by commas, whose X-Forwarded-For says who a caller is. */
  trustedProxies?: string | undefined
  /** Aborted once the service ends: from then on every answer asks its caller to close the connection. */
  draining?: AbortSignal
}

interface HttpParts {
  log: Log
  metrics: Metrics
  dataDirectory: DataDirectory
  tokens: TokenRegistry
  caches: RecordCaches
  turns: RequestQueues
  /** Milliseconds since the epoch. */
  now: () => number
}

/** A request that has not arrived whole after this many milliseconds is given up, so that slow senders do not pile up. */
const REQUEST_MS_MAX = 60_000
/** The part of that time in which its headers have to arrive. */
const HEADERS_MS_MAX = 20_000
/** Longer path parameters are answered like unknown routes; the longest valid one has 128 characters. */
const PARAM_LENGTH_MAX = 1_000

/** @returns the app, to which routes can be added */
export async function createHttpApp(options: HttpOptions, parts: HttpParts): Promise<FastifyInstance> {
  const { log, metrics, dataDirectory, tokens, caches, turns, now } = parts
  const app = createShell(log, options)
  // First, because the time that other hooks take counts too.
  addArrivalTimes(app)
  addRequestLog(app, log)
  metrics.watch(app)
  addCors(app, options.corsOrigins ?? [])
  addTurnsOfRequests(app, turns, (request) => guessToken(request, tokens)?.id ?? '')
  addRequestRules(app, options.allowedHosts)
  limitSlowClients(app, options.slowClients)
  requireData(app, dataDirectory)
  await addRateLimits(app)
  addAuth(app, { tokens, caches, limitWrongTokens: createWrongTokenLimit(app), now })
  limitCalls(app)
  limitRequests(app, options.requestsPerMinuteMax ?? 0)
  addBodyParsers(app)
  addErrorAnswers(app, log)
  if (options.draining) closeConnectionsOf(app, options.draining)
  compressAnswers(app)
  const message = 'answers that nobody read were cut off, because others need the memory'
  const unsent = new UnsentAnswers(UNSENT_ANSWERS, (count) => log.warn({ event: 'answers-cut', message, count }))
  boundUnsentAnswers(app, unsent)
  await addOpenApi(app)
  return app
}

/** The bare app: its limits, its trace ids, and the headers that every answer has. */
function createShell(log: Log, { requestMsMax = REQUEST_MS_MAX, trustedProxies, draining }: HttpOptions): FastifyInstance {
  const timeouts = new RateLimitedLog(log)
  const app: FastifyInstance = Fastify({
    // Fastify's own lines have headers and queries in them; ours are written by request-log.ts.
    logger: false,
    genReqId: newTraceId,
    requestIdHeader: false,
    trustProxy: trustedProxies ?? false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMsMax,
    http: {
      headersTimeout: Math.min(HEADERS_MS_MAX, requestMsMax),
      // By default Node checks the two times only every half a minute.
      connectionsCheckingInterval: 1_000,
      // Node would answer a missing Host itself, without a body; see request-rules.ts.
      requireHostHeader: false,
    },
    // Clients put an address that ends with a slash before a path that begins with one.
    rewriteUrl: ({ url = '' }) => url.replace(/^\/{2,}/, '/'),
    routerOptions: {
      maxParamLength: PARAM_LENGTH_MAX,
      constraints: { [ELASTIC_CLIENT.name]: ELASTIC_CLIENT },
    },
    // While the app closes, requests on open connections are still answered.
    return503OnClosing: false,
    ajv: {
      // Schemas are validated by a test, not at each start. Times are read by parseTimestamp, which knows more forms and says what is wrong.
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true, validateSchema: false },
      onCreate: (ajv) => void ajv.addFormat('date-time', true).addKeyword(DOCUMENTED),
    },
    // The compiler holds answers to their schemas. Fastify would build writers at each start, for every status of every route.
    schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify, buildValidator: compileLazily() } },
    frameworkErrors: (error, request, reply) => answerFrameworkError(error, request, reply, log),
    clientErrorHandler: (error, socket) => {
      if (error.code === PREFACE_CODE) takeHttp2(socket)
      else answerUnreadable(error, socket, newTraceId(), { log, timeouts })
    },
  })

  const takeHttp2 = addHttp2(app, requestMsMax, draining)
  takeOneAtATime(app.server)
  app.server.on('connect', (request, socket) => answerConnect(request, socket, newTraceId(), log))
  app.addHook('onClose', async () => timeouts.flush())
  const methodsByUrl = new Map<string, Set<string>>()
  app.decorate('methodsByUrl', methodsByUrl)
  app.addHook('onRoute', ({ method, url }) => {
    methodsByUrl.set(url, new Set([...(methodsByUrl.get(url) ?? []), method].flat()))
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header(TRACE_ID_HEADER, request.id)
    // Browsers must not guess another type of an answer, which may repeat what a caller sent.
    reply.header('x-content-type-options', 'nosniff')
  })
  return app
}

/** Otherwise a caller could send its next request just when the connection is closed. Those of HTTP/2 are closed in http2.ts. */
function closeConnectionsOf(app: FastifyInstance, draining: AbortSignal): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (draining.aborted && raw.httpVersionMajor === 1) reply.header('connection', 'close')
  })
}

/**
 * Notes when a request came, as far as this process can know. Requests that were there when the event loop came round are handled one
 * after the other, so the last of a thousand has waited for all before it, which nothing else measures.
 */
function addArrivalTimes(app: FastifyInstance): void {
  let turnMs: number | undefined
  app.decorateRequest('arrivedMs', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    if (turnMs === undefined) {
      turnMs = performance.now()
      setImmediate(() => {
        turnMs = undefined
      })
    }
    request.arrivedMs = turnMs
    done()
  })
}
