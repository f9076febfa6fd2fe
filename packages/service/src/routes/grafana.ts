/**
 * Grafana's API of annotations, for tools that mark there and take another address: Argo CD, Flux, Ansible and others. Annotations have
 * numbers for ids, and tags; grafana/annotations.ts says what becomes of them. Errors are our own, in the same form: a `message`.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  type AnnotationChange,
  AnnotationChangeSchema,
  type NewAnnotation,
  NewAnnotationSchema,
} from '@deployment-annotations/contract/schemas/annotation'
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import type { StoredAnnotation, StoredFilter } from '@deployment-annotations/records/annotation-records'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/gate'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIST_PERMISSION, withinReach } from '../annotations/annotations.ts'
import { clampInstant, readMembers } from '../annotations/wire.ts'
import {
  datasetOf,
  type GrafanaAnnotation,
  readBody,
  readGraphite,
  tagsOf,
  tagsToFind,
  toGrafana,
} from '../grafana/annotations.ts'
import { callerOf, isAllowed } from '../http/auth.ts'
import { numberOf } from '../ids.ts'
import type { Parts } from '../parts.ts'
import { VERSION } from '../version.ts'

const ALL = '/api/annotations'
const ONE = `${ALL}/:number`
const LIMIT_DEFAULT = 100
const LIMIT_MAX = 10_000
/** So many, the newest, are looked through for tags where the request has no `from`: a year of marks is not read for one answer. */
const SEARCHED_MAX = 10_000

type Query = Readonly<Record<string, string | string[] | undefined>>

export function addGrafanaRoutes(app: FastifyInstance, { annotations, datasets, lists }: Parts): void {
  // Grafana describes these operations; the document has our own, by whose schemas bodies are checked here too.
  const schema = { hide: true } as const
  const of = (action: 'create' | 'read' | 'update' | 'delete') => ({
    schema,
    config: { permission: `annotations|${action}`, tokenAsPassword: true } as const,
  })
  const get = (request: FastifyRequest) => annotations.getByNumber(readNumber(request), callerOf(request))
  const translate = (request: FastifyRequest, body = request.body, before?: StoredAnnotation) => {
    const isDataset = (name: string) => datasets.find(name) !== undefined && isAllowed(request, 'annotations|create', name)
    request.body = readBody(body, { isDataset, limit: callerOf(request).limit }, before)
  }

  const creates = { [ALL]: 'Annotation added', [`${ALL}/graphite`]: 'Graphite annotation added' }
  for (const [path, message] of Object.entries(creates)) {
    app.post(path, {
      ...of('create'),
      schema: { ...schema, body: refTo(NewAnnotationSchema) },
      preValidation: async (request) => translate(request, path === ALL ? request.body : readGraphite(request.body)),
      handler: async (request) => {
        const created = await annotations.create(readMembers(request.body as NewAnnotation), callerOf(request))
        return { message, id: numberOf(created.id) }
      },
    })
  }
  addChanges(app, { annotations, of, get, translate })
  app.get(ALL, of('read'), async (request) => {
    const by = callerOf(request)
    await takeTurn(lists, { caller: by.id, sinceMs: by.sinceMs })
    const { from } = request.query as Query
    const latest = annotations.list(withinReach(readFilter(request), by), {
      order: 'desc',
      rows: LIMIT_DEFAULT,
      ...(isNone(from) && { limit: SEARCHED_MAX }),
    })
    return (await takeLatest(latest, request.query as Query)).map(toGrafana)
  })
  app.get(`${ALL}/tags`, of('read'), async (request) => {
    const by = callerOf(request)
    await takeTurn(lists, { caller: by.id, sinceMs: by.sinceMs })
    const { tag = '', limit } = request.query as Query
    const counts = await countTags(annotations.list(withinReach({}, by), { order: 'desc', limit: SEARCHED_MAX }), String(tag))
    return { result: { tags: counts.slice(0, readLimit(limit)) } }
  })
  app.get(ONE, of('read'), async (request): Promise<GrafanaAnnotation> => toGrafana(await get(request)))
  app.delete(ONE, of('delete'), async (request) => {
    await annotations.remove((await get(request)).id, callerOf(request))
    return { message: 'Annotation deleted' }
  })
  addProbes(app)
}

interface Changing extends Pick<Parts, 'annotations'> {
  of: (action: 'update') => { schema: object; config: object }
  get: (request: FastifyRequest) => Promise<StoredAnnotation>
  translate: (request: FastifyRequest, body: unknown, before: StoredAnnotation) => void
}

function addChanges(app: FastifyInstance, { annotations, of, get, translate }: Changing): void {
  /** The ids of those that requests under way change, which were read to check the change. */
  const ids = new WeakMap<FastifyRequest, string>()
  const changes = { PUT: 'Annotation updated', PATCH: 'Annotation patched' }
  for (const [method, message] of Object.entries(changes)) {
    app.route({
      method,
      url: ONE,
      ...of('update'),
      schema: { ...of('update').schema, body: refTo(AnnotationChangeSchema) },
      preValidation: async (request) => {
        const before = await get(request)
        ids.set(request, before.id)
        translate(request, request.body, before)
      },
      handler: async (request) => {
        const id = ids.get(request) ?? ''
        await annotations.change(id, readMembers(request.body as AnnotationChange), callerOf(request))
        return { message, id: numberOf(id) }
      },
    })
  }
}

/** What clients ask before they mark. */
function addProbes(app: FastifyInstance): void {
  const schema = { hide: true }
  app.get('/api/health', { schema, config: { open: true } }, async () => ({ database: 'ok', version: VERSION, commit: '' }))
  const config = { permission: LIST_PERMISSION, tokenAsPassword: true } as const
  app.get('/api/org', { schema, config }, async () => ({ id: 1, name: 'Annotation service' }))
}

function readNumber({ params }: FastifyRequest): number {
  const { number } = params as { number: string }
  if (/^\d{1,16}$/.test(number)) return Number(number)
  throw invalid(VALIDATION_CODES.pattern, `the id must be a number as a create answers it, got ${showValue(number)}`)
}

function readFilter(request: FastifyRequest): StoredFilter {
  const { query } = request
  const { from, to, tags = [], matchAny } = query as Query
  const { limit } = callerOf(request)
  const named = isTrue(matchAny) ? undefined : datasetOf([tags].flat())
  const dataset = named !== undefined && (!limit || limit.includes(named)) ? named : undefined
  const startNs = readInstant('from', from)
  const endNs = readInstant('to', to)
  return {
    ...(startNs !== undefined && { startNs }),
    ...(endNs !== undefined && { endNs }),
    ...(dataset !== undefined && { datasets: [dataset] }),
  }
}

function readInstant(name: string, value: Query[string]): bigint | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return clampInstant(BigInt(value) * UNIT_NS.ms)
  throw invalid(VALIDATION_CODES.pattern, `${name} must be milliseconds since the epoch, got ${showValue(value)}`)
}

function readLimit(value: Query[string]): number {
  if (value === undefined || value === '') return LIMIT_DEFAULT
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Math.min(Number(value) || LIMIT_DEFAULT, LIMIT_MAX)
  throw invalid(VALIDATION_CODES.pattern, `limit must be a number, got ${showValue(value)}`)
}

/** @param pages the latest first @returns those with all of the tags, or with `matchAny` one of them. None is on a dashboard or of an alert. */
async function takeLatest(pages: AsyncIterable<StoredAnnotation[]>, query: Query): Promise<StoredAnnotation[]> {
  const limit = readLimit(query.limit)
  const isElsewhere = ['dashboardUID', 'dashboardId', 'panelId', 'alertId', 'alertUID', 'userId'].some(
    (name) => !isNone(query[name]),
  )
  if (isElsewhere || query.type === 'alert') return []
  const wanted = [query.tags ?? []].flat()
  const hasTags = (annotation: StoredAnnotation) => {
    const has = tagsToFind(annotation)
    return isTrue(query.matchAny) ? wanted.some((tag) => has.has(tag)) : wanted.every((tag) => has.has(tag))
  }
  const latest: StoredAnnotation[] = []
  for await (const page of pages) {
    latest.push(...(wanted.length === 0 ? page : page.filter(hasTags)))
    if (latest.length >= limit) break
  }
  return latest.slice(0, limit)
}

/** As Go reads it. */
const isTrue = (value: Query[string]) => /^(?:1|t|true)$/i.test(String(value))
const isNone = (value: Query[string]) => value === undefined || value === '' || value === '0'

async function countTags(pages: AsyncIterable<StoredAnnotation[]>, part: string): Promise<{ tag: string; count: number }[]> {
  const counts = new Map<string, number>()
  for await (const page of pages)
    for (const tag of page.flatMap(tagsOf)) if (tag.includes(part)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].map(([tag, count]) => ({ tag, count })).sort((a, b) => b.count - a.count)
}
