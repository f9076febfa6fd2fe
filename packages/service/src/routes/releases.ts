/**
 * `GET /v2/releases`: whether releases hurt, and how well delivery goes. The page of releases shows nothing else. `GET /v2/changes`: what
 * may have caused what is seen at a moment.
 */
import { CHANGES_PATH, RELEASES_PATH } from '@deployment-annotations/contract/release'
import { type ChangeListParameters, ChangeListSchema, ChangesSchema } from '@deployment-annotations/contract/schemas/change'
import { ReleaseListSchema, ReleasesSchema } from '@deployment-annotations/contract/schemas/release'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/gate'
import type { FastifyInstance } from 'fastify'
import { LIST_PERMISSION, withinReach } from '../annotations/annotations.ts'
import { readFilter } from '../annotations/requests.ts'
import { findChanges } from '../automations/releases/changes.ts'
import { listReleases } from '../automations/releases/list-releases.ts'
import { callerOf } from '../http/auth.ts'
import { answer, documented, errorAnswers, typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { hasTags } from '../wire/tags.ts'

const LIST = {
  operationId: 'listReleases',
  summary: 'Releases, and the four metrics of delivery',
  description:
    'The annotations of `[start, end]` whose type says that they are releases, by default those of 30 days until now; `notes` says if there are more than are read. A verdict is shown to who may query all datasets of its release.',
  tags: ['annotations'],
  querystring: documented(ReleaseListSchema),
  response: { 200: answer('The releases, the newest first.', ReleasesSchema), ...errorAnswers(400, 401, 403, 422) },
}

const CHANGES = {
  operationId: 'listChanges',
  summary: 'What changed before a moment',
  description:
    'The annotations of all datasets around a moment, or around an alert, those first that are most probably its cause. A verdict counts for who may query all datasets of its release.',
  tags: ['annotations'],
  querystring: documented(ChangeListSchema),
  response: { 200: answer('The changes, the likeliest cause first.', ChangesSchema), ...errorAnswers(400, 401, 403, 404, 422) },
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

  typed(app).get(CHANGES_PATH, {
    config: { permission: LIST_PERMISSION },
    schema: CHANGES,
    handler: async (request) => {
      const by = callerOf(request)
      const asked = readChangeParameters(request.query)
      if (asked.monitor) by.require('monitors|read', 'to read the alerts of a monitor')
      const { start: _, end: _end, ...named } = request.query as Record<string, string>
      const { verdicts: _verdicts, ...filter } = withinReach(readFilter(named), by)
      await takeTurn(parts.lists, { caller: by.id, sinceMs: by.sinceMs })
      return findChanges(parts, { asked, filter, by }, (annotation) => hasTags(annotation, filter.tags))
    },
  })
}

/** @returns the parameters; of one that is repeated, the first */
function readChangeParameters(query: unknown): ChangeListParameters {
  const given = Object.entries(query as Record<string, string | string[]>).map(([name, value]) => [name, [value].flat()[0]])
  return Object.fromEntries(given) as ChangeListParameters
}
