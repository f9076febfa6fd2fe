/**
 * `GET /v1/datasets/_history/{id}`: a query that was saved when it was asked. A token sees its own; a personal one sees all.
 */
import { SAVED_QUERIES_PATH } from '@deployment-annotations/contract/query'
import { SavedQueryParams, SavedQuerySchema } from '@deployment-annotations/contract/schemas/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { answer, errorAnswers, typed } from '../http/schemas.ts'
import type { SavedQueries } from '../query/saved-queries.ts'

const GET = {
  operationId: 'getSavedQuery',
  summary: 'Get a query that was saved',
  tags: ['query'],
  params: SavedQueryParams,
  response: { 200: answer('The query as it was asked.', SavedQuerySchema), ...errorAnswers(400, 401, 403, 404) },
}

export function addSavedQueryRoute(app: FastifyInstance, saved: SavedQueries): void {
  typed(app).get(`${SAVED_QUERIES_PATH}/:id`, {
    config: { permission: 'query|read' },
    schema: GET,
    handler: async ({ params, token }) => {
      const by = { id: token?.id ?? '', seesAll: token?.kind === 'personal' }
      const { id, kind, dataset, query, createdBy, createdAtMs } = await saved.get(params.id, by)
      const created = formatTimestamp(BigInt(createdAtMs) * 1_000_000n)
      return { id, kind, dataset, who: createdBy, created, query: JSON.parse(query) as object }
    },
  })
}
