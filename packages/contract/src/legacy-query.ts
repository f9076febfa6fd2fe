/**
 * Queries of one dataset as JSON, made of filters, groups and aggregations. The service reads the request in code, because an empty member
 * counts as not given, and integers beyond 2^53 keep all their digits.
 */
import type { Calls } from './call.ts'
import { DURATION_PATTERN } from './duration.ts'
import { operations } from './operation.ts'
import { GIVES_LEGACY, INTERVAL, NOT_EMPTY, ON_QUERIES, ORDER, QUERY_WORDS, SAVE_AS_KIND } from './query.ts'
import { byHand, has, type Infer, list, object, oneOf, optional, schemaOf, sent, text, when, whole } from './schema.ts'

/** The operators that combine filters. */
export const LEGACY_COMBINATIONS = ['and', 'or', 'not'] as const

/** The operators of a filter that tests a field. */
// biome-ignore format: a list
export const LEGACY_TESTS = [
  '==', '!=', '>', '>=', '<', '<=', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'exists', 'not-exists', 'starts-with', 'not-starts-with',
  'ends-with', 'not-ends-with', 'contains', 'not-contains', 'regexp', 'not-regexp',
] as const

// biome-ignore format: a list
export const LEGACY_AGGREGATIONS = [
  'count', 'distinct', 'sum', 'avg', 'min', 'max', 'topk', 'percentiles', 'histogram', 'standardDeviation', 'stdev', 'variance', 'argmin',
  'argmax', 'makeset', 'makelist', 'rate', 'distinctif', 'countif', 'sumif', 'avgif', 'minif', 'maxif',
] as const

export const LEGACY_QUERY_CALLS = {
  query: { call: 'POST /v1/datasets/{name}/query', takes: 'body', include: 'all' },
} as const satisfies Calls

const LIST_OR_NOTHING = 'Empty counts as not given.'

/** The range of 64-bit integers. */
const NUMBER = { type: 'number', minimum: -(2 ** 63), exclusiveMaximum: 2 ** 63 }
const SCALAR = { anyOf: [NUMBER, { type: ['string', 'boolean', 'null'] }] }

const FILTER_OR_NOTHING = { anyOf: [{ $ref: '#/components/schemas/LegacyFilter' }, { type: 'null' }] }

/** One object with what each of its kinds needs as conditions, because generators of clients know no recursion in a choice of forms. */
const LEGACY_FILTER = {
  title: 'LegacyFilter',
  type: 'object',
  properties: {
    op: { enum: [...LEGACY_TESTS, ...LEGACY_COMBINATIONS, '', null], description: 'Empty, or absent with all else: no filter.' },
    field: { type: ['string', 'null'] },
    value: { description: 'A number, a string, a boolean or null.' },
    caseSensitive: { type: ['boolean', 'null'] },
    children: { type: ['array', 'null'], items: FILTER_OR_NOTHING, description: 'Of `and`, `or`, `not`.' },
  },
  ...when(
    { maxProperties: 0 },
    {},
    {
      required: ['op'],
      ...when(has({ op: { enum: LEGACY_TESTS } }), {
        required: ['field'],
        properties: { field: NOT_EMPTY, value: SCALAR },
      }),
    },
  ),
}

const AGGREGATION = object({
  ...sent({ alias: text() }),
  op: oneOf(LEGACY_AGGREGATIONS),
  ...sent({ field: text('`*` for all events, as where it is left out.') }),
  ...optional({
    argument: schemaOf<unknown>({
      anyOf: [...SCALAR.anyOf, { type: 'array', items: SCALAR }, { type: 'object', maxProperties: 0 }],
    }),
  }),
})

const LEGACY_QUERY = object(
  {
    ...INTERVAL,
    ...sent({
      limit: whole('0 counts as not given.', { minimum: 0 }),
      order: list(ORDER, LIST_OR_NOTHING),
    }),
    ...optional({ filter: schemaOf<object | null>({ anyOf: [LEGACY_FILTER, { type: 'null' }] }) }),
    ...sent({
      aggregations: list(AGGREGATION, LIST_OR_NOTHING),
      groupBy: list(NOT_EMPTY, LIST_OR_NOTHING),
      project: list(object({ field: NOT_EMPTY, ...sent({ alias: text() }) }), LIST_OR_NOTHING),
      virtualFields: list(object({ alias: NOT_EMPTY, expr: NOT_EMPTY }), LIST_OR_NOTHING),
      resolution: text('Width of the intervals; `auto` by default.', { pattern: /^(?:auto|[1-9]\d{0,5}(?:ms|s|m|h|d))?$/ }),
    }),
  },
  { title: 'LegacyQuery' },
)

const PARAMETERS = object({
  ...SAVE_AS_KIND,
  ...optional({
    'streaming-duration': text(
      'A query that finds no rows is held until some are stored, for at most this long; a minute at most.',
      { pattern: `${DURATION_PATTERN.source}|^$` },
    ),
  }),
})

export const LEGACY_QUERIES = operations(
  LEGACY_QUERY_CALLS,
  { ...ON_QUERIES, params: { name: text('Name of the dataset.') } },
  {
    query: {
      ...QUERY_WORDS,
      operationId: 'queryLegacy',
      summary: 'Query (legacy)',
      description: 'Filters, groups and aggregations as JSON.',
      query: byHand(PARAMETERS),
      body: byHand(LEGACY_QUERY),
      gives: GIVES_LEGACY,
    },
  },
)

/** The request of a query of one dataset, made of filters, groups and aggregations. */
export type LegacyQuery = Infer<typeof LEGACY_QUERY>
