/**
 * The shapes of ingest as schemas and types. All but the answer are for the document: bodies are read as streams, and parameters and
 * headers where their errors can say more.
 */
import type { Static } from 'typebox'
import { CSV_FIELDS_HEADER, EVENT_LABELS_HEADER } from '../header.ts'
import { IdempotencyKey, refTo, Time } from './parts.ts'
import Type from './type.ts'

/** `_time` is when it happened; every other member is data. */
export const EventSchema = Type.Object(
  {
    _time: Type.Optional(
      Type.Unknown({
        description:
          'When it happened: RFC 3339, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970. By default the time of receipt.',
      }),
    ),
  },
  { $id: 'Event', title: 'Event', additionalProperties: true },
)

/** One event is taken without its array too, in words only: of a choice of both, generators of clients make a type that takes neither. */
export const EventsSchema = Type.Array(refTo(EventSchema), { description: 'One object is taken as an array of it.' })

const IngestFailureSchema = Type.Object({
  timestamp: Time('Its own time, or the time of the request if it has none that can be read.'),
  error: Type.String(),
})

export const IngestResultSchema = Type.Object({
  ingested: Type.Integer(),
  failed: Type.Integer(),
  /** Why events were refused; they are not stored. */
  failures: Type.Array(IngestFailureSchema, { description: 'The first 10,000.' }),
  processedBytes: Type.Integer({ description: 'Size of the uncompressed body and the labels header.' }),
  blocksCreated: Type.Integer(),
  walLength: Type.Integer(),
})

export const IngestParametersSchema = Type.Object({
  'timestamp-field': Type.Optional(Type.String({ description: 'Field that holds the time, instead of `_time`.' })),
  'timestamp-format': Type.Optional(
    Type.String({
      description:
        'How that time is written, as a Go reference layout such as `2006-01-02 15:04:05`, with a year, a month and a day.',
      pattern: '^$|06',
    }),
  ),
  'csv-delimiter': Type.Optional(
    Type.String({
      description: 'One character other than a quote or line break, or `tab`, instead of a comma.',
      pattern: '^(?:[^"\\r\\n]|tab|\\\\t)?$',
      maxLength: 3,
    }),
  ),
})

export const IngestHeadersSchema = Type.Object({
  [CSV_FIELDS_HEADER]: Type.Optional(
    Type.String({ description: 'Column names, separated by commas; the CSV then has no header row.' }),
  ),
  [EVENT_LABELS_HEADER]: Type.Optional(Type.String({ description: 'A JSON object whose members are added to every event.' })),
  ...IdempotencyKey('A request that repeats this key with the same body within 24 hours is stored once.'),
})

/** An event as it is sent. */
export type NewEvent = Static<typeof EventSchema>

/** What was stored, and what was not. */
export type IngestResult = Static<typeof IngestResultSchema>

/** An event that was not stored, and why. */
export type IngestFailure = Static<typeof IngestFailureSchema>
