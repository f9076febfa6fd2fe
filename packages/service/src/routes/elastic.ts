/**
 * Elasticsearch's bulk API, and what its clients ask before they use it: at the address that the hosted service has for a dataset, where
 * all goes to that one, and at the root, where an index is a dataset. These clients know users and passwords, and API keys of two parts:
 * the password, or the second part, is the token.
 */
import type { Readable } from 'node:stream'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { INGEST_PATH } from '@deployment-annotations/contract/event'
import { noBody } from '@deployment-annotations/event-store/request-rows'
import { quoted } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bulkBody, errorBody, PROBES, PRODUCT, PRODUCT_HEADER } from '../elastic/answers.ts'
import { type BulkItem, type ItemError, readBulk } from '../elastic/bulk.ts'
import { storeItems } from '../elastic/store-items.ts'
import { answerOrDrain } from '../http/body.ts'
import { ELASTIC_CLIENT } from '../http/request-headers.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { ingestInto, requireDatasetName } from './ingest-into.ts'
import { BULK, BULK_PATHS } from './schemas/elastic.ts'

/** Elasticsearch takes 100 MB unless told otherwise; its clients send a few. */
const BODY_BYTES_MAX = 67_108_864
/** Where a document of these clients has its time. */
const TIME_FIELD = '@timestamp'

interface Params {
  /** The dataset that all goes to. */
  name?: string
  /** The index of items that do not name one. */
  index?: string
}

export async function addElasticRoutes(app: FastifyInstance, { ingest, bodies }: Parts): Promise<void> {
  async function receive(request: FastifyRequest, params: Params): Promise<string> {
    const startedMs = performance.now()
    if (params.name !== undefined) requireDatasetName(params.name, 'the path')
    if (!request.body) throw noBody()
    using body = await bodies.read(request.body as Readable, request.headers['content-encoding'], BODY_BYTES_MAX)
    const items = await readBulk(body.bytes)
    const errors = await storeItems(
      items,
      (item) => datasetOf(item, params),
      (dataset, lines, part) => ingestInto(request, ingest, { dataset, lines, part, timestampField: TIME_FIELD }),
    )
    return bulkBody(items, errors, performance.now() - startedMs)
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.addHook('onSend', writeErrors)
    for (const url of BULK_PATHS) {
      for (const method of ['POST', 'PUT'] as const) {
        typed(scope).route({
          method,
          url,
          config: { permission: 'ingest|create', tokenAsPassword: true },
          schema: BULK(method, url),
          handler: async (request, reply) => {
            const answer = await answerOrDrain(request, reply, () => receive(request, request.params as Params))
            return reply.type('application/json').serializer(String).send(answer)
          },
        })
      }
    }
    addProbes(scope)
  })
}

function addProbes(scope: FastifyInstance): void {
  const config = { permission: 'ingest|create', tokenAsPassword: true } as const
  for (const [path, answer] of Object.entries(PROBES)) {
    const handler = async (_: FastifyRequest, reply: FastifyReply) =>
      reply.type(typeof answer === 'string' ? 'text/plain' : 'application/json').send(answer)
    const below = `${INGEST_PATH}/:name/elastic${path}`
    // Where a person finds the page, a client of Elasticsearch finds out what it talks to.
    const constraints = path === '/' ? { [ELASTIC_CLIENT.name]: 'yes' } : {}
    scope.get(path, { config, schema: { hide: true }, constraints, handler })
    scope.get(below, { config, schema: { hide: true }, handler })
    if (path === '/') scope.get(below.slice(0, -1), { config, schema: { hide: true }, handler })
  }
}

function datasetOf(item: BulkItem, { name, index }: Params): string | ItemError {
  const dataset = name ?? item.index ?? index
  if (dataset !== undefined && DATASET_NAME_PATTERN.test(dataset)) return dataset
  const type = 'invalid_index_name_exception'
  if (dataset === undefined) return { status: 400, type, reason: 'no index: give _index, or one in the path' }
  return {
    status: 400,
    type,
    reason: `the index ${quoted(dataset)} is no dataset name: it does not match ${DATASET_NAME_PATTERN.source}`,
  }
}

/** Errors have the form of Elasticsearch, as have all answers the header by which its clients know it. */
async function writeErrors(_: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  reply.header(PRODUCT_HEADER, PRODUCT)
  if (reply.statusCode < 400 || typeof payload !== 'string') return payload
  reply.removeHeader('content-length')
  return errorBody(reply.statusCode, (JSON.parse(payload) as { message: string }).message)
}
