/**
 * The service's errors: one closed list of codes, one code → status table, one body form.
 * What is not recognized becomes `internal`: its cause goes to the log, its trace id to the caller, nothing else.
 */
import type { ErrorBody, ErrorDetail } from '@deployment-annotations/contract/error-body'
import { cutText } from '@deployment-annotations/contract/text'

const STATUS_OF = {
  malformed: 400,
  query: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  exists: 409,
  changed_meanwhile: 409,
  in_flight: 409,
  not_removable: 409,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  invalid: 422,
  rate_limited: 429,
  headers_too_large: 431,
  query_too_large: 432,
  caller_left: 499,
  internal: 500,
  overloaded: 503,
  unavailable: 503,
  query_timeout: 504,
  storage_full: 507,
} as const

export type ServiceErrorCode = keyof typeof STATUS_OF

/** `Retry-After` in seconds for errors that are likely to pass; a single error may give a better value. */
const RETRY_AFTER_S: Partial<Record<ServiceErrorCode, number>> = {
  in_flight: 1,
  rate_limited: 1,
  overloaded: 1,
  unavailable: 2,
  storage_full: 10,
}

interface ServiceErrorDetails {
  /** The `code` of the body if it is not the status: a validation code. */
  bodyCode?: number
  headers?: Readonly<Record<string, string>>
  /** The position of the error in a query. */
  detail?: ErrorDetail
  /** Whether the request may have taken effect in spite of the error, because an answer was lost or a part of the store took it. */
  mayHaveTakenEffect?: boolean
  cause?: unknown
}

/** An error whose message is meant for the caller. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** If false, it is certain that nothing was done. */
  readonly mayHaveTakenEffect: boolean
  readonly body: ErrorBody

  constructor(code: ServiceErrorCode, message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ServiceError'
    this.code = code
    this.status = STATUS_OF[code]
    const retryAfterS = RETRY_AFTER_S[code]
    this.headers = { ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }), ...details.headers }
    this.mayHaveTakenEffect = details.mayHaveTakenEffect ?? false
    this.body = { code: details.bodyCode ?? this.status, message, ...(details.detail && { detail: details.detail }) }
  }
}

/** @returns a 422 that says which rule was broken; see VALIDATION_CODES */
export function invalid(bodyCode: number, message: string): ServiceError {
  return new ServiceError('invalid', message, { bodyCode })
}

/**
 * @param code `rate_limited` if the caller has its share, `overloaded` if others are the reason
 * @param use a clause that says what is in use
 * @param more after how many seconds the request should be sent again, and what its caller may do instead, such as `or in parts`
 */
export function refuseForNow(
  code: 'rate_limited' | 'overloaded',
  use: string,
  { retryAfterS = 1, instead }: { retryAfterS?: number; instead?: string } = {},
): ServiceError {
  const reason = code === 'rate_limited' ? 'the share of this token is used up' : 'the service is busy'
  const again = `send this one again in ${retryAfterS} s${instead === undefined ? '' : `, ${instead}`}`
  return new ServiceError(code, `${reason}: ${use}; ${again}`, { headers: { 'retry-after': String(retryAfterS) } })
}

const QUOTED_POINTS_MAX = 100

/** Quotes, escapes and truncates a text of the caller for a message. */
export function quoted(text: string): string {
  return JSON.stringify(cutText(text, QUOTED_POINTS_MAX))
}

/** Shows a value of the caller in a message; nested values are only named. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return value.length > 100 ? `${quoted(value)} (${[...value].length} characters)` : quoted(value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return value === null ? 'null' : `${value} (${typeof value})`
}
