/**
 * The operations of the bulk API, as Fastify and the document take them.
 */
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { INGEST_PATH } from '@deployment-annotations/contract/event'
import { idempotencyKey } from '@deployment-annotations/contract/operation'
import { byHand, flag, list, object, optional, record, text, whole } from '@deployment-annotations/contract/schema'
import { answerOf } from '../../http/schemas.ts'

const OF_A_DATASET = `${INGEST_PATH}/:name/elastic`
export const BULK_PATHS = ['/_bulk', '/:index/_bulk', `${OF_A_DATASET}/_bulk`, `${OF_A_DATASET}/:index/_bulk`] as const

const NAME = text('The dataset that all goes to.', { pattern: DATASET_NAME_PATTERN })
const INDEX = text('The index of items that name none: a dataset.')

const REASON = object({ type: text(), reason: text() })
const OUTCOME = object({ status: whole('201 where it was stored.'), ...optional({ error: REASON }) })

const RESULT = object({
  took: whole('Milliseconds.'),
  errors: flag('Some items were not stored.'),
  items: list(record(OUTCOME), 'One for each action, in their order.'),
})

const ERROR = object({ error: REASON, status: whole() })

const STATUSES = [400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 507]
const ERRORS = Object.fromEntries(STATUSES.map((status) => [status, answerOf('Nothing was stored; `reason` says why.', ERROR)]))

export function BULK(method: 'POST' | 'PUT', path: string) {
  const of = path.startsWith(OF_A_DATASET) ? 'OfDataset' : ''
  const at = path.includes(':index') ? 'AtIndex' : ''
  return {
    operationId: `${method.toLowerCase()}Bulk${of}${at}`,
    summary: "Ingest events by Elasticsearch's bulk API",
    description:
      'Lines in pairs: an action, `index` or `create`, and a document, whose time is in `@timestamp`. Each item has a status of its own. The token may come as a password or as the second part of an API key.',
    tags: ['ingest'],
    params: byHand(object({ ...(of && { name: NAME }), ...(at && { index: INDEX }) })),
    headers: byHand(object(idempotencyKey('A request that repeats this key with the same body within 24 hours is stored once.'))),
    body: byHand({ content: { 'application/x-ndjson': { schema: text('', { minLength: 1 }) } } }),
    response: { 200: answerOf('What became of each item.', RESULT), ...ERRORS },
  }
}
