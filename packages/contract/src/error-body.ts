/**
 * The body of every error answer, with its closed lists: the validation codes, and the kinds of mistakes in a query (see
 * docs/compatibility.md).
 */
import { type Infer, object, oneOf, optional, text, whole } from './schema.ts'

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
const QUERY_ERROR_TYPES = ['syntax', 'unknown_name', 'type_mismatch', 'unsupported', 'limit'] as const

export type QueryErrorType = (typeof QUERY_ERROR_TYPES)[number]

const ERROR_DETAIL = object(
  {
    errorType: oneOf(QUERY_ERROR_TYPES),
    line: whole(),
    column: whole(),
    message: text(),
    ...optional({ suggestion: text('The whole query with the mistake corrected, where it is known what was meant.') }),
  },
  { description: 'For errors in a query: what is wrong, and where; `line` and `column` count from 1.' },
)

export const ERROR = object(
  { code: whole(), message: text(), ...optional({ detail: ERROR_DETAIL }) },
  { title: 'Error', description: '`code` is the HTTP status or, with a 422, says which rule was broken.' },
)

/** Every error answer has both members, but the hosted service's 429; `code` is the HTTP status, or a validation code with a 422. */
export type ErrorBody = Infer<typeof ERROR>

/** What is wrong with a query, and where; `line` and `column` count from 1, in UTF-16 units. */
export type ErrorDetail = Infer<typeof ERROR_DETAIL>
