/**
 * The five endpoints of annotations (contract 4.1–4.5).
 */

import { ANNOTATIONS, type Annotation, type NewAnnotation } from '@deployment-annotations/contract/annotation'
import { DELETED_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { ANNOTATION_KEY_HEADER, ANNOTATION_WARNING_HEADER, IDEMPOTENCY_KEY_HEADER } from '@deployment-annotations/contract/header'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/turns'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Annotations, withinReach } from '../annotations/annotations.ts'
import { linkAfter, readListedPart } from '../annotations/list-part.ts'
import { describeMissing, readFilter, readMembers, tidyBody } from '../annotations/requests.ts'
import { answerAll } from '../automations/releases/hurting.ts'
import { callerOf, isAllowed, requirePermission } from '../http/auth.ts'
import { asksForAll, readJob, readKey, readOpen, readTags } from '../http/request-headers.ts'
import { type RequestOf, route, sendList, writtenRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { toJson } from '../query/answer-body.ts'
import { type MayQuery, pageOf, toWire } from '../wire/annotation.ts'
import { isObject } from '../wire/is-object.ts'

export function addAnnotationRoutes(app: FastifyInstance, parts: Parts): void {
  const { annotations, datasets } = parts
  const options = { preValidation: addTags, tidy: tidyBody }

  const create = async (request: FastifyRequest, reply: FastifyReply) => {
    const { annotation, isNew } = await createOrReplace(annotations, request, reply)
    if (isNew) reply.status(201)
    return withHints(annotation, { request, reply, datasets, annotations, toPages: '../' })
  }
  route(app, ANNOTATIONS.create, create, options)

  writtenRoute(app, ANNOTATIONS.list, (request, reply) => list(parts, request, reply))

  route(app, ANNOTATIONS.get, async (request, reply) => {
    const found = await annotations.get(request.params.id, callerOf(request))
    linkToPage(reply, found, '../../')
    return (await answerAll(parts, [found], mayQueryOf(request)))[0] as Annotation
  })

  const change = async (request: RequestOf<typeof ANNOTATIONS.change>, reply: FastifyReply) => {
    const members = { ...readMembers(request.body), ...readOpen(request) }
    const changed = await annotations.change(request.params.id, members, callerOf(request))
    return withHints(changed, { request, reply, datasets, annotations, toPages: '../../' })
  }
  route(app, ANNOTATIONS.change, change, options)

  route(app, ANNOTATIONS.delete, (request) => annotations.remove(request.params.id, callerOf(request)))
}

/** What the header says of tags is checked with the body. */
async function addTags(request: FastifyRequest): Promise<void> {
  const { body } = request
  if (isObject(body)) request.body = { ...body, ...readTags(request) }
}

/** @returns which verdicts the caller may see, where it asks for the members that only this service has */
function mayQueryOf(request: FastifyRequest, isAsked = asksForAll(request)): MayQuery | undefined {
  return isAsked ? (dataset) => isAllowed(request, 'query|read', dataset) : undefined
}

/** @param toPages from the address of the request to the folder of all pages */
function linkToPage(reply: FastifyReply, annotation: StoredAnnotation, toPages: string): void {
  reply.header('link', `<${toPages}${pageOf(annotation)}>; rel="alternate"; type="text/html"`)
}

interface Answering {
  request: FastifyRequest
  reply: FastifyReply
  datasets: Parts['datasets']
  annotations: Annotations
  toPages: string
}

/** @returns the body of the answer; a link to the page, and a warning about missing datasets, go into its headers */
async function withHints(
  annotation: StoredAnnotation,
  { request, reply, datasets, annotations, toPages }: Answering,
): Promise<Annotation> {
  linkToPage(reply, annotation, toPages)
  const missing = annotation.datasets.filter((name) => !datasets.find(name) && !DELETED_NAME_PATTERN.test(name))
  if (missing.length > 0 && isAllowed(request, 'datasets|read')) {
    const readable = datasets.list().filter(({ name }) => isAllowed(request, 'datasets|read', name))
    const existing = readable.map(({ name }) => name)
    const unmarked = await annotations.listUnmarked(missing, annotation.id)
    const warning = describeMissing(missing, { existing, unmarked })
    if (warning !== undefined) reply.header(ANNOTATION_WARNING_HEADER, warning)
  }
  return toWire(annotation, mayQueryOf(request))
}

/** Creates an annotation; with an Annotation-Key there is only one, however often it is created, and the answer repeats the key. */
async function createOrReplace(annotations: Annotations, request: FastifyRequest, reply: FastifyReply) {
  const members = { ...readMembers(request.body as NewAnnotation), ...readOpen(request) }
  const by = callerOf(request)
  const key = readKey(request, 'annotation')
  const repeated = readKey(request, 'idempotency')
  if (key !== undefined) {
    requirePermission(request, 'annotations|update')
    reply.header(ANNOTATION_KEY_HEADER, key)
    return await annotations.put(members, by, { key, job: readJob(request) })
  }
  if (repeated !== undefined) reply.header(IDEMPOTENCY_KEY_HEADER, repeated)
  const repeat = repeated === undefined ? undefined : { key: repeated, payload: members }
  return { annotation: await annotations.create(members, by, repeat), isNew: true }
}

async function list(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<Annotation[] | FastifyReply> {
  const { annotations, lists } = parts
  const key = readKey(request, 'annotation')
  const by = callerOf(request)
  const asked = readFilter(request.query, parts.now())
  const { limit, ...part } = readListedPart(request.query)
  if (key !== undefined) {
    reply.header(ANNOTATION_KEY_HEADER, key)
    const annotation = await annotations.findByKey(key, by)
    return answerAll(parts, annotation ? [annotation] : [], mayQueryOf(request))
  }
  if (asked.verdicts) by.require('query|read', 'to list verdicts')
  const filter = withinReach(asked, by)
  await takeTurn(lists, { caller: by.id, sinceMs: by.sinceMs })
  // Who asks for members that only this service has knows of them. Verdicts are shown of datasets whose events it may read.
  const mayQuery = mayQueryOf(request, asksForAll(request) || asked.verdicts !== undefined || asked.tags !== undefined)
  const isShown = asked.verdicts && mayQuery
  if (limit !== undefined) {
    const found: StoredAnnotation[] = []
    // One more says whether there are more.
    for await (const page of annotations.list(filter, { ...part, isShown, limit: limit + 1 })) found.push(...page)
    const listed = found.slice(0, limit)
    const last = listed.at(-1)
    if (last && found.length > limit) reply.header('link', linkAfter(last, request.raw.url ?? ''))
    return answerAll(parts, listed, mayQuery)
  }
  return sendList(writePages(parts, annotations.list(filter, { ...part, isShown }), mayQuery), request, reply)
}

/** A long list is read page by page: a slow reader holds nothing in the store. */
async function* writePages(parts: Parts, pages: AsyncIterable<StoredAnnotation[]>, mayQuery: MayQuery | undefined) {
  for await (const page of pages) yield (await answerAll(parts, page, mayQuery)).map(toJson)
}
