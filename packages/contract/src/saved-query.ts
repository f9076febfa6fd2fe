/**
 * Queries that were saved when they were asked, with `saveAsKind`.
 */
import type { Calls } from './call.ts'
import { operations } from './operation.ts'
import { QUERY_KINDS } from './query.ts'
import { type Infer, object, oneOf, schemaOf, text, time } from './schema.ts'

const SAVED_QUERY_ID_PATTERN = /^qry_[0-9a-f]{24}$/

export const SAVED_QUERY_CALLS = {
  /** By the `savedQueryId` of the result of a query with `saveAsKind`. */
  get: { call: 'GET /v1/datasets/_history/{id}', one: 'id' },
} as const satisfies Calls

const SAVED_QUERY = object({
  id: text(),
  kind: oneOf(QUERY_KINDS),
  dataset: text('The dataset that was asked, or the first of several.'),
  who: text('Id of the token that asked.'),
  created: time(),
  query: schemaOf<object>({ type: 'object', description: 'The body of the request.', additionalProperties: true }),
})

export const SAVED_QUERIES = operations(
  SAVED_QUERY_CALLS,
  {
    noun: 'saved query',
    tag: 'query',
    params: { id: text('As the header of the answer said.', { pattern: SAVED_QUERY_ID_PATTERN }) },
    item: SAVED_QUERY,
  },
  { get: { access: 'query|read', answer: 'The query as it was asked.' } },
)

/** A query that was saved with `saveAsKind`. */
export type SavedQuery = Infer<typeof SAVED_QUERY>
