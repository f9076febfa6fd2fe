/**
 * The error body of the wire contract and its validation codes (see docs/compatibility.md).
 */

/** Every error answer but 429 has both members; `code` is the HTTP status, or a validation code with a 422. */
export interface ErrorBody {
  code?: number
  message: string
  /** Of errors in a query. */
  detail?: ErrorDetail
}

/** What is wrong with a query, and where. */
export interface ErrorDetail {
  /** `syntax`, `unknown_name`, `type_mismatch`, `unsupported` or `limit`. */
  errorType: string
  /** From 1. */
  line: number
  /** From 1, in UTF-16 units. */
  column: number
  message: string
}

/** Codes that say which rule a 422 broke. */
export const VALIDATION_CODES = {
  type: 601,
  required: 602,
  tooLong: 603,
  tooShort: 604,
  pattern: 605,
  enum: 606,
  max: 608,
  min: 609,
  itemsMax: 611,
  itemsMin: 612,
} as const

/** Names one request across the service's answer and its log. */
export const TRACE_ID_HEADER = 'x-axiom-trace-id'

/** A create that repeats this key with the same body is answered with the first one's result, for 24 hours. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
