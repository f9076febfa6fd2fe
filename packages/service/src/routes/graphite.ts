/**
 * Graphite's events, which the source "Graphite" that every Grafana has reads as annotations. There are no series: to `/render`, by which
 * Grafana tries a source, the answer is an empty list. Source: https://graphite.readthedocs.io/en/latest/events.html, read 2026-11.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/gate'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance } from 'fastify'
import { withinReach } from '../annotations/annotations.ts'
import { clampInstant } from '../annotations/wire.ts'
import { type GraphiteEvent, tagsToFind, toGraphite } from '../grafana/annotations.ts'
import { callerOf } from '../http/auth.ts'
import type { Parts } from '../parts.ts'

/** The newest ones, as many as Grafana draws without choosing. */
const LISTED_MAX = 10_000
/** The last version of Graphite whose events these are. */
const GRAPHITE_VERSION = '1.1.10'
const UNITS: readonly [RegExp, bigint][] = [
  [/^s/, UNIT_NS.s],
  [/^min/, UNIT_NS.m],
  [/^h/, UNIT_NS.h],
  [/^d/, UNIT_NS.d],
  [/^w/, UNIT_NS.w],
  [/^mon/, 30n * UNIT_NS.d],
  [/^y/, 365n * UNIT_NS.d],
]
const RELATIVE = /^(?:now)?-(?<count>\d{1,9})(?<unit>s|sec|seconds?|min|minutes?|h|hours?|d|days?|w|weeks?|mon|months?|y|years?)$/

type Query = Readonly<Record<string, unknown>>

export async function addGraphiteRoutes(app: FastifyInstance, { annotations, lists, readNow }: Parts): Promise<void> {
  const options = { schema: { hide: true }, config: { permission: 'annotations|read', tokenAsPassword: true } } as const
  app.get('/events/get_data', options, async (request): Promise<GraphiteEvent[]> => {
    const by = callerOf(request)
    await takeTurn(lists, { caller: by.id, sinceMs: by.sinceMs })
    const { from, until, tags = '', set } = request.query as Query
    const nowNs = BigInt(await readNow()) * UNIT_NS.ms
    const [startNs, endNs] = [readTime('from', from, nowNs), readTime('until', until, nowNs)]
    const filter = { ...(startNs !== undefined && { startNs }), ...(endNs !== undefined && { endNs }) }
    const wanted = String(tags)
      .split(/[\s,]+/)
      .filter(Boolean)
    const found: GraphiteEvent[] = []
    for await (const page of annotations.list(withinReach(filter, by), { order: 'desc', limit: LISTED_MAX })) {
      for (const annotation of page) {
        const has = tagsToFind(annotation)
        const isWanted = set === 'intersection' ? wanted.every((tag) => has.has(tag)) : wanted.some((tag) => has.has(tag))
        if (isWanted || wanted.length === 0) found.push(toGraphite(annotation))
      }
    }
    return found.reverse()
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

/** Seconds since the epoch, `now`, or so long before now: `-6h`, `-30min`, `-1mon`. */
function readTime(name: string, value: unknown, nowNs: bigint): bigint | undefined {
  if (value === undefined || value === '') return undefined
  const text = String(value)
  if (/^\d{1,12}$/.test(text)) return clampInstant(BigInt(text) * UNIT_NS.s)
  if (text === 'now') return clampInstant(nowNs)
  const { count, unit = '' } = RELATIVE.exec(text)?.groups ?? {}
  const size = UNITS.find(([pattern]) => pattern.test(unit))?.[1]
  if (count !== undefined && size !== undefined) return clampInstant(nowNs - BigInt(count) * size)
  throw invalid(
    VALIDATION_CODES.pattern,
    `${name} must be seconds since the epoch, now, or a time before it such as -6h, got ${showValue(value)}`,
  )
}
