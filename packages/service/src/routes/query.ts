/**
 * The query endpoints (contract 4.7 and 4.8), and the queries that were saved when they were asked. A query ends when its caller goes
 * away. Deliberately not here: what a query means.
 */
import { parseExact } from '@deployment-annotations/contract/exact-json'
import { LEGACY_QUERIES } from '@deployment-annotations/contract/legacy-query'
import {
  HISTORY_QUERY_ID_HEADER,
  QUERIES,
  QUERY_FORMATS,
  QUERY_KINDS,
  type QueryKind,
} from '@deployment-annotations/contract/query'
import { SAVED_QUERIES } from '@deployment-annotations/contract/saved-query'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, goneSignal } from '../http/auth.ts'
import { notJson, parseJson, requireUncompressed } from '../http/body.ts'
import { asksForAll } from '../http/request-headers.ts'
import { faultsOf, route, writtenRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { bodyOf } from '../query/answer-body.ts'
import type { QueryAnswer, QueryInput } from '../query/queries.ts'
import { readStreamingMs, readWord } from '../query/query-request.ts'
import type { SavedQueries } from '../query/saved-queries.ts'

/** The longest query text, every character escaped, with a thousand variables beside it. */
const BODY_BYTES_MAX = 1_048_576

export async function addQueryRoutes(app: FastifyInstance, { queries, savedQueries: saved }: Parts): Promise<void> {
  /** @param kind as what the query is saved; the answer then has the id under which it is found */
  const send = async (request: FastifyRequest, reply: FastifyReply, answer: QueryAnswer<unknown>, kind?: QueryKind) => {
    const [dataset = ''] = answer.datasets
    const toSave = kind && { kind, dataset, query: request.body, by: request.token?.id ?? '' }
    try {
      const id = toSave && (await saved.save(toSave))
      if (id !== undefined) reply.header(HISTORY_QUERY_ID_HEADER, id)
    } catch (error) {
      await answer[Symbol.asyncDispose]()
      throw error
    }
    return reply.type('application/json').send(await bodyOf(answer, faultsOf(request)))
  }
  addSavedQueryRoute(app, saved)
  await app.register(async (scope) => {
    addExactParser(scope)
    for (const operation of Object.values(QUERIES)) {
      const isShort = operation === QUERIES.aplShort
      writtenRoute(scope, operation, async (request, reply) => {
        const { format, saveAsKind } = request.query as Parameters
        const kind = readWord('saveAsKind', saveAsKind, QUERY_KINDS)
        const asked = askedOf(request, reply)
        const answer = await queries.apl(asked, {
          format: readWord('format', format, QUERY_FORMATS) ?? 'tabular',
          bare: isShort && !!format,
        })
        return await send(request, reply, answer, kind)
      })
    }
    writtenRoute(scope, LEGACY_QUERIES.query, async (request, reply) => {
      const parameters = request.query as Parameters
      const kind = readWord('saveAsKind', parameters.saveAsKind, QUERY_KINDS)
      const heldMs = readStreamingMs(parameters['streaming-duration'])
      const answer = await queries.legacy(askedOf(request, reply), request.params.name, heldMs)
      return await send(request, reply, answer, kind)
    })
  })
}

/** Far beyond any query; and what is echoed in an answer can still be printed, which takes a call per level. */
const DEPTH_MAX = 1_000

/** Parses bodies so that integers beyond 2^53 keep all their digits. */
function addExactParser(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    async (request: FastifyRequest, bytes: Buffer) => {
      requireUncompressed(request)
      if (bytes.length === 0) return undefined
      const body = parseJson(bytes, parseExact)
      if (isDeeper(body, DEPTH_MAX)) throw notJson('it is nested too deeply')
      return body
    },
  )
}

/** Level by level, because a call per level is what runs out. */
function isDeeper(value: unknown, depthMax: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

type Parameters = Readonly<Record<string, unknown>>

/** @returns the request of a query, which ends when the caller goes away */
function askedOf(request: FastifyRequest, reply: FastifyReply): QueryInput {
  const { body, query } = request
  const { cursor, countMatches } = query as Parameters
  return { body, cursor, countMatches, wantsAll: asksForAll(request), caller: callerOf(request), signal: goneSignal(reply) }
}

/** A token reads the queries that it saved itself; a personal token reads all. */
function addSavedQueryRoute(app: FastifyInstance, saved: SavedQueries): void {
  route(app, SAVED_QUERIES.get, async ({ params, token }) => {
    const by = { id: token?.id ?? '', seesAll: token?.kind === 'personal' }
    const { id, kind, dataset, query, createdBy, createdAtMs } = await saved.get(params.id, by)
    const created = formatMillis(createdAtMs)
    return { id, kind, dataset, who: createdBy, created, query: JSON.parse(query) as object }
  })
}
