/**
 * Everything the client throws. Subclass by what the caller would do next; `docs/errors.md` lists the codes.
 * No message holds a token: texts of the service pass `redact` before they get here.
 */

/** What was asked and what came back; absent members are not known. */
export interface ErrorDetails {
  method?: string
  path?: string
  status?: number
  /** The service's name for the request. */
  traceId?: string
  /** How long the service asked to wait, in milliseconds. */
  retryAfterMs?: number
  /** The reply's body: at most {@link ERROR_BODY_CHARS_MAX} characters. */
  body?: string
  cause?: unknown
  /** Requests of the call that were sent or tried so far, lookups included; default 0. */
  attempts?: number
  /** From the start of the call to this error, in milliseconds; default 0. */
  elapsedMs?: number
  /** Whether the request may have taken effect although no usable answer came back; default false. */
  mayHaveTakenEffect?: boolean
  /** Of a {@link ConnectionError}: false only if certainly nothing reached the service. */
  sent?: boolean
}

export const ERROR_BODY_CHARS_MAX = 1_000

export type ClientErrorCode = 'config' | 'protocol' | ConnectionError['code'] | ResponseError['code']

type Detailed = Readonly<ErrorDetails & Required<Pick<ErrorDetails, 'attempts' | 'elapsedMs' | 'mayHaveTakenEffect'>>>

/** An Error has no such members; the constructor of ClientError sets them. */
const DetailedError = Error as unknown as new (message: string, options?: ErrorOptions) => Error & Detailed

/** An error does not change once it is created; the one that `onRetry` gets and the one thrown in the end are two. */
export abstract class ClientError extends DetailedError {
  abstract readonly code: ClientErrorCode

  constructor(message: string, { cause, ...details }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, { attempts: 0, elapsedMs: 0, mayHaveTakenEffect: false, ...details })
    this.name = new.target.name
  }
}

/** A setting or an argument is wrong; nothing was sent. */
export class ConfigError extends ClientError {
  readonly code = 'config'
}

/** No whole reply came back. */
export class ConnectionError extends ClientError {
  readonly code: 'connection' | 'certificate' | 'tls' | 'proxy' | 'timeout' = 'connection'
  /** False only if certainly nothing reached the service. */
  declare readonly sent: boolean
}

/** The service's certificate is not trusted; nothing was sent. */
export class CertificateError extends ConnectionError {
  override readonly code = 'certificate'
}

/** The two sides cannot agree on TLS: a client certificate is asked for, or the versions are too old; nothing was done. */
export class TlsError extends ConnectionError {
  override readonly code = 'tls'
}

/** The proxy refuses to connect, for example because its password is wrong; nothing was sent. */
export class ProxyError extends ConnectionError {
  override readonly code = 'proxy'
}

/** The time for one attempt or for the whole call is over. */
export class TimeoutError extends ConnectionError {
  override readonly code = 'timeout'
}

/** The service answered, and did not do what was asked. */
export abstract class ResponseError extends ClientError {
  abstract override readonly code: 'auth' | 'not-found' | 'invalid-request' | 'rate-limit' | 'redirect' | 'server'
}

/** 401 or 403: the token is unknown or lacks a permission. */
export class AuthError extends ResponseError {
  readonly code = 'auth'
}

/** 404 */
export class NotFoundError extends ResponseError {
  readonly code = 'not-found'
}

/** Any other 4xx: what was sent has to change. */
export class InvalidRequestError extends ResponseError {
  readonly code = 'invalid-request'
}

/** 429: nothing was done; `retryAfterMs` where the service said. */
export class RateLimitError extends ResponseError {
  readonly code = 'rate-limit'
}

/** 3xx that is not followed: to another origin, without an address, or one too many. */
export class RedirectError extends ResponseError {
  readonly code = 'redirect'
}

/** 408, 421, 423, 425 or 5xx */
export class ServerError extends ResponseError {
  readonly code = 'server'
}

/** A 2xx whose body is not what the contract says: not JSON, cut short, without an id. */
export class ProtocolError extends ClientError {
  readonly code = 'protocol'
}
