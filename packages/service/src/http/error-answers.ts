/**
 * Turns every error into an answer of the contract's error form, and our own faults into lines of the log as well. There are four places
 * where Fastify and Node report errors: handlers, unknown routes, unreadable URLs, unreadable requests.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { TRACE_ID_HEADER } from '@deployment-annotations/contract/header'
import { describeSystemFault } from '@deployment-annotations/event-store/engine/engine-failures'
import { quoted, ServiceError, type ServiceErrorCode } from '@deployment-annotations/runtime/errors'
import { describeError, type Log } from '@deployment-annotations/runtime/log'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRefusals } from './refusals.ts'
import { pathOf, type RateLimitedLog } from './request-log.ts'
import { describeViolation } from './violations.ts'

export function addErrorAnswers(app: FastifyInstance, log: Log): void {
  const refuse = createRefusals()
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const thrown = error.code === QUERY_WITHOUT_TYPE ? describeUnrouted(app, request) : error
    const heldMs = isRefusal(thrown) ? refuse(request, Number(thrown.headers['retry-after'])) : 0
    if (heldMs > 0) await sleep(heldMs)
    return sendError(thrown, request, reply, log)
  })
  // Before the body is read, so that an unknown address is reported rather than a mistake in a body that nobody reads.
  app.addHook('preParsing', async (request) => {
    const path = pathOf(request.url)
    // A path without parameters, such as `/v1/datasets/_apl`, is taken for one with parameters if it has no route for the method.
    const isOfAnotherRoute = request.routeOptions.url !== path && app.methodsByUrl.has(path)
    if (request.is404 || isOfAnotherRoute) throw describeUnrouted(app, request)
  })
  app.setNotFoundHandler((request, reply) => sendError(describeUnrouted(app, request), request, reply, log))
}

/** Whether nothing is wrong with the request, but with how many there are. */
function isRefusal(error: Error): error is ServiceError {
  return error instanceof ServiceError && (error.code === 'rate_limited' || error.code === 'overloaded')
}

/** Fastify's error for a request of the method QUERY, which no route has. */
const QUERY_WITHOUT_TYPE = 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'

function describeUnrouted(app: FastifyInstance, { method, url }: FastifyRequest): ServiceError {
  const path = pathOf(url)
  const allowed = allowedMethods(app, path).join(', ')
  if (allowed === '')
    return new ServiceError('not_found', `${quoted(path)} not found: ${whyAbsent(path) ?? 'this service has nothing there'}`)
  const message = `${method} is not allowed at ${quoted(path)}; use ${allowed}`
  return new ServiceError('method_not_allowed', message, { headers: { allow: allowed } })
}

/** Answers errors of Fastify's own before a route is found, such as a path that cannot be decoded; no hook has run yet. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  reply.header(TRACE_ID_HEADER, request.id)
  log.info({
    event: 'request',
    method: request.method,
    path: pathOf(request.url),
    status: 400,
    durationMs: 0,
    traceId: request.id,
  })
  sendError(error, request, reply, log)
}

interface Logs {
  log: Log
  /** The log of connections on which nothing came in time, which may be as many as there are connections. */
  timeouts: RateLimitedLog
}

/** Answers bytes that are not an HTTP request: there is no reply to send with, only a socket. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket, traceId: string, logs: Logs): void {
  // A connection that was reset has nobody to answer.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code = UNREADABLE[error.code ?? ''] ?? 'malformed'
  const answer = new ServiceError(code, `the request cannot be read: ${error.message}`)
  const line = { event: 'unreadable-request', status: answer.status, reason: error.code ?? error.message }
  if (code === 'request_timeout') logs.timeouts.info(line, { traceId })
  else logs.log.info({ ...line, traceId })
  endSocket(socket, answer, traceId)
}

/** Answers CONNECT, which asks for a tunnel: Node hands over the socket, and no route can have it. */
export function answerConnect({ url = '' }: IncomingMessage, socket: Duplex, traceId: string, log: Log): void {
  const answer = new ServiceError(
    'method_not_allowed',
    `CONNECT is not allowed: ${quoted(url)} is not reached through this service`,
  )
  log.info({ event: 'request', method: 'CONNECT', path: pathOf(url), status: answer.status, durationMs: 0, traceId })
  socket.on('error', () => undefined)
  endSocket(socket, answer, traceId)
}

/** How long a client that goes on sending can read the answer before its connection is closed. */
const LINGER_MS = 1_000

function endSocket(socket: Duplex, { status, code, headers, body }: ServiceError, traceId: string): void {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    [TRACE_ID_HEADER]: traceId,
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${code}\r\n${lines.join('')}\r\n${text}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

const UNREADABLE: Readonly<Record<string, ServiceErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

function sendError(thrown: FastifyError | ServiceError, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const error = recognize(thrown, request.id)
  // A caller that left while it was sending, or before the first bytes of its answer, is not our failure; the request log says that it
  // has gone.
  const code = 'code' in thrown ? thrown.code : undefined
  const callerLeft =
    (code === 'ECONNRESET' && request.raw.destroyed) || (code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed)
  if (error.status >= 500 && !callerLeft)
    log.error({ event: 'error', traceId: request.id, code: error.code, cause: describeError(thrown) })
  return reply.status(error.status).headers(error.headers).type('application/json').send(JSON.stringify(error.body))
}

function recognize(error: FastifyError | ServiceError, traceId: string): ServiceError {
  if (error instanceof ServiceError) return error
  if (error.validation?.[0]) return describeViolation(error.validation[0], error.validationContext)
  const code = FRAMEWORK[error.code]
  if (code) return new ServiceError(code, error.message, { cause: error })
  const message = `something went wrong in the service; its log has the details under trace id ${traceId}`
  return describeSystemFault(error) ?? new ServiceError('internal', message, { cause: error })
}

const FRAMEWORK: Readonly<Record<string, ServiceErrorCode>> = {
  FST_ERR_BAD_URL: 'malformed',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_MAX_PARAM_LENGTH: 'malformed',
}

/** @returns the methods that routes have at this path; a route without parameters takes precedence over one with */
function allowedMethods(app: FastifyInstance, path: string): string[] {
  const ofPath = app.methodsByUrl.get(path)
  if (ofPath) return [...ofPath]
  return [...new Set([...app.methodsByUrl].flatMap(([url, methods]) => (matches(url, path) ? [...methods] : [])))]
}

function matches(pattern: string, path: string): boolean {
  const parts = path.split('/')
  const expected = pattern.split('/')
  // The route that stands for any address is none: it is the page that tells a person that there is nothing.
  if (expected.every((part) => part === '' || part.startsWith(':'))) return pattern === path
  return parts.length === expected.length && expected.every((part, index) => part.startsWith(':') || part === parts[index])
}

/**
 * Endpoints of the hosted service that published clients ask for and that this service does not have: they are answered 404, and the
 * text says that the address is right.
 */
const ABSENT: readonly (readonly [path: RegExp, what: string])[] = [
  [/^\/v2\/dashboards\b/, 'dashboards of charts; it has one page of its own'],
  [/^\/v2\/views\b/, 'queries that are read like datasets'],
  [/^\/v2\/(users|rbac)\b/, 'users and roles: whoever has a token may do what the token may'],
  [/^\/v1\/query\/(_mpl|metrics|batch)\b/, 'queries of metrics'],
  [/^\/v[12]\/datasets\/[^/]+\/fields\/[^/]+$/, 'descriptions and units of single fields; a virtual field can have them'],
  [/^\/(services\/collector|loki\/api)\b/, 'this form of ingest'],
]

/** @returns the reason why there is nothing at an address, `undefined` where nobody would expect something there */
function whyAbsent(path: string): string | undefined {
  const what = ABSENT.find(([pattern]) => pattern.test(path))?.[1]
  return what === undefined ? undefined : `this service does not have ${what}; docs/compatibility.md lists what it has`
}
