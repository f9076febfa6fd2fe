/**
 * The body of every error answer as a schema and types.
 */
import type { Static } from 'typebox'
import { QUERY_ERROR_TYPES } from '../error-body.ts'
import { OneOf } from './parts.ts'
import Type from './type.ts'

const ErrorDetailSchema = Type.Object(
  {
    errorType: OneOf(QUERY_ERROR_TYPES),
    line: Type.Integer(),
    column: Type.Integer(),
    message: Type.String(),
    suggestion: Type.Optional(
      Type.String({ description: 'The whole query with the mistake corrected, where it is known what was meant.' }),
    ),
  },
  { description: 'For errors in a query: what is wrong, and where; `line` and `column` count from 1.' },
)

export const ErrorSchema = Type.Object(
  { code: Type.Integer(), message: Type.String(), detail: Type.Optional(ErrorDetailSchema) },
  { $id: 'Error', title: 'Error', description: '`code` is the HTTP status or, with a 422, says which rule was broken.' },
)

/** Every error answer has both members, but the hosted service's 429; `code` is the HTTP status, or a validation code with a 422. */
export type ErrorBody = Static<typeof ErrorSchema>

/** What is wrong with a query, and where; `line` and `column` count from 1, in UTF-16 units. */
export type ErrorDetail = Static<typeof ErrorDetailSchema>
