/**
 * The error body of the wire contract and its validation codes (see docs/compatibility.md).
 */
import type { Static } from 'typebox'
import type { ErrorDetailSchema, ErrorSchema } from './schemas/error-body.ts'

export { IDEMPOTENCY_KEY_HEADER, TRACE_ID_HEADER } from './rules/header.ts'

/** Every error answer has both members, but the hosted service's 429; `code` is the HTTP status, or a validation code with a 422. */
export type ErrorBody = Static<typeof ErrorSchema>

/** What is wrong with a query, and where; `line` and `column` count from 1, in UTF-16 units. */
export type ErrorDetail = Static<typeof ErrorDetailSchema>

/** By what the author of a query would do next. */
export type QueryErrorType = ErrorDetail['errorType']

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
