/**
 * Queries in the query language: what is asked, and what is answered in either format. The service reads requests in code, because an
 * empty member counts as not given, and integers beyond 2^53 keep all their digits. Deliberately not here: the request of a legacy query
 * (legacy-query.ts), and what a query means.
 */
import type { Calls } from './call.ts'
import { operations } from './operation.ts'
import { TIME_OR_RELATIVE } from './relative-time.ts'
import {
  anyOf,
  byHand,
  flag,
  type Infer,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  type Schema,
  schemaOf,
  sent,
  text,
  time,
  whole,
} from './schema.ts'
import { VALUE_UNITS } from './unit.ts'

/**
 * A value of an event, or computed from some.
 * @typeParam Big what a reader makes of integers beyond 2^53, which a double cannot hold
 */
export type Value<Big = bigint> = string | number | boolean | null | Big | Value<Big>[] | { [name: string]: Value<Big> }

export const QUERY_FORMATS = ['tabular', 'legacy'] as const
export type QueryFormat = (typeof QUERY_FORMATS)[number]

/** What a query is saved as: one of the query language, or a legacy one that asked for aggregations or for rows. */
export const QUERY_KINDS = ['apl', 'analytics', 'stream'] as const
export type QueryKind = (typeof QUERY_KINDS)[number]
/** The header of the answer to a query with `saveAsKind`: the id under which the query was saved. */
export const HISTORY_QUERY_ID_HEADER = 'x-axiom-history-query-id'
/** The column with each row's cursor, in answers to queries that ask for it. No field of an event has this name. */
export const CURSOR_COLUMN = '_cursor'

const QUERY_PATH = '/v1/datasets/_apl'

/** @returns the query endpoint with the format of its answer */
export function queryPath(format: QueryFormat): string {
  return `${QUERY_PATH}?format=${format}`
}

const QUERY_CALLS = {
  apl: { call: `POST ${QUERY_PATH}`, takes: 'body', include: 'all' },
  /** The same endpoint at the address that clients of the edge use. */
  aplShort: { call: 'POST /v1/query/_apl', takes: 'body', include: 'all' },
} as const satisfies Calls

/** Empty counts as not given. */
const instant = (description: string) =>
  schemaOf<string>({ description, anyOf: [...TIME_OR_RELATIVE, text('', { maxLength: 0 }), { type: 'null' }] })

export const NOT_EMPTY = text('', { minLength: 1 })
export const ORDER = object({ field: NOT_EMPTY, desc: flag() })

/** What every query can say of the interval and the page that it is about. */
export const INTERVAL = {
  ...optional({
    startTime: instant('RFC 3339, or `now`, `now-1h`, `now-1d` (s m h d w). Included.'),
    endTime: instant('In the same forms. Not included.'),
  }),
  ...sent({
    cursor: text('`status.minCursor`, `status.maxCursor` or a `_rowId` of an earlier answer: the page begins after that row.'),
    includeCursor: flag('Whether the page begins with the row of the cursor itself.'),
    countMatches: flag(
      '`false`: the answer need not say how many rows match, so that a filtered page costs the same however many there are.',
    ),
  }),
}

const ANYTHING = schemaOf<unknown>({})
const SCALAR = schemaOf<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

const APL_QUERY = object(
  {
    apl: text('The text of the query.', { minLength: 1, examples: ["['web'] | where status >= 500"] }),
    ...INTERVAL,
    ...sent({
      defaultLimit: whole('The limit of a query that has none of its own; 0 counts as not given.', { minimum: 0 }),
      includeCursorField: flag('Whether a table of rows has a column `_cursor`: each works as `cursor`.'),
      variables: record(SCALAR, 'Values of `let` names in the query.'),
    }),
  },
  { title: 'Query' },
)

/** The parameter that saves a query. */
export const SAVE_AS_KIND = optional({
  saveAsKind: oneOf(
    [...QUERY_KINDS, ''],
    'Saves the query; the answer has the header `X-Axiom-History-Query-Id`, under which it is found for 30 days.',
  ),
})

const APL_PARAMETERS = object({
  ...SAVE_AS_KIND,
  ...optional({
    format: oneOf([...QUERY_FORMATS, ''], '`tabular` (by default) or `legacy`.'),
    cursor: text('The same as in the body, which takes precedence.'),
    countMatches: oneOf(['true', 'false', ''], 'The same as in the body, which takes precedence.'),
  }),
})

const MESSAGE = object({
  priority: text(),
  count: whole(),
  code: text(),
  msg: text(),
  ...optional({ suggestion: text('The whole query as it was probably meant.') }),
  ...optional({ unindexed: object({ dataset: text(), field: text('It may be one of `indexedFields` of the dataset.') }) }),
})

const STATUS = object({
  elapsedTime: whole('Microseconds.'),
  minCursor: text('Cursor of the oldest row of the page, whatever the order.'),
  maxCursor: text('Cursor of the newest row of the page, whatever the order.'),
  blocksExamined: whole(),
  rowsExamined: whole(),
  ...optional({
    rowsMatched: whole(
      'All rows of the query, with or without a cursor. Absent only where `countMatches` is `false` and it would have to be counted.',
    ),
  }),
  numGroups: whole(),
  isPartial: flag(),
  cacheStatus: whole(),
  minBlockTime: time(),
  maxBlockTime: time(),
  messages: list(MESSAGE),
})

const FIELD = object({
  name: text(),
  type: text('`datetime string integer float boolean array timespan map[string] unknown`, unions joined by `|`.'),
  ...optional({
    unit: oneOf(VALUE_UNITS, 'What its numbers count, where that is known.'),
    agg: object({
      name: text(),
      fields: list(text()),
      ...optional({ args: list(ANYTHING, 'Its constant arguments, where it has some.') }),
    }),
  }),
})

const BUCKETS = object({ field: text(), size: number('Nanoseconds.') })

const TABLE = object({
  name: text(),
  sources: list(object({ name: text() })),
  fields: list(FIELD),
  order: list(ORDER),
  groups: list(object({ name: text() })),
  range: object({ field: text(), start: time(), end: time() }),
  ...optional({ buckets: BUCKETS }),
  columns: list(list(ANYTHING), 'One list of values for each of the fields.'),
})

const MATCH = object({
  _time: time(),
  ...optional({ _sysTime: time('When it was received; absent if the query removed it.') }),
  _rowId: text('Works as a cursor.'),
  data: record(ANYTHING),
})

const NAMES = { datasetNames: list(text()), fieldsMetaMap: record(list(ANYTHING)) }

const TABULAR_ANSWER = object({
  format: oneOf(['tabular']),
  status: STATUS,
  tables: list(TABLE),
  ...optional({ matches: list(MATCH, 'For queries of rows.') }),
  ...NAMES,
})

const GROUP = object({
  id: whole('The same in `totals` and in every interval of `series`.'),
  group: record(ANYTHING),
  aggregations: list(object({ op: text(), value: ANYTHING })),
})

const LEGACY_ANSWER = object({
  format: oneOf(['legacy']),
  status: STATUS,
  matches: list(MATCH),
  buckets: object({
    series: list(object({ startTime: time(), endTime: time(), groups: list(GROUP) })),
    totals: list(GROUP),
  }),
  request: schemaOf<object>({
    type: 'object',
    description: 'The request as it was understood.',
    additionalProperties: true,
  }),
  ...NAMES,
})

/** What queries in either form are as operations. */
export const ON_QUERIES = {
  noun: 'query',
  tag: 'query',
  // What clients that decode strictly do not know.
  own: ['suggestion', 'unindexed', 'unit'],
} as const
/** What queries in either form say of themselves. */
export const QUERY_WORDS = {
  access: 'query|read',
  answer: 'Measurements of the query, and its rows.',
  errors: [404, 429, 432, 504],
  errorTexts: { 404: 'There is no such dataset.' },
} as const
export const GIVES_LEGACY = LEGACY_ANSWER as Schema<LegacyAnswer>

const APL_WORDS = {
  ...QUERY_WORDS,
  summary: 'Query',
  description: 'Runs a query text. Queries of rows can be paged with `cursor`; see docs/query.md.',
  query: byHand(APL_PARAMETERS),
  body: byHand(APL_QUERY),
  gives: anyOf(TABULAR_ANSWER as Schema<TabularAnswer>, GIVES_LEGACY),
} as const

export const QUERIES = operations(QUERY_CALLS, ON_QUERIES, {
  apl: { ...APL_WORDS, operationId: 'queryApl' },
  aplShort: { ...APL_WORDS, operationId: 'queryAplShort' },
})

/** The request of a query in the query language, over `[startTime, endTime)`. */
export type AplQuery<Big = bigint> = Omit<Infer<typeof APL_QUERY>, 'variables'> & {
  /** Values of `let` names in the query. */
  variables?: { [name: string]: Value<Big> }
}

/** Measurements of a query. */
export type QueryStatus = Infer<typeof STATUS>

/** Something the author should know though the query ran. */
export type QueryMessage = Infer<typeof MESSAGE>

/** A column: its name, the types of its values, and how it was aggregated. */
export type QueryField = Infer<typeof FIELD>

/** Columns side by side: `columns[i]` has the values of `fields[i]`. */
export type Table<Big = bigint> = Omit<Infer<typeof TABLE>, 'columns' | 'buckets'> & {
  buckets?: Omit<Infer<typeof BUCKETS>, 'size'> & {
    /** Nanoseconds. */
    size: number | Big
  }
  columns: Value<Big>[][]
}

/** One event, as stored or as the query left it. */
export type Match<Big = bigint> = Omit<Infer<typeof MATCH>, 'data'> & { data: { [name: string]: Value<Big> } }

export type TabularAnswer<Big = bigint> = Omit<Infer<typeof TABULAR_ANSWER>, 'tables' | 'matches'> & {
  tables: Table<Big>[]
  /** The rows, where the query is one of rows. */
  matches?: Match<Big>[]
}

/** One interval of time with its groups. */
export type LegacyInterval = LegacyBuckets['series'][number]

/** One group with its aggregations. */
export type LegacyGroup = LegacyBuckets['totals'][number]

export type LegacyBuckets = Infer<typeof LEGACY_ANSWER>['buckets']

export type LegacyAnswer<Big = bigint> = Omit<Infer<typeof LEGACY_ANSWER>, 'matches'> & { matches: Match<Big>[] }
