/**
 * The query endpoints (contract 4.7 and 4.8): bodies in, answers out. A caller that goes away ends its query.
 * Deliberately not here: what a query means.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { errorAnswers } from '../http/schemas.ts'
import { parseBody } from '../query/exact-body.ts'
import type { Asked, Queries } from '../query/queries.ts'
import { readFormat } from '../query/query-request.ts'

const APL_PATHS = ['/v1/datasets/_apl', '/v1/query/_apl'] as const

/** The longest query text, every character escaped, with a thousand variables beside it. */
const BODY_BYTES_MAX = 1_048_576

type QueryHttpRequest = FastifyRequest<{ Params: { name: string }; Querystring: Record<string, unknown> }>

export async function addQueryRoutes(app: FastifyInstance, queries: Queries): Promise<void> {
  await app.register(async (scope) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      async (request: FastifyRequest, bytes: Buffer) => {
        const encoding = request.headers['content-encoding']
        if (encoding && encoding !== 'identity') {
          throw new ServiceError('unsupported_media_type', 'a query is not read compressed; send it as it is')
        }
        return bytes.length === 0 ? undefined : parseBody(bytes)
      },
    )
    for (const path of APL_PATHS) {
      scope.post(path, {
        config: { permission: 'query|read' },
        bodyLimit: BODY_BYTES_MAX,
        schema: { ...APL_SCHEMA, operationId: path === APL_PATHS[0] ? 'queryApl' : 'queryAplShort' },
        handler: (request: QueryHttpRequest, reply) =>
          send(request, reply, (asked) => queries.apl(asked, readFormat(request.query.format))),
      })
    }
    scope.post('/v1/datasets/:name/query', {
      config: { permission: 'query|read' },
      bodyLimit: BODY_BYTES_MAX,
      schema: { ...LEGACY_SCHEMA, operationId: 'queryLegacy' },
      handler: (request: QueryHttpRequest, reply) => send(request, reply, (asked) => queries.legacy(asked, request.params.name)),
    })
  })
}

async function send(
  request: QueryHttpRequest,
  reply: FastifyReply,
  answer: (asked: Asked) => Promise<string>,
): Promise<FastifyReply> {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new ServiceError('caller_left', 'the caller left before the query was done'))
  })
  const text = await answer({ body: request.body, cursor: request.query.cursor, signal: gone.signal })
  return reply.type('application/json').serializer(String).send(text)
}

const INTERVAL = {
  startTime: { description: 'RFC 3339, or `now`, `now-1h`, `now-1d` (s m h d w). Included.' },
  endTime: { description: 'The same. Not included.' },
  cursor: {
    description: '`status.minCursor`, `status.maxCursor` or a `_rowId` of an earlier answer: the page begins behind that row.',
  },
  includeCursor: { description: 'The page begins with that row.' },
} as const

const ANSWER = {
  description: 'Figures about the query, and its rows.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['format', 'status', 'datasetNames', 'fieldsMetaMap'],
        properties: {
          format: { type: 'string', enum: ['tabular', 'legacy'] },
          status: {
            type: 'object',
            description:
              '`minCursor` and `maxCursor`: the oldest and the newest row of the page. `rowsMatched`: all rows of the query.',
            additionalProperties: true,
          },
          tables: { type: 'array', items: { type: 'object', additionalProperties: true } },
          matches: { type: 'array', items: { type: 'object', additionalProperties: true } },
          buckets: { type: 'object', additionalProperties: true },
          request: { type: 'object', additionalProperties: true },
          datasetNames: { type: 'array', items: { type: 'string' } },
          fieldsMetaMap: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
} as const

const ERRORS = errorAnswers(400, 401, 403, 404, 413, 415, 422, 432, 504)

const APL_SCHEMA = {
  summary: 'Query',
  description: 'Runs a query text. Queries of rows can be paged with `cursor`; see docs/query.md.',
  tags: ['query'],
  querystring: {
    type: 'object',
    properties: {
      format: { description: '`tabular` (by default) or `legacy`.' },
      cursor: { description: 'As in the body, which wins.' },
    },
  },
  response: { 200: ANSWER, ...ERRORS },
} as const

const LEGACY_SCHEMA = {
  summary: 'Query (legacy)',
  description: `Filters, groups and aggregations as JSON. Members of the interval: ${Object.keys(INTERVAL).join(', ')}.`,
  tags: ['query'],
  params: { type: 'object', required: ['name'], properties: { name: { type: 'string', description: 'Name of the dataset.' } } },
  response: { 200: ANSWER, ...ERRORS },
} as const
