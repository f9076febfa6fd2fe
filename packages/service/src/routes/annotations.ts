/**
 * The five endpoints of annotations (contract 4.1–4.5): from requests to the rules and back.
 */
import { Readable } from 'node:stream'
import { ANNOTATIONS_PATH, type AnnotationChange } from '@deployment-annotations/contract/annotation'
import { IDEMPOTENCY_KEY_HEADER, VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Annotations } from '../annotations/annotations.ts'
import { type Query, readFilter } from '../annotations/filter.ts'
import { readMembers, tidyBody, toWire } from '../annotations/members.ts'
import { invalid } from '../errors.ts'
import { readIdempotencyKey } from '../http/idempotency-key.ts'
import {
  ANNOTATION_CHANGE_SCHEMA,
  ANNOTATION_SCHEMA,
  ERROR_SCHEMA,
  errorAnswers,
  ID_PARAMS,
  NEW_ANNOTATION_SCHEMA,
} from '../http/schemas.ts'
import type { StoredAnnotation } from '../store/store.ts'

const ONE = `${ANNOTATIONS_PATH}/:id`
const TAGS = ['annotations']

export function addAnnotationRoutes(app: FastifyInstance, annotations: Annotations): void {
  for (const schema of [ANNOTATION_SCHEMA, NEW_ANNOTATION_SCHEMA, ANNOTATION_CHANGE_SCHEMA, ERROR_SCHEMA]) app.addSchema(schema)
  const tidy = async (request: FastifyRequest) => {
    if (request.body === undefined) throw invalid(VALIDATION_CODES.required, 'the body is required')
    request.body = tidyBody(request.body)
  }

  app.post<{ Body: AnnotationChange }>(ANNOTATIONS_PATH, {
    config: { permission: 'annotations|create' },
    schema: {
      operationId: 'createAnnotation',
      summary: 'Create an annotation',
      tags: TAGS,
      headers: IDEMPOTENCY_HEADERS,
      body: { $ref: 'NewAnnotation#' },
      response: { 201: annotationAnswer('The annotation with its id.'), ...errorAnswers(400, 401, 403, 409, 413, 415, 422, 507) },
    },
    preValidation: tidy,
    handler: async (request, reply) => {
      const members = readMembers(request.body)
      const key = readIdempotencyKey(request)
      const repeat = key === undefined ? undefined : { key, payload: members }
      return reply.status(201).send(toWire(await annotations.create(members, request.token?.id ?? '', repeat)))
    },
  })

  app.get<{ Querystring: Query }>(ANNOTATIONS_PATH, {
    config: { permission: 'annotations|read' },
    // For the document; readFilter is what reads them.
    attachValidation: true,
    schema: {
      operationId: 'listAnnotations',
      summary: 'List annotations',
      description: 'Those whose span touches `[start, end]`, ends inclusive, ascending by time, then id.',
      tags: TAGS,
      querystring: LIST_PARAMETERS,
      response: {
        200: {
          description: 'The annotations.',
          content: { 'application/json': { schema: { type: 'array', items: { $ref: 'Annotation#' } } } },
        },
        ...errorAnswers(401, 403, 422),
      },
    },
    handler: async (request, reply) => {
      const pages = annotations.list(readFilter(request.query))
      const firstPage = await pages.next()
      if (firstPage.done) return reply.send([])
      const rest = await pages.next()
      if (rest.done) return reply.send(firstPage.value.map(toWire))
      const text = writeArray([firstPage.value, rest.value], pages, (error) => {
        request.fault = error
      })
      return reply.type('application/json').send(Readable.from(text, { objectMode: false }))
    },
  })

  app.get<{ Params: { id: string } }>(ONE, {
    config: { permission: 'annotations|read' },
    schema: {
      operationId: 'getAnnotation',
      summary: 'Get an annotation',
      tags: TAGS,
      params: ID_PARAMS,
      response: { 200: annotationAnswer('The annotation.'), ...errorAnswers(400, 401, 403, 404) },
    },
    handler: async (request) => toWire(await annotations.get(request.params.id)),
  })

  app.put<{ Params: { id: string }; Body: AnnotationChange }>(ONE, {
    config: { permission: 'annotations|update' },
    schema: {
      operationId: 'changeAnnotation',
      summary: 'Change an annotation',
      description: 'Members that are not sent keep their values. An empty title, description or url unsets it.',
      tags: TAGS,
      params: ID_PARAMS,
      body: { $ref: 'AnnotationChange#' },
      response: {
        200: annotationAnswer('The annotation after the change.'),
        ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507),
      },
    },
    preValidation: tidy,
    handler: async (request) => toWire(await annotations.change(request.params.id, readMembers(request.body))),
  })

  app.delete<{ Params: { id: string } }>(ONE, {
    config: { permission: 'annotations|delete' },
    schema: {
      operationId: 'deleteAnnotation',
      summary: 'Delete an annotation',
      tags: TAGS,
      params: ID_PARAMS,
      response: { 204: { description: 'It is gone.', type: 'null' }, ...errorAnswers(400, 401, 403, 404, 507) },
    },
    handler: async (request, reply) => {
      await annotations.remove(request.params.id)
      return reply.status(204).send()
    },
  })
}

const LIST_PARAMETERS = {
  type: 'object',
  properties: {
    start: { type: 'string', format: 'date-time', description: 'Begin of the interval; of several the earliest counts.' },
    end: { type: 'string', format: 'date-time', description: 'End of the interval; of several the latest counts.' },
    datasets: { type: 'string', description: 'Names of datasets, separated by commas; may be repeated.', examples: ['web,api'] },
  },
} as const

const IDEMPOTENCY_HEADERS = {
  type: 'object',
  properties: {
    [IDEMPOTENCY_KEY_HEADER]: {
      type: 'string',
      description: 'A create that repeats this key with the same body within 24 hours is answered with the first annotation.',
    },
  },
} as const

function annotationAnswer(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: 'Annotation#' } } } }
}

/** A long list is written page by page: it is never whole in memory, and a slow reader holds nothing in the store. */
async function* writeArray(
  first: StoredAnnotation[][],
  rest: AsyncIterable<StoredAnnotation[]>,
  onFault: (error: unknown) => void,
): AsyncGenerator<string> {
  let separator = '['
  const write = (page: StoredAnnotation[]) => {
    const text = separator + page.map((annotation) => JSON.stringify(toWire(annotation))).join(',')
    separator = ','
    return text
  }
  for (const page of first) yield write(page)
  try {
    for await (const page of rest) yield write(page)
  } catch (error) {
    // The status has gone out: the connection is cut, so that nobody takes the part for the whole.
    onFault(error)
    throw error
  }
  yield ']'
}
