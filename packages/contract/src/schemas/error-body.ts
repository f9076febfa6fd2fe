/**
 * The body of every error answer as a schema.
 */

import { QUERY_ERROR_TYPES } from '../rules/query.ts'
import { OneOf } from './parts.ts'
import Type from './type.ts'

export const ErrorDetailSchema = Type.Object(
  {
    errorType: OneOf(QUERY_ERROR_TYPES),
    line: Type.Integer(),
    column: Type.Integer(),
    message: Type.String(),
    suggestion: Type.Optional(
      Type.String({ description: 'The whole query with the mistake mended, where it is known what was meant.' }),
    ),
  },
  { description: 'For errors in a query: what is wrong, and where; `line` and `column` count from 1.' },
)

export const ErrorSchema = Type.Object(
  { code: Type.Integer(), message: Type.String(), detail: Type.Optional(ErrorDetailSchema) },
  { $id: 'Error', title: 'Error', description: '`code` is the HTTP status or, with a 422, says which rule was broken.' },
)
