/**
 * Graphite's events, which the source "Graphite" that every Grafana has reads as annotations. There are no series: to `/render`, by which
 * Grafana tries a source, the answer is an empty list. Source: https://graphite.readthedocs.io/en/latest/events.html, read 2026-11.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { type GraphiteEvent, toGraphite } from '@deployment-annotations/edge/grafana/annotations'
import { readGraphiteQuery, takeTagged } from '@deployment-annotations/edge/grafana/lists'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/turns'
import type { FastifyInstance } from 'fastify'
import { withinReach } from '../annotations/annotations.ts'
import { callerOf } from '../http/auth.ts'
import type { Parts } from '../parts.ts'
import { numbered } from '../wire/ids.ts'
import { rangeOf } from './grafana.ts'

/** The newest ones, as many as Grafana draws without choosing. */
const LISTED_MAX = 10_000
/** The last version of Graphite whose events these are. */
const GRAPHITE_VERSION = '1.1.10'
type Query = Parameters<typeof readGraphiteQuery>[0]

export async function addGraphiteRoutes(app: FastifyInstance, { annotations, lists, readNow }: Parts): Promise<void> {
  const options = { schema: { hide: true }, config: { permission: 'annotations|read', tokenAsPassword: true } } as const
  app.get('/events/get_data', options, async (request): Promise<GraphiteEvent[]> => {
    const by = callerOf(request)
    await takeTurn(lists, { caller: by.id, sinceMs: by.sinceMs })
    const query = readGraphiteQuery(request.query as Query, BigInt(await readNow()) * UNIT_NS.ms)
    const pages = annotations.list(withinReach(rangeOf(query), by), { order: 'desc', limit: LISTED_MAX })
    return (await takeTagged(pages, query)).map((annotation) => toGraphite(numbered(annotation))).reverse()
  })
  app.get('/version', options, async (_request, reply) => reply.type('application/json').send(JSON.stringify(GRAPHITE_VERSION)))
  await app.register(async (scope) => {
    // Which series are asked for does not matter.
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
      payload.resume()
      payload.once('end', () => done(null))
    })
    for (const method of ['GET', 'POST'] as const) scope.route({ method, url: '/render', ...options, handler: async () => [] })
  })
}
