/**
 * The query endpoints (contract 4.7 and 4.8): bodies in, answers out. A caller that goes away ends its query.
 * Deliberately not here: what a query means.
 */
import { DATASETS_V1_PATH } from '@deployment-annotations/contract/dataset'
import { HISTORY_QUERY_ID_HEADER, QUERY_PATH, QUERY_SHORT_PATH, type QueryKind } from '@deployment-annotations/contract/query'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { goneSignal } from '../http/gone-signal.ts'
import { typed } from '../http/schemas.ts'
import { bodyOf, type Sending } from '../query/answer-body.ts'
import { parseBody } from '../query/exact-body.ts'
import type { Answered, Asked, Queries } from '../query/queries.ts'
import { readFormat, readSaveAsKind, readStreamingMs } from '../query/query-request.ts'
import type { SavedQueries } from '../query/saved-queries.ts'
import { addSavedQueryRoute } from './saved-queries.ts'
import { LEGACY_QUERY, NAMED, QUERY } from './schemas/query.ts'

const PATHS = { queryApl: QUERY_PATH, queryAplShort: QUERY_SHORT_PATH } as const

/** The longest query text, every character escaped, with a thousand variables beside it. */
const BODY_BYTES_MAX = 1_048_576

export async function addQueryRoutes(app: FastifyInstance, queries: Queries, saved: SavedQueries): Promise<void> {
  /** Tells the caller under which id its query is found, where it is saved. */
  const save = async (request: FastifyRequest, reply: FastifyReply, kind: QueryKind | undefined, answer: Answered<unknown>) => {
    if (kind === undefined) return
    const [dataset = ''] = answer.datasets
    const id = await saved
      .save({ kind, dataset, query: request.body, by: request.token?.id ?? '' })
      .catch(async (error: unknown) => {
        await answer[Symbol.asyncDispose]()
        throw error
      })
    if (id !== undefined) reply.header(HISTORY_QUERY_ID_HEADER, id)
  }
  for (const schema of NAMED) app.addSchema(schema)
  addSavedQueryRoute(app, saved)
  await app.register(async (scope) => {
    addExactParser(scope)
    const routes = typed(scope)
    for (const [operationId, path] of Object.entries(PATHS)) {
      routes.post(path, {
        config: { permission: 'query|read' },
        bodyLimit: BODY_BYTES_MAX,
        schema: { ...QUERY, operationId },
        handler: async (request, reply) => {
          const { format, saveAsKind } = request.query as Parameters
          const kind = readSaveAsKind(saveAsKind)
          const answer = await queries.apl(askedOf(request, reply), {
            format: readFormat(format),
            bare: path === QUERY_SHORT_PATH && !!format,
          })
          await save(request, reply, kind, answer)
          return reply.type('application/json').send(await bodyOf(answer, sending(request)))
        },
      })
    }
    routes.post(`${DATASETS_V1_PATH}/:name/query`, {
      config: { permission: 'query|read' },
      bodyLimit: BODY_BYTES_MAX,
      schema: LEGACY_QUERY,
      handler: async (request, reply) => {
        const parameters = request.query as Parameters
        const kind = readSaveAsKind(parameters.saveAsKind)
        const heldMs = readStreamingMs(parameters['streaming-duration'])
        const answer = await queries.legacy(askedOf(request, reply), request.params.name, heldMs)
        await save(request, reply, kind, answer)
        return reply.type('application/json').send(await bodyOf(answer, sending(request)))
      },
    })
  })
}

/** Integers beyond 2^53 arrive as they were sent. */
function addExactParser(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    async (request: FastifyRequest, bytes: Buffer) => {
      const encoding = request.headers['content-encoding']
      if (encoding && encoding !== 'identity') {
        throw new ServiceError('unsupported_media_type', 'a compressed query is not supported; send it uncompressed')
      }
      return bytes.length === 0 ? undefined : parseBody(bytes)
    },
  )
}

/** What happens to an answer that goes out in pieces: the status has gone out before them. */
function sending(request: FastifyRequest): Sending {
  return {
    // The connection is cut, so that the part is not taken for the whole.
    onFault: (error) => {
      request.fault = error
    },
  }
}

type Parameters = Readonly<Record<string, unknown>>

/** What is asked, for as long as the caller is there. */
function askedOf(request: FastifyRequest, reply: FastifyReply): Asked {
  const { body, query } = request
  const { cursor, countMatches } = query as Parameters
  return { body, cursor, countMatches, caller: callerOf(request), signal: goneSignal(reply) }
}
