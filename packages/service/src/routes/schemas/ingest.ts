/**
 * The operation of ingest, as Fastify and the document take it; there are two paths to it.
 */
import {
  EventsSchema,
  IngestHeadersSchema,
  IngestParametersSchema,
  IngestResultSchema,
} from '@deployment-annotations/contract/schemas/event'
import { DatasetNameParams, DOCUMENTED } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import { documented, errorAnswers, writtenAnswer } from '../../http/schemas.ts'

const bodyAs = (schema: object) => ({ schema })

export const INGEST = {
  summary: 'Ingest events',
  description:
    'A JSON array of objects, one object, one object per line (NDJSON), or CSV with a header row; optionally compressed with gzip, zstd, deflate or br. Events that cannot be stored are listed in `failures`; a body that cannot be read is refused whole. Answered once the events are on disk and can be queried.',
  tags: ['ingest'],
  params: DatasetNameParams,
  querystring: documented(IngestParametersSchema),
  headers: documented(IngestHeadersSchema),
  body: Type.Unsafe<unknown>({
    [DOCUMENTED]: {
      content: {
        'application/json': bodyAs(EventsSchema),
        'application/x-ndjson': bodyAs(Type.String({ minLength: 1, description: 'One event per line.' })),
        'text/csv': bodyAs(
          Type.String({ minLength: 1, description: 'With a header row, unless a request header names the columns.' }),
        ),
      },
    },
  }),
  response: {
    200: writtenAnswer<string>('What was stored, and what was not.', IngestResultSchema),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 507),
  },
}
