/**
 * One request to the service and its answer: address, headers, redirects, and every failure as a ClientError.
 * Deliberately not here: whether a failed request is repeated (retry.ts).
 */
import { TRACE_ID_HEADER } from '@deployment-annotations/contract/error-body'
import type { Budget } from './budget.ts'
import {
  AuthError,
  CertificateError,
  type ClientError,
  ConnectionError,
  ERROR_BODY_CHARS_MAX,
  type ErrorDetails,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  RedirectError,
  ServerError,
  TimeoutError,
} from './errors.ts'
import { toLine } from './line.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { Transport, WireReply } from './transport.ts'
import { WireError } from './transport.ts'

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL, query included. */
  path: string
  /** JSON text unless `headers` says otherwise. */
  body?: string | Uint8Array
  headers?: Record<string, string>
  /** One attempt may take the whole budget: for what the service itself needs long for. */
  slow?: boolean
  /** A longer reply is given up; default 16 MiB. */
  replyBytesMax?: number
}

export interface Reply {
  status: number
  text: string
  /** What an error about this reply says of it. */
  details: ErrorDetails
}

export interface Connection {
  transport: Transport
  /** With or without a path; never with a trailing slash. */
  baseUrl: URL
  token: string
  userAgent: string
  redact: (text: string) => string
}

const REDIRECTS_MAX = 3
/** More than any list that a person looks at; a reply without end must not fill the memory. */
const REPLY_BYTES_MAX = 16 * 1024 * 1024

/**
 * @returns the reply, its status 2xx
 * @throws ClientError for everything else; the caller's own abort reason where the caller gave up
 */
export async function request(connection: Connection, call: Call, budget: Budget): Promise<Reply> {
  let url = new URL(connection.baseUrl.href.replace(/\/$/, '') + call.path)
  const { limitMs, signal } = budget.startAttempt(call.slow)
  for (let redirects = 0; ; redirects++) {
    const reply = await send(connection, call, url, signal, limitMs, budget)
    if (reply.status >= 200 && reply.status < 300) return toReply(connection, call, reply)
    const target = reply.status >= 300 && reply.status < 400 ? readRedirect(reply, url) : undefined
    if (!target || target.origin !== url.origin || redirects === REDIRECTS_MAX)
      throw toError(connection, call, url, reply, target)
    url = target
  }
}

async function send(connection: Connection, call: Call, url: URL, signal: AbortSignal, limitMs: number, budget: Budget) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${connection.token}`,
    accept: 'application/json',
    'user-agent': connection.userAgent,
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...call.headers,
  }
  const body = call.body === undefined ? {} : { body: call.body }
  try {
    return await connection.transport.send({
      method: call.method,
      url,
      headers,
      ...body,
      signal,
      replyBytesMax: call.replyBytesMax ?? REPLY_BYTES_MAX,
    })
  } catch (error) {
    if (budget.signal.aborted) throw budget.signal.reason
    const wire = error instanceof WireError ? error : new WireError(true, error)
    const details = { method: call.method, path: call.path, sent: wire.sent, cause: wire.cause }
    const tried = `${call.method} ${url.href}`
    if (signal.aborted) throw new TimeoutError(`${tried}: no complete answer within ${seconds(limitMs)}`, details)
    const reason = connection.redact(describeCause(wire.cause))
    if (isCertificateError(wire.cause)) throw new CertificateError(`${tried}: the certificate is not trusted: ${reason}`, details)
    throw new ConnectionError(`${tried}: ${reason}`, details)
  }
}

/** 303 is not followed: it says that the answer to a POST is to be fetched elsewhere, which no annotation service does. */
function readRedirect(reply: WireReply, from: URL): URL | undefined {
  const location = header(reply, 'location')
  return location !== undefined && reply.status !== 303 && URL.canParse(location, from.href)
    ? new URL(location, from.href)
    : undefined
}

function toReply(connection: Connection, call: Call, reply: WireReply): Reply {
  const text = reply.body.toString('utf8')
  const traceId = header(reply, TRACE_ID_HEADER)
  const retryAfterMs = parseRetryAfter(header(reply, 'retry-after'), header(reply, 'date'))
  const details: ErrorDetails = {
    method: call.method,
    path: call.path,
    status: reply.status,
    body: connection.redact(text.slice(0, ERROR_BODY_CHARS_MAX * 2)).slice(0, ERROR_BODY_CHARS_MAX),
    ...(traceId === undefined ? {} : { traceId: connection.redact(toLine(traceId, 128)) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
  return { status: reply.status, text, details }
}

function toError(connection: Connection, call: Call, url: URL, reply: WireReply, target: URL | undefined): ClientError {
  const { status } = reply
  const { text, details } = toReply(connection, call, reply)
  const said = toLine(connection.redact(readMessage(text)), 300)
  const answered = `${call.method} ${url.href} answered ${status}`
  if (status >= 300 && status < 400) {
    const why =
      target === undefined ? 'a redirect that cannot be followed' : describeRedirect(url, connection.redact(target.href))
    return new RedirectError(`${answered}: ${why}`, details)
  }
  const message = said === '' ? answered : `${answered}: ${said}`
  if (status === 401 || status === 403) return new AuthError(message, details)
  if (status === 404) return new NotFoundError(message, details)
  if (status === 429) return new RateLimitError(message, details)
  if (status === 408 || status >= 500) return new ServerError(message, details)
  return new InvalidRequestError(message, details)
}

function describeRedirect(from: URL, target: string): string {
  return target.startsWith(`${from.origin}/`)
    ? `more than ${REDIRECTS_MAX} redirects`
    : `a redirect to ${toLine(target, 200)}, where the token must not go`
}

/** The service's own message; of a page made for people, its title. */
function readMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
    if (typeof message === 'string') return message
  } catch {
    const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text.slice(0, 10_000))?.[1]
    if (title !== undefined) return title
  }
  return text.slice(0, 1_000)
}

function header(reply: WireReply, name: string): string | undefined {
  const value = reply.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function isCertificateError(cause: unknown): boolean {
  const code = readCode(cause)
  return code !== undefined && /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)
}

/** Several addresses were tried: Node then gives one error without a message that holds the others. */
function describeCause(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(describeCause).join('; ')
  if (!(cause instanceof Error)) return toLine(String(cause), 200)
  const code = readCode(cause)
  const message = toLine(cause.message, 200)
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

function readCode(cause: unknown): string | undefined {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : undefined
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}
