/**
 * The operations of an export, as Fastify and the document take them. They are for `annotation-service export --url`, which is
 * of the same version; what travels is not described further.
 */
import Type from '@deployment-annotations/contract/schemas/type'
import { emptyAnswer, errorAnswer, errorAnswers, streamAnswer, writtenAnswer } from '../../http/schemas.ts'
import { CHUNK_HEADER } from '../../transfer/paths.ts'

const tags = ['export']

export const PLAN = {
  operationId: 'planExport',
  summary: 'Begin an export',
  description: 'What is there at this moment. For `annotation-service export --url` of the same version.',
  tags,
  response: {
    200: writtenAnswer<object>('The tables of events, and what is known of them.', Type.Object({})),
    ...errorAnswers(401, 403),
  },
}

export const EVENTS = {
  operationId: 'exportEvents',
  summary: 'Export some events of a dataset',
  description: 'The next events of a table after a position, in their order.',
  tags,
  params: Type.Object({ table: Type.String({ pattern: '^events_[a-z0-9]{8,40}$', description: 'As the plan names it.' }) }),
  querystring: Type.Object({
    sysTimeNsMax: Type.String({ pattern: '^[0-9]{1,19}$', description: 'Later ones are left out; as the plan says.' }),
    rowsMax: Type.String({ pattern: '^[1-9][0-9]{0,5}$', description: 'How many events at most.' }),
    after: Type.Optional(
      Type.String({
        pattern: '^-?[0-9]{1,19},[0-9]{1,20}$',
        description: 'Time and row id of the last event of the chunk before.',
      }),
    ),
  }),
  response: {
    200: {
      ...streamAnswer('Events in the format of the engine, compressed with Zstandard.', 'application/zstd'),
      headers: { [CHUNK_HEADER]: { type: 'string', description: 'Counts, checksums and the last position, as JSON.' } },
    },
    204: emptyAnswer('There are no more.'),
    ...errorAnswers(400, 401, 403, 422),
    404: errorAnswer('There is no such table: its dataset was deleted.'),
  },
}

export const RECORDS = {
  operationId: 'exportRecords',
  summary: 'Export all records',
  description: 'Everything but the events, from one moment: the hashes of tokens, and secrets as they are encrypted here.',
  tags,
  response: {
    200: streamAnswer('Lines of JSON: the name of a table, then its rows.', 'application/x-ndjson'),
    ...errorAnswers(401, 403),
  },
}
