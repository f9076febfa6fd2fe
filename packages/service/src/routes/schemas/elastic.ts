/**
 * The operations of the bulk API, as Fastify and the document take them.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { INGEST_PATH } from '@deployment-annotations/contract/event'
import { DOCUMENTED, IdempotencyKey } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import { answer, documented, writtenAnswer } from '../../http/schemas.ts'

const OF_A_DATASET = `${INGEST_PATH}/:name/elastic`
export const BULK_PATHS = ['/_bulk', '/:index/_bulk', `${OF_A_DATASET}/_bulk`, `${OF_A_DATASET}/:index/_bulk`] as const

const Name = Type.String({ description: 'The dataset that all goes to.', pattern: DATASET_NAME_PATTERN.source })
const Index = Type.String({ description: 'The index of items that name none: a dataset.' })

const Outcome = Type.Object({
  status: Type.Integer({ description: '201 where it was stored.' }),
  error: Type.Optional(Type.Object({ type: Type.String(), reason: Type.String() })),
})

const BulkResultSchema = Type.Object({
  took: Type.Integer({ description: 'Milliseconds.' }),
  errors: Type.Boolean({ description: 'Some items were not stored.' }),
  items: Type.Array(Type.Record(Type.String(), Outcome), { description: 'One for each action, in their order.' }),
})

const ErrorSchema = Type.Object({ error: Type.Object({ type: Type.String(), reason: Type.String() }), status: Type.Integer() })

const STATUSES = [400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 507]
const ERRORS = Object.fromEntries(
  STATUSES.map((status) => [status, answer('Nothing was stored; `reason` says why.', ErrorSchema)]),
)

export function BULK(method: 'POST' | 'PUT', path: string) {
  const of = path.startsWith(OF_A_DATASET) ? 'OfDataset' : ''
  const at = path.includes(':index') ? 'AtIndex' : ''
  return {
    operationId: `${method.toLowerCase()}Bulk${of}${at}`,
    summary: "Ingest events by Elasticsearch's bulk API",
    description:
      'Lines in pairs: an action, `index` or `create`, and a document, whose time is in `@timestamp`. Each item has a status of its own. The token may come as a password or as the second part of an API key.',
    tags: ['ingest'],
    params: documented(Type.Object({ ...(of && { name: Name }), ...(at && { index: Index }) })),
    headers: documented(
      Type.Object({ ...IdempotencyKey('A request that repeats this key with the same body within 24 hours is stored once.') }),
    ),
    body: Type.Unsafe<unknown>({
      [DOCUMENTED]: { content: { 'application/x-ndjson': { schema: { type: 'string', minLength: 1 } } } },
    }),
    response: {
      200: writtenAnswer<string>('What became of each item.', BulkResultSchema),
      ...ERRORS,
    },
  }
}
