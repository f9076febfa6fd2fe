/**
 * `GET /v2/releases`: whether releases hurt, and how well delivery goes. The page of releases shows nothing else. `GET /v2/changes`: what
 * may have caused what is seen at a moment.
 */
import { type ChangeListParameters, RELEASES } from '@deployment-annotations/contract/release'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/turns'
import type { FastifyInstance } from 'fastify'
import { withinReach } from '../annotations/annotations.ts'
import { readFilter } from '../annotations/requests.ts'
import { findChanges } from '../automations/releases/changes.ts'
import { listReleases } from '../automations/releases/list-releases.ts'
import { callerOf } from '../http/auth.ts'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { hasTags } from '../wire/tags.ts'

export function addReleaseRoutes(app: FastifyInstance, parts: Parts): void {
  route(app, RELEASES.list, async (request) => {
    const by = callerOf(request)
    const { verdicts: _, tags = {}, ...asked } = withinReach(readFilter(request.query, parts.now()), by)
    await takeTurn(parts.lists, { caller: by.id, sinceMs: by.sinceMs })
    return listReleases(parts, { ...asked, tags }, (dataset) => by.may('query|read', dataset))
  })

  route(app, RELEASES.changes, async (request) => {
    const by = callerOf(request)
    const asked = readChangeParameters(request.query)
    if (asked.monitor) by.require('monitors|read', 'to read the alerts of a monitor')
    const { start: _, end: _end, ...named } = request.query as Record<string, string>
    const { verdicts: _verdicts, ...filter } = withinReach(readFilter(named, parts.now()), by)
    await takeTurn(parts.lists, { caller: by.id, sinceMs: by.sinceMs })
    return findChanges(parts, { asked, filter, by }, (annotation) => hasTags(annotation, filter.tags))
  })
}

/** @returns the parameters; of one that is repeated, the first */
function readChangeParameters(query: unknown): ChangeListParameters {
  const given = Object.entries(query as Record<string, string | string[]>).map(([name, value]) => [name, [value].flat()[0]])
  return Object.fromEntries(given) as ChangeListParameters
}
