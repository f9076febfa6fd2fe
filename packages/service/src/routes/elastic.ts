/**
 * Elasticsearch's bulk API, and what its clients ask before they use it: at the address that the hosted service has for a dataset, where
 * all goes to that one, and at the root, where an index is a dataset. These clients know users and passwords, and API keys of two parts:
 * the password, or the second part, is the token.
 */
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { INGEST_PATH } from '@deployment-annotations/contract/event'
import { idempotencyKey } from '@deployment-annotations/contract/operation'
import { byHand, flag, list, object, optional, record, text, whole } from '@deployment-annotations/contract/schema'
import {
  bulkBody,
  documentBody,
  errorBody,
  NO_EFFECT,
  PROBES,
  PRODUCT,
  PRODUCT_HEADER,
  SETTINGS,
} from '@deployment-annotations/edge/elastic/answers'
import { type BulkItem, type ItemError, itemError, readBulk, readDocumentItem } from '@deployment-annotations/edge/elastic/bulk'
import { storeItems } from '@deployment-annotations/edge/elastic/store-items'
import { noBody } from '@deployment-annotations/event-store/request-rows'
import { endSlice } from '@deployment-annotations/runtime/concurrency/turns'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { answerOrDrain } from '../http/body.ts'
import { ELASTIC_CLIENT, readKey } from '../http/request-headers.ts'
import { answerOf } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { newTraceId } from '../wire/ids.ts'
import { ingestInto, requireDatasetName } from './ingest-into.ts'

/** Elasticsearch takes 100 MB unless told otherwise; its clients send a few. */
const BODY_BYTES_MAX = 67_108_864
/** Where a document of these clients has its time. */
const TIME_FIELD = '@timestamp'

/** Where all goes to one dataset. */
const OF_A_DATASET = `${INGEST_PATH}/:name/elastic`
const BULK_PATHS = ['/_bulk', '/:index/_bulk', `${OF_A_DATASET}/_bulk`, `${OF_A_DATASET}/:index/_bulk`] as const

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

/** The operation as Fastify and the document take it. */
function bulkSchema(method: 'POST' | 'PUT', path: string) {
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

interface Params {
  /** The dataset that all goes to. */
  name?: string
  /** The index of items that do not name one. */
  index?: string
}

type ReadItems = (...body: Parameters<typeof readBulk>) => Promise<BulkItem[]> | BulkItem[]

export async function addElasticRoutes(app: FastifyInstance, { ingest, bodies }: Parts): Promise<void> {
  /** @param read makes items of the body */
  async function receive(request: FastifyRequest, params: Params, read: ReadItems) {
    if (params.name !== undefined) requireDatasetName(params.name, 'the path')
    // Also where no item can be stored.
    readKey(request, 'idempotency')
    if (!request.body) throw noBody()
    using body = await bodies.read(request, BODY_BYTES_MAX, callerOf(request).id)
    const sliceFrom = performance.now()
    const items = await read(body.bytes, body.hold)
    // One document may be long, and is read again when it is stored: in another turn, which the end of a first slice need not be.
    if ((await endSlice(sliceFrom)) !== sliceFrom) await nextTurn()
    const errors = await storeItems(
      items,
      (item) => datasetOf(item, params),
      (dataset, lines, part) => ingestInto(request, ingest, { dataset, lines, part, timestampField: TIME_FIELD }),
    )
    return { items, errors }
  }

  async function receiveBulk(request: FastifyRequest): Promise<string> {
    const startedMs = performance.now()
    const { items, errors } = await receive(request, request.params as Params, readBulk)
    return bulkBody(items, errors, performance.now() - startedMs)
  }

  async function receiveDocument(request: FastifyRequest): Promise<DocumentAnswer> {
    const params = request.params as Params & { id?: string }
    const { index = '', id } = params
    const { errors } = await receive(request, params, (bytes) => [readDocumentItem(bytes, index, id)])
    const [error] = errors
    if (error) return { status: error.status, answer: errorBody(error.status, error.error.reason) }
    return { status: 201, answer: documentBody(index, id ?? newTraceId()) }
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.addHook('onSend', writeErrors)
    for (const url of BULK_PATHS) {
      for (const method of ['POST', 'PUT'] as const) {
        scope.route({
          method,
          url,
          ...HIDDEN,
          schema: bulkSchema(method, url),
          handler: async (request, reply) => {
            const answer = await answerOrDrain(request, reply, () => receiveBulk(request))
            return reply.type('application/json').serializer(String).send(answer)
          },
        })
      }
    }
    addDocuments(scope, receiveDocument)
    addProbes(scope)
    addSettings(scope)
  })
}

const HIDDEN = { config: { permission: 'ingest|create', tokenAsPassword: true }, schema: { hide: true } } as const

interface DocumentAnswer {
  status: number
  answer: string
}

/** Single documents, which some programs send unless told otherwise; `events` is the type that rsyslog gives them. */
function addDocuments(scope: FastifyInstance, receive: (request: FastifyRequest) => Promise<DocumentAnswer>): void {
  for (const path of ['/_doc', '/events', '/_doc/:id', '/_create/:id']) {
    for (const below of ['', OF_A_DATASET]) {
      scope.route({
        method: path.endsWith(':id') ? ['POST', 'PUT'] : 'POST',
        url: `${below}/:index${path}`,
        ...HIDDEN,
        handler: async (request, reply) => {
          const { status, answer } = await answerOrDrain(request, reply, () => receive(request))
          return reply.status(status).type('application/json').serializer(String).send(answer)
        },
      })
    }
  }
}

/** Clients set up templates and lifecycles before they send, and send nothing where that is refused. */
function addSettings(scope: FastifyInstance): void {
  for (const path of SETTINGS) {
    for (const url of [path, `${OF_A_DATASET}${path}`]) {
      scope.get(url, HIDDEN, async () => {
        throw new ServiceError('not_found', 'there are no templates and lifecycles here')
      })
      scope.put(url, HIDDEN, async (request, reply) => {
        ;(request.body as Readable | null)?.resume()
        return reply.header('warning', NO_EFFECT).type('application/json').send({ acknowledged: true })
      })
    }
  }
}

function addProbes(scope: FastifyInstance): void {
  for (const [path, answer] of Object.entries(PROBES)) {
    const handler = async (_: FastifyRequest, reply: FastifyReply) =>
      reply.type(typeof answer === 'string' ? 'text/plain' : 'application/json').send(answer)
    const below = `${OF_A_DATASET}${path}`
    // Where a person finds the page, a client of Elasticsearch finds out what it talks to.
    const constraints = path === '/' ? { [ELASTIC_CLIENT.name]: 'yes' } : {}
    scope.get(path, { ...HIDDEN, constraints, handler })
    scope.get(below, { ...HIDDEN, handler })
    if (path === '/') scope.get(below.slice(0, -1), { ...HIDDEN, handler })
  }
}

function datasetOf(item: BulkItem, { name, index }: Params): string | ItemError {
  const dataset = name ?? item.index ?? index
  if (dataset !== undefined && DATASET_NAME_PATTERN.test(dataset)) return dataset
  const reason =
    dataset === undefined
      ? 'no index: give _index, or one in the path'
      : `the index ${quoted(dataset)} is no dataset name: it does not match ${DATASET_NAME_PATTERN.source}`
  return itemError(reason, 'invalid_index_name_exception')
}

/** Errors have the form of Elasticsearch, as have all answers the header by which its clients know it. */
async function writeErrors(_: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  reply.header(PRODUCT_HEADER, PRODUCT)
  if (reply.statusCode < 400 || typeof payload !== 'string') return payload
  reply.removeHeader('content-length')
  const { message, error } = JSON.parse(payload) as { message: string; error?: object }
  return error ? payload : errorBody(reply.statusCode, message)
}
