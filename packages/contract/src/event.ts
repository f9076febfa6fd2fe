/**
 * Events: how they are sent, and what became of them. All but the answer is for the document: bodies are read as streams, and parameters
 * and headers where their errors can say more.
 */
import type { Calls } from './call.ts'
import { DATASET_PARAMS } from './dataset.ts'
import { CSV_FIELDS_HEADER, EVENT_LABELS_HEADER } from './header.ts'
import { idempotencyKey, operations } from './operation.ts'
import { byHand, type Infer, list, object, optional, schemaOf, text, time, whole } from './schema.ts'

/** Shippers for the edge send to `/v1/ingest/{dataset}`. */
export const INGEST_PATH = '/v1/ingest'

export const INGEST_CALLS = {
  ingest: { call: 'POST /v1/datasets/{name}/ingest', takes: 'body' },
  ingestShort: { call: `POST ${INGEST_PATH}/{name}`, takes: 'body' },
} as const satisfies Calls

/** One event is taken without its array too, in words only: of a choice of both, generators of clients make a type that takes neither. */
const EVENTS = list(
  object(
    optional({
      _time: schemaOf<unknown>({
        description:
          'When it happened: RFC 3339, or seconds, milliseconds, microseconds or nanoseconds since 1970. By default the first likely member (`@timestamp`, `timestamp`, `time`, `ts`, `__REALTIME_TIMESTAMP`; the answer names it in `Event-Time-Field`), or the time of receipt.',
      }),
    }),
    { title: 'Event', additionalProperties: true },
  ),
  'One object is taken as an array of it.',
)

const FAILURE = object({
  timestamp: time('Its own time, or the time of the request if it has none that can be read.'),
  error: text(),
})

const RESULT = object({
  ingested: whole(),
  failed: whole(),
  failures: list(FAILURE, 'The first 10,000.'),
  processedBytes: whole('Size of the uncompressed body and the labels header.'),
  blocksCreated: whole(),
  walLength: whole(),
})

const PARAMETERS = object(
  optional({
    'timestamp-field': text('Field that holds the time, instead of `_time`.', { maxLength: 200 }),
    'timestamp-format': text(
      'How that time is written, as a Go reference layout such as `2006-01-02 15:04:05`, with a year, a month and a day.',
      { pattern: '^$|06' },
    ),
    'csv-delimiter': text('One character other than a quote or line break, or `tab`, instead of a comma.', {
      pattern: '^(?:[^"\\r\\n]|tab|\\\\t)?$',
      maxLength: 3,
    }),
  }),
)

const HEADERS = {
  ...optional({
    [CSV_FIELDS_HEADER]: text('Column names, separated by commas; the CSV then has no header row.'),
    [EVENT_LABELS_HEADER]: text('A JSON object whose members are added to every event.'),
  }),
  ...idempotencyKey('A request that repeats this key with the same body within 24 hours is stored once.'),
}

const textOf = (description: string) => ({ schema: text(description, { minLength: 1 }) })

const WORDS = {
  summary: 'Ingest events',
  description:
    'A JSON array of objects, one object, one object per line (NDJSON), or CSV with a header row; optionally compressed with gzip, zstd, deflate or br. Events that cannot be stored are listed in `failures`; a body that cannot be read is refused whole. Answered once the events are on disk and can be queried.',
  access: 'ingest|create',
  headers: HEADERS,
  query: byHand(PARAMETERS),
  body: byHand({
    content: {
      'application/json': { schema: EVENTS },
      'application/x-ndjson': textOf('One event per line.'),
      'text/csv': textOf('With a header row, unless a request header names the columns.'),
    },
  }),
  gives: RESULT,
  answer: 'What was stored, and what was not.',
  errors: [409],
  errorTexts: { 404: 'There is no such dataset.' },
} as const

export const INGEST = operations(
  INGEST_CALLS,
  { noun: 'event', tag: 'ingest', params: DATASET_PARAMS },
  { ingest: { ...WORDS, operationId: 'ingest' }, ingestShort: { ...WORDS, operationId: 'ingestShort' } },
)

/** What was stored, and what was not. */
export type IngestResult = Infer<typeof RESULT>

/** An event that was not stored, and why. */
export type IngestFailure = Infer<typeof FAILURE>
