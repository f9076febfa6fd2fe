/**
 * One request to the service and its answer: address, headers, redirects, and every failure as a ClientError.
 * Deliberately not here: whether a failed request is repeated (retry.ts).
 */
import { hideLogin } from '@deployment-annotations/contract/address'
import type { Connection } from './connection.ts'
import { CertificateError, ConfigError, ConnectionError, ProxyError, TimeoutError, TlsError } from './errors.ts'
import { toLine } from './line.ts'
import { isRedirect, type Reply, readHeader, readMessage, readReply, toResponseError } from './reply.ts'
import type { Attempt } from './retry.ts'
import { isCertificateError, isWireError, PROXY_REFUSED, readCode, WireError, type WireReply } from './transport.ts'

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL. */
  path: string
  /** Parameters of the address: a list is separated by commas, and what is empty is left out. */
  query?: object | undefined
  /** Text and bytes go as they are, and are JSON unless `headers` say otherwise; any other value is written as JSON. */
  body?: unknown
  headers?: Readonly<Record<string, string>> | undefined
  /** Share of the time that is left that one attempt may take, for what takes the service long; by default a third of all, 10 s at most. */
  attemptShare?: number
  /** A longer reply is given up; default 16 MiB. */
  replyBytesMax?: number
}

const REDIRECTS_MAX = 3
/** More than any list that a person looks at; a reply without end must not fill the memory. */
const REPLY_BYTES_MAX = 16 * 1024 * 1024

/**
 * @returns the reply, its status 2xx
 * @throws ClientError for everything else; the caller's own abort reason where the caller gave up
 */
export async function sendRequest(connection: Connection, asked: ApiRequest, attempt: Attempt): Promise<Reply> {
  const request = { ...asked, path: pathWith(asked.path, asked.query) }
  let url = toUrl(connection, request)
  for (let redirects = 0; ; redirects++) {
    const sentAtMs = connection.clock.now()
    const wire = await exchange(connection, { ...request, url, attempt })
    const reply = readReply(connection, { method: request.method, path: request.path, sentAtMs }, wire)
    if (reply.status >= 200 && reply.status < 300) return reply
    const next = isRedirect(reply)
      ? readRedirect(connection, reply, url)
      : toLine(connection.redact(readMessage(reply.text)), 300)
    if (typeof next === 'string') throw toResponseError(reply, connection.redact(url.href), next)
    if (redirects === REDIRECTS_MAX)
      throw toResponseError(reply, connection.redact(url.href), `more than ${REDIRECTS_MAX} redirects`)
    url = next
  }
}

function pathWith(path: string, parameters: object = {}): string {
  const given = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value ?? '')])
  const query = new URLSearchParams(given.filter(([, value]) => value !== ''))
  return query.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
}

/** @throws ConfigError for an id or a name that would lead to another path */
function toUrl({ baseUrl }: Connection, { path }: ApiRequest): URL {
  const [names = ''] = path.split('?')
  // They are escaped, and these have nothing to escape: an address is the same without them, or one further up.
  if (names !== '/' && names.split('/').some((name, index) => index > 0 && ['', '.', '..'].includes(name)))
    throw new ConfigError(`an id or a name must not be empty, "." or "..", as in ${JSON.stringify(path)}`)
  return new URL(baseUrl.href.replace(/(?<!\/)\/+$/, '') + path)
}

/** A request on its way to an address, after redirects perhaps another one. */
type Exchange = ApiRequest & { url: URL; attempt: Attempt }

async function exchange(connection: Connection, request: Exchange): Promise<WireReply> {
  const { method, url, replyBytesMax = REPLY_BYTES_MAX } = request
  const { signal } = request.attempt
  const body = writeBody(request.body)
  const type = body !== undefined && { 'content-type': 'application/json' }
  const headers = { ...connection.headers, ...type, ...request.headers }
  try {
    return await connection.transport.send({ method, url, headers, body, signal, replyBytesMax })
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw toConnectionError(connection, request, error)
  }
}

function writeBody(body: unknown): string | Uint8Array | undefined {
  // Bytes may be of another realm.
  return typeof body === 'string' || ArrayBuffer.isView(body) ? (body as string | Uint8Array) : JSON.stringify(body)
}

function toConnectionError(connection: Connection, request: Exchange, error: unknown): ConnectionError {
  const { method, path, url, attempt } = request
  const { sent, cause } = isWireError(error) ? error : new WireError(true, error)
  const details = { method, path, sent, cause }
  const tried = `${method} ${connection.redact(url.href)}`
  if (attempt.signal.aborted)
    return new TimeoutError(`${tried}: no complete answer within ${Math.round(attempt.limitMs / 100) / 10} s`, details)
  const reason = connection.redact(describeCause(cause))
  if (isCertificateError(cause)) return new CertificateError(`${tried}: the certificate is not trusted: ${reason}`, details)
  if (readCode(cause) === PROXY_REFUSED) return new ProxyError(`${tried}: ${reason}`, { ...details, sent: false })
  const handshake = TLS_REFUSALS.find(([alert]) => alert.test(reason))
  if (handshake) return new TlsError(`${tried}: ${handshake[1]}: ${reason}`, { ...details, sent: false })
  return new ConnectionError(`${tried}: ${reason}`, details)
}

/**
 * 303 is not followed: it says that the answer to a POST is to be fetched elsewhere, which no annotation service does.
 * @returns where the request goes next, or why it does not
 */
function readRedirect({ redact }: Connection, reply: Reply, from: URL): URL | string {
  const location = readHeader(reply, 'location')
  if (location === undefined || reply.status === 303 || !URL.canParse(location, from.href))
    return 'a redirect that cannot be followed'
  const target = new URL(location, from.href)
  if (target.origin === from.origin) return target
  return `a redirect to ${toLine(redact(hideLogin(target.href)), 200)}, where the token must not go`
}

/** OpenSSL's words for what the other side refuses in a handshake, and what they mean. */
const TLS_REFUSALS: readonly [RegExp, string][] = [
  [
    /alert (?:certificate required|bad certificate|handshake failure)/,
    'the server asks for a client certificate, or shares no cipher',
  ],
  [/alert protocol version|unsupported protocol|alert insufficient security/, 'the server speaks no version of TLS from 1.2 on'],
]

/** Several addresses were tried: Node then gives one error without a message that holds the others. */
function describeCause(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(describeCause).join('; ')
  if (!(cause instanceof Error)) return toLine(String(cause), 200)
  const code = readCode(cause)
  const message = toLine(cause.message, 200)
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}
