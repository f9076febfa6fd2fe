/**
 * The interface by which a running service is exported. It is for `annotation-service export --url`, which reads it from this description;
 * what travels is not described further.
 */
import type { Calls } from './call.ts'
import { operations } from './operation.ts'
import { object, optional, schemaOf, text } from './schema.ts'

export const EXPORT_CALLS = {
  plan: { call: 'GET /v2/export' },
  events: { call: 'GET /v2/export/events/{table}', takes: 'query' },
  records: { call: 'GET /v2/export/records' },
} as const satisfies Calls

/** What is in a chunk, as JSON: all but the rows, which are the body. */
export const CHUNK_HEADER = 'x-export-chunk'

const BYTES = schemaOf<unknown>({ type: 'string', format: 'binary' })

export const EXPORT = operations(
  EXPORT_CALLS,
  {
    noun: 'table',
    tag: 'export',
    params: { table: text('As the plan names it.', { pattern: /^events_[a-z0-9]{8,40}$/ }) },
  },
  {
    plan: {
      operationId: 'planExport',
      summary: 'Begin an export',
      description: 'What is there at this moment. For `annotation-service export --url`.',
      access: 'personal token',
      gives: object({}),
      answer: 'The tables of events, and what is known of them.',
    },
    events: {
      operationId: 'exportEvents',
      summary: 'Export some events of a dataset',
      description: `The next events of a table after a position, in their order. The header \`${CHUNK_HEADER}\` has counts, checksums and the last position, as JSON.`,
      access: 'personal token',
      query: object({
        sysTimeNsMax: text('Later ones are left out; as the plan says.', { pattern: /^[0-9]{1,19}$/ }),
        rowsMax: text('How many events at most.', { pattern: /^[1-9][0-9]{0,5}$/ }),
        ...optional({
          after: text('Time and row id of the last event of the chunk before.', { pattern: /^-?[0-9]{1,19},[0-9]{1,20}$/ }),
        }),
      }),
      gives: BYTES,
      answer: { 200: 'Events in the format of the engine, compressed with Zstandard.', 204: 'There are no more.' },
      media: 'application/zstd',
      isSecret: true,
      errorTexts: { 404: 'There is no such table: its dataset was deleted.' },
    },
    records: {
      operationId: 'exportRecords',
      summary: 'Export all records',
      description: 'Everything but the events, from one moment: the hashes of tokens, and secrets as they are encrypted here.',
      access: 'personal token',
      gives: BYTES,
      answer: 'Lines of JSON: the name of a table, then its rows.',
      media: 'application/x-ndjson',
      isSecret: true,
    },
  },
)
