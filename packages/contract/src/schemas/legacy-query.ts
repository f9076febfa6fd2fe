/**
 * The request of a legacy query as a schema, for the document and for callers: the service reads it in code, because an empty member
 * counts as not given, and integers beyond 2^53 keep all their digits.
 */
import type { Static } from 'typebox'
import { LEGACY_AGGREGATIONS, LEGACY_COMBINATIONS, LEGACY_TESTS } from '../query.ts'
import { has, OneOf, sent, when } from './parts.ts'
import { INTERVAL, Order } from './query.ts'
import Type from './type.ts'

const NotEmpty = Type.String({ minLength: 1 })
const LIST_OR_NOTHING = { description: 'Empty counts as not given.' }

/** The range of 64-bit integers. */
const NUMBER = { type: 'number', minimum: -(2 ** 63), exclusiveMaximum: 2 ** 63 }
const SCALAR = { anyOf: [NUMBER, { type: ['string', 'boolean', 'null'] }] }

/** One object with what each of its kinds needs as conditions, because generators of clients know no recursion in a choice of forms. */
export const LegacyFilterSchema = Type.Unsafe<object>({
  $id: 'LegacyFilter',
  title: 'LegacyFilter',
  type: 'object',
  properties: {
    op: { enum: [...LEGACY_TESTS, ...LEGACY_COMBINATIONS, '', null], description: 'Empty, or absent with all else: no filter.' },
    field: { type: ['string', 'null'] },
    value: { description: 'A number, a string, a boolean or null.' },
    caseSensitive: { type: ['boolean', 'null'] },
    children: {
      type: ['array', 'null'],
      items: { anyOf: [{ $ref: 'LegacyFilter#' }, { type: 'null' }] },
      description: 'Of `and`, `or`, `not`.',
    },
  },
  ...when(
    { maxProperties: 0 },
    {},
    {
      required: ['op'],
      ...when(has({ op: { enum: LEGACY_TESTS } }), {
        required: ['field'],
        properties: { field: NotEmpty, value: SCALAR },
      }),
    },
  ),
})

const Aggregation = Type.Object({
  ...sent({ alias: Type.String() }),
  op: OneOf(LEGACY_AGGREGATIONS),
  ...sent({ field: Type.String({ description: '`*` for all events, as where it is left out.' }) }),
  argument: Type.Optional(
    Type.Unsafe<unknown>({ anyOf: [...SCALAR.anyOf, { type: 'array', items: SCALAR }, { type: 'object', maxProperties: 0 }] }),
  ),
})

export const LegacyQuerySchema = Type.Object(
  {
    ...INTERVAL,
    ...sent({
      limit: Type.Integer({ minimum: 0, description: '0 counts as not given.' }),
      order: Type.Array(Order, LIST_OR_NOTHING),
    }),
    filter: Type.Optional(Type.Unsafe<object | null>({ anyOf: [{ $ref: 'LegacyFilter#' }, { type: 'null' }] })),
    ...sent({
      aggregations: Type.Array(Aggregation, LIST_OR_NOTHING),
      groupBy: Type.Array(NotEmpty, LIST_OR_NOTHING),
      project: Type.Array(Type.Object({ field: NotEmpty, ...sent({ alias: Type.String() }) }), LIST_OR_NOTHING),
      virtualFields: Type.Array(Type.Object({ alias: NotEmpty, expr: NotEmpty }), LIST_OR_NOTHING),
      resolution: Type.String({
        description: 'Width of the intervals; `auto` by default.',
        pattern: '^(?:auto|[1-9]\\d{0,5}(?:ms|s|m|h|d))?$',
      }),
    }),
  },
  { title: 'LegacyQuery' },
)

/** The request of a query of one dataset, made of filters, groups and aggregations. */
export type LegacyQuery = Static<typeof LegacyQuerySchema>
