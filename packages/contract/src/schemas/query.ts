/**
 * The shapes of queries as schemas and types. Requests are described for the document and for callers: the service reads them in code,
 * because an empty member counts as not given, and integers beyond 2^53 keep all their digits.
 */
import type { Static, TSchema } from 'typebox'
import { DURATION_PATTERN } from '../duration.ts'
import { QUERY_FORMATS, QUERY_KINDS, SAVED_QUERY_ID_PATTERN, type Value } from '../query.ts'
import { VALUE_UNITS } from '../unit.ts'
import { IdParams, OneOf, sent, TIME_OR_RELATIVE, Time } from './parts.ts'
import Type from './type.ts'

/** Empty counts as not given. */
const Instant = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      description,
      anyOf: [...TIME_OR_RELATIVE, { type: 'string', maxLength: 0 }, { type: 'null' }],
    }),
  )

const Cursor = Type.String({
  description: '`status.minCursor`, `status.maxCursor` or a `_rowId` of an earlier answer: the page begins after that row.',
})
const NotEmpty = Type.String({ minLength: 1 })
export const Order = Type.Object({ field: NotEmpty, desc: Type.Boolean() })

export const INTERVAL = {
  /** RFC 3339, or `now`, `now-1h`, `now-1d` … */
  startTime: Instant('RFC 3339, or `now`, `now-1h`, `now-1d` (s m h d w). Included.'),
  endTime: Instant('In the same forms. Not included.'),
  ...sent({
    cursor: Cursor,
    /** The row of the cursor itself comes too. */
    includeCursor: Type.Boolean({ description: 'Whether the page begins with the row of the cursor itself.' }),
    countMatches: Type.Boolean({
      description:
        '`false`: the answer need not say how many rows match, so that a filtered page costs the same however many there are.',
    }),
  }),
} as const

const Named = <T extends TSchema>(schema: T) => Type.Record(Type.String(), schema)
const Scalar = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

export const AplQuerySchema = Type.Object(
  {
    apl: Type.String({ minLength: 1, description: 'The text of the query.', examples: ["['web'] | where status >= 500"] }),
    ...INTERVAL,
    ...sent({
      defaultLimit: Type.Integer({
        minimum: 0,
        description: 'The limit of a query that has none of its own; 0 counts as not given.',
      }),
      includeCursorField: Type.Boolean({
        description: 'Whether a table of rows has a column `_cursor`: each works as `cursor`.',
      }),
      variables: Type.Record(Type.String(), Scalar, { description: 'Values of `let` names in the query.' }),
    }),
  },
  { title: 'Query' },
)

const SaveAsKind = Type.Optional(
  OneOf([...QUERY_KINDS, ''], {
    description: 'Saves the query; the answer has the header `X-Axiom-History-Query-Id`, under which it is found for 30 days.',
  }),
)

export const LegacyParametersSchema = Type.Object({
  saveAsKind: SaveAsKind,
  'streaming-duration': Type.Optional(
    Type.String({
      pattern: `${DURATION_PATTERN.source}|^$`,
      description: 'A query that finds no rows is held until some are stored, for at most this long; a minute at most.',
    }),
  ),
})

export const AplParametersSchema = Type.Object({
  saveAsKind: SaveAsKind,
  format: Type.Optional(OneOf([...QUERY_FORMATS, ''], { description: '`tabular` (by default) or `legacy`.' })),
  cursor: Type.Optional(Type.String({ description: 'The same as in the body, which takes precedence.' })),
  countMatches: Type.Optional(OneOf(['true', 'false', ''], { description: 'The same as in the body, which takes precedence.' })),
})

/** What clients that decode strictly do not know; answered to requests that ask for all members. */
export const OWN_ANSWER_MEMBERS = ['suggestion', 'unit'] as const

const MessageSchema = Type.Object({
  priority: Type.String(),
  count: Type.Integer(),
  code: Type.String(),
  msg: Type.String(),
  suggestion: Type.Optional(Type.String({ description: 'The whole query as it was probably meant.' })),
})

const StatusSchema = Type.Object({
  elapsedTime: Type.Integer({ description: 'Microseconds.' }),
  minCursor: Type.String({ description: 'Cursor of the oldest row of the page, whatever the order.' }),
  maxCursor: Type.String({ description: 'Cursor of the newest row of the page, whatever the order.' }),
  blocksExamined: Type.Integer(),
  rowsExamined: Type.Integer(),
  rowsMatched: Type.Optional(
    Type.Integer({
      description:
        'All rows of the query, with or without a cursor. Absent only where `countMatches` is `false` and it would have to be counted.',
    }),
  ),
  numGroups: Type.Integer(),
  isPartial: Type.Boolean(),
  cacheStatus: Type.Integer(),
  minBlockTime: Time(),
  maxBlockTime: Time(),
  messages: Type.Array(MessageSchema),
})

const FieldSchema = Type.Object({
  name: Type.String(),
  type: Type.String({
    description: '`datetime string integer float boolean array timespan map[string] unknown`, unions joined by `|`.',
  }),
  unit: Type.Optional(OneOf(VALUE_UNITS, { description: 'What its numbers count, where that is known.' })),
  agg: Type.Optional(
    Type.Object({
      name: Type.String(),
      fields: Type.Array(Type.String()),
      args: Type.Optional(Type.Array(Type.Unknown(), { description: 'Its constant arguments, where it has some.' })),
    }),
  ),
})

const BucketsSchema = Type.Object({ field: Type.String(), size: Type.Number({ description: 'Nanoseconds.' }) })

const TableSchema = Type.Object({
  name: Type.String(),
  sources: Type.Array(Type.Object({ name: Type.String() })),
  fields: Type.Array(FieldSchema),
  order: Type.Array(Order),
  groups: Type.Array(Type.Object({ name: Type.String() })),
  range: Type.Object({ field: Type.String(), start: Time(), end: Time() }),
  buckets: Type.Optional(BucketsSchema),
  columns: Type.Array(Type.Array(Type.Unknown()), { description: 'One list of values for each of the fields.' }),
})

const MatchSchema = Type.Object({
  _time: Time(),
  _sysTime: Type.Optional(Time('When it was received; absent if the query removed it.')),
  _rowId: Type.String({ description: 'Works as a cursor.' }),
  data: Named(Type.Unknown()),
})

const NAMES = {
  datasetNames: Type.Array(Type.String()),
  fieldsMetaMap: Named(Type.Array(Type.Unknown())),
} as const

const TabularAnswerSchema = Type.Object({
  format: OneOf(['tabular']),
  status: StatusSchema,
  tables: Type.Array(TableSchema),
  matches: Type.Optional(Type.Array(MatchSchema, { description: 'For queries of rows.' })),
  ...NAMES,
})

const GroupSchema = Type.Object({
  id: Type.Integer({ description: 'The same in `totals` and in every interval of `series`.' }),
  group: Named(Type.Unknown()),
  aggregations: Type.Array(Type.Object({ op: Type.String(), value: Type.Unknown() })),
})

const IntervalSchema = Type.Object({ startTime: Time(), endTime: Time(), groups: Type.Array(GroupSchema) })

export const LegacyAnswerSchema = Type.Object({
  format: OneOf(['legacy']),
  status: StatusSchema,
  matches: Type.Array(MatchSchema),
  buckets: Type.Object({ series: Type.Array(IntervalSchema), totals: Type.Array(GroupSchema) }),
  request: Type.Unsafe<object>({ type: 'object', description: 'The request as it was understood.', additionalProperties: true }),
  ...NAMES,
})

export const AplAnswerSchema = Type.Union([TabularAnswerSchema, LegacyAnswerSchema])

export const SavedQuerySchema = Type.Object({
  id: Type.String(),
  kind: OneOf(QUERY_KINDS),
  dataset: Type.String({ description: 'The dataset that was asked, or the first of several.' }),
  who: Type.String({ description: 'Id of the token that asked.' }),
  created: Time(),
  query: Type.Unsafe<object>({ type: 'object', description: 'The body of the request.', additionalProperties: true }),
})

export const SavedQueryParams = IdParams(SAVED_QUERY_ID_PATTERN, 'As the header of the answer said.')

/** The request of a query in the query language, over `[startTime, endTime)`. */
export type AplQuery<Big = bigint> = Omit<Static<typeof AplQuerySchema>, 'variables'> & {
  /** Values of `let` names in the query. */
  variables?: { [name: string]: Value<Big> }
}

/** Measurements of a query. */
export type QueryStatus = Static<typeof StatusSchema>

/** Something the author should know though the query ran. */
export type QueryMessage = Static<typeof MessageSchema>

/** A column: its name, the types of its values, and how it was aggregated. */
export type QueryField = Static<typeof FieldSchema>

/** Columns side by side: `columns[i]` has the values of `fields[i]`. */
export type Table<Big = bigint> = Omit<Static<typeof TableSchema>, 'columns' | 'buckets'> & {
  buckets?: Omit<Static<typeof BucketsSchema>, 'size'> & {
    /** Nanoseconds. */
    size: number | Big
  }
  columns: Value<Big>[][]
}

/** One event, as stored or as the query left it. */
export type Match<Big = bigint> = Omit<Static<typeof MatchSchema>, 'data'> & { data: { [name: string]: Value<Big> } }

export type TabularAnswer<Big = bigint> = Omit<Static<typeof TabularAnswerSchema>, 'tables' | 'matches'> & {
  tables: Table<Big>[]
  /** The rows, where the query is one of rows. */
  matches?: Match<Big>[]
}

/** One interval of time with its groups. */
export type LegacyInterval = LegacyBuckets['series'][number]

/** One group with its aggregations. */
export type LegacyGroup = LegacyBuckets['totals'][number]

export type LegacyBuckets = Static<typeof LegacyAnswerSchema>['buckets']

export type LegacyAnswer<Big = bigint> = Omit<Static<typeof LegacyAnswerSchema>, 'matches'> & { matches: Match<Big>[] }

/** A query that was saved with `saveAsKind`. */
export type SavedQuery = Static<typeof SavedQuerySchema>
