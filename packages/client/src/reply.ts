/**
 * What the service answered: the reply as errors tell of it, the error that a status means, and bodies taken apart. A 2xx is
 * believed only where its body is what the contract says.
 */
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { TRACE_ID_HEADER } from '@deployment-annotations/contract/header'
import { parseRetryAfter } from '@deployment-annotations/contract/retry-after'
import type { Connection } from './connection.ts'
import {
  AuthError,
  type ClientError,
  ERROR_BODY_CHARS_MAX,
  type ErrorDetails,
  InvalidRequestError,
  NotFoundError,
  ProtocolError,
  RateLimitError,
  RedirectError,
  ServerError,
} from './errors.ts'
import { toLine } from './line.ts'
import type { WireReply } from './transport.ts'

export interface Reply extends WireReply {
  method: string
  /** Of the request. */
  path: string
  /** What an error about this reply says of it; without the token, should the service have echoed it. */
  details: ErrorDetails
  /** When the request went out, in milliseconds since the epoch. */
  sentAtMs: number
}

/** The part of a body that messages are made of: so long that what is left of it holds no part of a token that was cut. */
const READ_CHARS_MAX = 65_536

export function readReply(connection: Connection, sent: Pick<Reply, 'method' | 'path' | 'sentAtMs'>, wire: WireReply): Reply {
  return {
    ...wire,
    ...sent,
    // Read only by errors: to look for the token in each of its spellings takes a millisecond of the step's time.
    get details() {
      const traceId = readHeader(wire, TRACE_ID_HEADER)
      const retryAfterMs = parseRetryAfter(readHeader(wire, 'retry-after'), readHeader(wire, 'date'))
      return dropUndefined({
        method: sent.method,
        path: sent.path,
        status: wire.status,
        body: connection.redact(wire.text.slice(0, READ_CHARS_MAX)).slice(0, ERROR_BODY_CHARS_MAX),
        traceId: traceId && toLine(connection.redact(traceId), 128),
        retryAfterMs,
      })
    },
  }
}

export function readHeader(wire: Pick<WireReply, 'headers'>, name: string): string | undefined {
  const value = wire.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Misdirected, locked and too early: nothing was done, and the same request may be done in a moment (RFC 9110, 4918, 8470). */
export const UNDONE = [421, 423, 425]

/** Browsers show nothing of a redirect, not even its status. */
export const isRedirect = ({ status }: Reply) => status === 0 || (status >= 300 && status < 400)

/** The error that any status but 2xx stands for. @param address without the token. @param said the service's own words, for people; '' where there are none */
export function toResponseError(reply: Reply, address: string, said: string): ClientError {
  const { status, details } = reply
  const answered = `${details.method} ${address} answered ${status}`
  const message = said === '' ? answered : `${answered}: ${said}`
  if (isRedirect(reply)) return new RedirectError(message, details)
  if (status === 401 || status === 403) return new AuthError(message, details)
  if (status === 404) return new NotFoundError(message, details)
  if (status === 429) return new RateLimitError(message, details)
  if ([408, ...UNDONE].includes(status) || status >= 500) return new ServerError(message, details)
  return new InvalidRequestError(message, details)
}

/** The service's own message; of a page made for people, its title. */
export function readMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown }
    const said = [message, error].find((one) => typeof one === 'string')
    if (typeof said === 'string') return said
  } catch {
    const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text.slice(0, READ_CHARS_MAX))?.[1]
    if (title !== undefined) return title
  }
  return text.slice(0, READ_CHARS_MAX)
}

/** For answers whose body says nothing. */
export function parseNothing(_reply: Reply): void {}

/**
 * @param take what is wanted of a body; `undefined` for one that is not `expected`
 * @param parse throws for what is no JSON
 * @returns what reads a reply, or throws a ProtocolError
 */
export function readerOf<T>(
  take: (body: unknown, reply: Reply) => T | undefined,
  expected: string,
  parse: (text: string) => unknown = JSON.parse,
) {
  return (reply: Reply): T => {
    let body: unknown
    try {
      body = parse(reply.text)
    } catch {
      throw unexpected(reply, 'JSON')
    }
    const found = take(body, reply)
    if (found === undefined) throw unexpected(reply, expected)
    return found
  }
}

function unexpected(reply: Reply, expected: string): ProtocolError {
  const { details } = reply
  const { method, path, body } = details
  const got = reply.text === '' ? 'an empty body' : toLine(body ?? '', 200)
  return new ProtocolError(`${method} ${path} answered ${reply.status} without ${expected}: ${got}`, details)
}
