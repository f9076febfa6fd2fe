/**
 * The APIs of others in which tools mark, with another address and a token of this service: those of foreign-apis/. Their bodies become
 * those of our own operations, which check them. Errors are our own.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import {
  type AnnotationChange,
  AnnotationChangeSchema,
  type NewAnnotation,
  NewAnnotationSchema,
} from '@deployment-annotations/contract/schemas/annotation'
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import type { StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/gate'
import { hashOf } from '@deployment-annotations/runtime/concurrency/in-flight'
import { invalid, ServiceError, showValue } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withinReach } from '../annotations/annotations.ts'
import { readMembers } from '../annotations/wire.ts'
import type { AnnotationApi, ApiRequest, RequestKind } from '../foreign-apis/annotation-api.ts'
import { APIS } from '../foreign-apis/apis.ts'
import { callerOf, isAllowed } from '../http/auth.ts'
import type { Parts } from '../parts.ts'

const LISTED_MAX = 1_000
const PERMISSIONS = {
  create: 'annotations|create',
  put: 'annotations|create',
  change: 'annotations|update',
  remove: 'annotations|delete',
  get: 'annotations|read',
  find: 'annotations|read',
  list: 'annotations|read',
  none: 'annotations|create',
} as const

/** What a client sent, before its body became one of our own. */
const sent = new WeakMap<FastifyRequest, ApiRequest>()

export function addForeignApiRoutes(app: FastifyInstance, parts: Parts): void {
  for (const api of APIS) for (const operation of api.operations) addOperation(app, { api, operation, parts })
}

interface Adding {
  api: AnnotationApi
  operation: RequestKind
  parts: Parts
}

function addOperation(app: FastifyInstance, { api: { tokenHeader }, operation, parts }: Adding): void {
  const { method, path, does, status = 200, read, answer } = operation
  if ((does === 'put' || does === 'find') && !operation.key) throw new Error(`${method} ${path} has no key`)
  const body = read && { body: refTo(does === 'change' ? AnnotationChangeSchema : NewAnnotationSchema) }
  app.route({
    method,
    url: path,
    // Their owners describe these operations; the document has our own.
    schema: { hide: true, ...body },
    config: { permission: PERMISSIONS[does], ...(tokenHeader !== undefined && { tokenHeader }) },
    preValidation: async (request) => {
      if (read && !isObject(request.body)) {
        throw invalid(VALIDATION_CODES.pattern, `the body must be a JSON object, got ${showValue(request.body)}`)
      }
      const asked = readRequest(request, parts)
      sent.set(request, asked)
      if (read) request.body = read(asked)
    },
    handler: async (request, reply) => {
      const asked = sent.get(request) ?? readRequest(request, parts)
      const found = await carryOut(operation, asked, { request, parts })
      return reply.status(status).send(answer(found, asked) ?? {})
    },
  })
}

const isObject = (body: unknown): body is ApiRequest['body'] => typeof body === 'object' && body !== null && !Array.isArray(body)

function readRequest(request: FastifyRequest, { datasets }: Parts): ApiRequest {
  const { body, params, query } = request
  return {
    body: isObject(body) ? body : {},
    params: params as ApiRequest['params'],
    query: query as ApiRequest['query'],
    isDataset: (name) => datasets.find(name) !== undefined && isAllowed(request, 'annotations|create', name),
    limit: callerOf(request).limit,
  }
}

interface Carrying {
  request: FastifyRequest
  parts: Parts
}

async function carryOut(operation: RequestKind, asked: ApiRequest, { request, parts }: Carrying): Promise<StoredAnnotation[]> {
  const { annotations, lists } = parts
  const by = callerOf(request)
  const key = operation.key?.(asked)
  switch (operation.does) {
    case 'create': {
      const members = readMembers(request.body as NewAnnotation)
      // The same request again is a repeat: clients send once more what they got no answer to.
      const repeat = key === undefined ? undefined : { key: hashOf([operation.path, key]), payload: members }
      return [await annotations.create(members, by, repeat)]
    }
    case 'put':
      return [await putReleased(request.body as NewAnnotation, key ?? '', { request, parts })]
    case 'change':
      return [
        await annotations.change(
          (await find(operation, asked, { request, parts })).id,
          readMembers(request.body as AnnotationChange),
          by,
        ),
      ]
    case 'remove': {
      const gone = await find(operation, asked, { request, parts })
      await annotations.remove(gone.id, by)
      return [gone]
    }
    case 'get':
      return [await find(operation, asked, { request, parts })]
    case 'find': {
      const found = await annotations.findByKey(key ?? '', by)
      if (!found) throw new ServiceError('not_found', 'not found')
      return [found]
    }
    case 'list': {
      await takeTurn(lists, { caller: by.id, sinceMs: by.sinceMs })
      const found: StoredAnnotation[] = []
      const pages = annotations.list(withinReach(operation.filter?.(asked) ?? {}, by), { order: 'desc', limit: LISTED_MAX })
      for await (const page of pages) found.push(...page)
      return found
    }
    case 'none':
      return []
    default:
      return operation.does satisfies never
  }
}

/** What another request said of the same one stays where this does not say it. */
async function putReleased(body: NewAnnotation, key: string, { request, parts }: Carrying): Promise<StoredAnnotation> {
  const by = callerOf(request)
  const before = await parts.annotations.findByKey(key, by)
  if (!before) return (await parts.annotations.put(readMembers(body), by, { key, part: undefined })).annotation
  const { time: _, ...change } = body
  const { endTimeNs, ...others } = readMembers(change)
  // Its sender has another clock, and leaves out the fractions of a second.
  const end = endTimeNs === undefined || endTimeNs > before.timeNs ? endTimeNs : before.timeNs
  return parts.annotations.change(before.id, { ...others, ...(end !== undefined && { endTimeNs: end }) }, by)
}

function find({ id }: RequestKind, asked: ApiRequest, { request, parts }: Carrying): Promise<StoredAnnotation> {
  const name = id?.(asked) ?? ''
  const by = callerOf(request)
  return /^\d{1,16}$/.test(name) ? parts.annotations.getByNumber(Number(name), by) : parts.annotations.get(name, by)
}
