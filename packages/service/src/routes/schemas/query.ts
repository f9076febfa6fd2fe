/**
 * The operations of queries, as Fastify and the document take them.
 */
import { LegacyFilterSchema, LegacyQuerySchema } from '@deployment-annotations/contract/schemas/legacy-query'
import {
  AplAnswerSchema,
  AplParametersSchema,
  AplQuerySchema,
  type LegacyAnswer,
  LegacyAnswerSchema,
  LegacyParametersSchema,
  OWN_ANSWER_MEMBERS,
  type TabularAnswer,
} from '@deployment-annotations/contract/schemas/query'
import Type from '@deployment-annotations/contract/schemas/type'
import { includeParameter } from '../../http/request-headers.ts'
import { documented, errorAnswers, writtenAnswer } from '../../http/schemas.ts'
import type { JsonBody } from '../../query/answer-body.ts'

export const NAMED = [LegacyFilterSchema]

const tags = ['query']
const include = includeParameter(OWN_ANSWER_MEMBERS)
const ERRORS = errorAnswers(400, 401, 403, 404, 413, 415, 422, 429, 432, 504)
const ANSWER_TEXT = 'Measurements of the query, and its rows.'

export const QUERY = {
  summary: 'Query',
  description: 'Runs a query text. Queries of rows can be paged with `cursor`; see docs/query.md.',
  tags,
  querystring: documented(Type.Object({ ...AplParametersSchema.properties, ...include })),
  body: documented(AplQuerySchema),
  response: { 200: writtenAnswer<JsonBody<TabularAnswer | LegacyAnswer>>(ANSWER_TEXT, AplAnswerSchema), ...ERRORS },
}

export const LEGACY_QUERY = {
  operationId: 'queryLegacy',
  summary: 'Query (legacy)',
  description: 'Filters, groups and aggregations as JSON.',
  tags,
  params: Type.Object({ name: Type.String({ description: 'Name of the dataset.' }) }),
  querystring: documented(Type.Object({ ...LegacyParametersSchema.properties, ...include })),
  body: documented(LegacyQuerySchema),
  response: { 200: writtenAnswer<JsonBody<LegacyAnswer>>(ANSWER_TEXT, LegacyAnswerSchema), ...ERRORS },
}
