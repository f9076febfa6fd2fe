/**
 * Grafana's API of annotations, for tools that annotate there and take another address: Argo CD, Flux, Ansible and others. Annotations have
 * numbers for ids, and tags; packages/edge says what becomes of them. Errors are our own, in the same form: a `message`.
 */
import { ANNOTATIONS, type AnnotationChange, type NewAnnotation } from '@deployment-annotations/contract/annotation'
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { ANNOTATION_WARNING_HEADER } from '@deployment-annotations/contract/header'
import { type GrafanaAnnotation, readGraphite, readMark, toGrafana } from '@deployment-annotations/edge/grafana/annotations'
import { countTags, type ListQuery, readGrafanaQuery, readLimit, takeTagged } from '@deployment-annotations/edge/grafana/lists'
import { chooseDatasets, listCandidates } from '@deployment-annotations/edge/tags'
import type { StoredAnnotation, StoredFilter } from '@deployment-annotations/records/annotations/annotation-records'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/turns'
import { invalid, showValue } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIST_PERMISSION, withinReach } from '../annotations/annotations.ts'
import { readMembers } from '../annotations/requests.ts'
import { callerOf, isAllowed } from '../http/auth.ts'
import type { Parts } from '../parts.ts'
import { VERSION } from '../version.ts'
import { numbered, numberOf } from '../wire/ids.ts'

const ALL = '/api/annotations'
const ONE = `${ALL}/:number`
/** Of the API. Clients compare it with what they need. */
const GRAFANA_VERSION = '12.0.0'
const PAGE_ROWS = 100
/** So many, the newest, are looked through for tags where the request has no `from`: a year of marks is not read for one answer. */
const SEARCHED_MAX = 10_000

type Query = Parameters<typeof readGrafanaQuery>[0]

export function addGrafanaRoutes(app: FastifyInstance, { annotations, datasets, lists }: Parts): void {
  // Grafana describes these operations; the document has our own, by whose schemas bodies are checked here too.
  const schema = { hide: true } as const
  const of = (action: 'create' | 'read' | 'update' | 'delete') => ({
    schema,
    config: { permission: `annotations|${action}`, tokenAsPassword: true } as const,
  })
  const get = (request: FastifyRequest) => annotations.getByNumber(readNumber(request), callerOf(request))
  const translate = async (request: FastifyRequest, body: unknown, before?: StoredAnnotation): Promise<string | undefined> => {
    const { change, tags } = readMark(body, before)
    request.body = change
    if (tags === undefined) return undefined
    const mayMark = (name: string) => isAllowed(request, 'annotations|create', name)
    const candidates = listCandidates(tags).filter(mayMark)
    const unmarked = await annotations.listUnmarked(candidates, before?.id ?? '')
    const known = new Set(candidates.filter((name) => datasets.find(name) !== undefined || !unmarked.includes(name)))
    const choice = { known, mayMark, limit: callerOf(request).limit, before: before?.datasets }
    const chosen = chooseDatasets(tags, choice)
    request.body = { ...change, ...(chosen.datasets.length > 0 && { datasets: chosen.datasets }) }
    return chosen.warning
  }

  const creates = { [ALL]: 'Annotation added', [`${ALL}/graphite`]: 'Graphite annotation added' }
  for (const [path, message] of Object.entries(creates)) {
    app.post(path, {
      ...of('create'),
      schema: { ...schema, body: ANNOTATIONS.create.body },
      preValidation: async (request, reply) => {
        const warning = await translate(request, path === ALL ? request.body : readGraphite(request.body))
        if (warning !== undefined) reply.header(ANNOTATION_WARNING_HEADER, warning)
      },
      handler: async (request, reply) => {
        const created = await annotations.create(readMembers(request.body as NewAnnotation), callerOf(request))
        const warning = reply.getHeader(ANNOTATION_WARNING_HEADER)
        return { message: warning === undefined ? message : `${message}: ${warning}`, id: numberOf(created.id) }
      },
    })
  }
  addChanges(app, { annotations, of, get, translate })
  addLists(app, { annotations, lists })
  app.get(ONE, of('read'), async (request): Promise<GrafanaAnnotation> => toGrafana(numbered(await get(request))))
  app.delete(ONE, of('delete'), async (request) => {
    await annotations.remove((await get(request)).id, callerOf(request))
    return { message: 'Annotation deleted' }
  })
  addProbes(app)
}

function addLists(app: FastifyInstance, { annotations, lists }: Pick<Parts, 'annotations' | 'lists'>): void {
  const options = { schema: { hide: true }, config: { permission: LIST_PERMISSION, tokenAsPassword: true } } as const
  app.get(ALL, options, async (request) => {
    const by = callerOf(request)
    await takeTurn(lists, { caller: by.id, sinceMs: by.sinceMs })
    const query = readGrafanaQuery(request.query as Query)
    if (!query) return []
    const { dataset, startNs, limit } = query
    const isReached = dataset !== undefined && (by.limit?.includes(dataset) ?? true)
    const filter = withinReach({ ...rangeOf(query), ...(isReached && { datasets: [dataset] }) }, by)
    const searched = startNs === undefined ? { limit: SEARCHED_MAX } : {}
    const latest = annotations.list(filter, { order: 'desc', rows: PAGE_ROWS, ...searched })
    return (await takeTagged(latest, query, limit)).map((stored) => toGrafana(numbered(stored)))
  })
  app.get(`${ALL}/tags`, options, async (request) => {
    const by = callerOf(request)
    await takeTurn(lists, { caller: by.id, sinceMs: by.sinceMs })
    const { tag = '', limit } = request.query as Query
    const counts = await countTags(annotations.list(withinReach({}, by), { order: 'desc', limit: SEARCHED_MAX }), String(tag))
    return { result: { tags: counts.slice(0, readLimit(limit)) } }
  })
}

/** @returns the filter for the times that are asked for */
export function rangeOf({ startNs, endNs }: Pick<ListQuery, 'startNs' | 'endNs'>): StoredFilter {
  return { ...(startNs !== undefined && { startNs }), ...(endNs !== undefined && { endNs }) }
}

interface Changing extends Pick<Parts, 'annotations'> {
  of: (action: 'update') => { schema: object; config: object }
  get: (request: FastifyRequest) => Promise<StoredAnnotation>
  translate: (request: FastifyRequest, body: unknown, before: StoredAnnotation) => Promise<string | undefined>
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
      schema: { ...of('update').schema, body: ANNOTATIONS.change.body },
      preValidation: async (request) => {
        const before = await get(request)
        ids.set(request, before.id)
        await translate(request, request.body, before)
      },
      handler: async (request) => {
        const id = ids.get(request) ?? ''
        await annotations.change(id, readMembers(request.body as AnnotationChange), callerOf(request))
        return { message, id: numberOf(id) }
      },
    })
  }
}

/** What clients ask before they create an annotation. */
function addProbes(app: FastifyInstance): void {
  const schema = { hide: true }
  app.get('/api/health', { schema, config: { open: true } }, async () => ({ database: 'ok', version: VERSION, commit: '' }))
  app.get('/api/frontend/settings', { schema, config: { open: true } }, async () => ({
    buildInfo: { version: GRAFANA_VERSION, commit: '' },
  }))
  const config = { permission: LIST_PERMISSION, tokenAsPassword: true } as const
  app.get('/api/org', { schema, config }, async () => ({ id: 1, name: 'Annotation service' }))
}

function readNumber({ params }: FastifyRequest): number {
  const { number } = params as { number: string }
  if (/^\d{1,16}$/.test(number)) return Number(number)
  throw invalid(VALIDATION_CODES.pattern, `the id must be a number as a create answers it, got ${showValue(number)}`)
}
