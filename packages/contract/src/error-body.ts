/**
 * The closed lists of the error body: the validation codes, and the kinds of mistakes in a query (see docs/compatibility.md).
 * Its shape is in schemas/error-body.ts.
 */

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

/** The kinds of mistakes in a query, by what its author would do next: correct the writing, a name, a type; leave something out; make it smaller. */
export const QUERY_ERROR_TYPES = ['syntax', 'unknown_name', 'type_mismatch', 'unsupported', 'limit'] as const

export type QueryErrorType = (typeof QUERY_ERROR_TYPES)[number]
