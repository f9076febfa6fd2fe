/**
 * `GET /v2/releases`: whether releases hurt, and how well delivery goes. The page of releases shows nothing else.
 */
import { RELEASES_PATH } from '@deployment-annotations/contract/release'
import { ReleaseListSchema, ReleasesSchema } from '@deployment-annotations/contract/schemas/release'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/gate'
import type { FastifyInstance } from 'fastify'
import { LIST_PERMISSION, withinReach } from '../annotations/annotations.ts'
import { readFilter } from '../annotations/wire.ts'
import { listReleases } from '../automations/releases/list-releases.ts'
import { callerOf } from '../http/auth.ts'
import { answer, documented, errorAnswers, typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'

const LIST = {
  operationId: 'listReleases',
  summary: 'Releases, and the four metrics of delivery',
  description:
    'The annotations of `[start, end]` whose type says that they are releases, by default those of 30 days until now. A verdict is shown to who may query all datasets of its release.',
  tags: ['annotations'],
  querystring: documented(ReleaseListSchema),
  response: { 200: answer('The releases, the newest first.', ReleasesSchema), ...errorAnswers(400, 401, 403, 422) },
}

export function addReleaseRoutes(app: FastifyInstance, parts: Parts): void {
  typed(app).get(RELEASES_PATH, {
    config: { permission: LIST_PERMISSION },
    schema: LIST,
    handler: async (request) => {
      const by = callerOf(request)
      const { verdicts: _, tags = {}, ...asked } = withinReach(readFilter(request.query), by)
      await takeTurn(parts.lists, { caller: by.id, sinceMs: by.sinceMs })
      return listReleases(parts, { ...asked, tags }, (dataset) => by.may('query|read', dataset))
    },
  })
}
