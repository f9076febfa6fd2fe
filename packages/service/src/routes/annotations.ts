/**
 * The five endpoints of annotations (contract 4.1–4.5): from requests to the rules and back.
 */
import { Readable } from 'node:stream'
import { ANNOTATIONS_PATH } from '@deployment-annotations/contract/annotation'
import { ErrorSchema } from '@deployment-annotations/contract/schemas/error-body'
import type { FastifyInstance } from 'fastify'
import type { Annotations } from '../annotations/annotations.ts'
import { readFilter } from '../annotations/filter.ts'
import { readMembers, tidyBody, toWire } from '../annotations/members.ts'
import { tidied } from '../http/body.ts'
import { readIdempotencyKey } from '../http/idempotency-key.ts'
import { typed } from '../http/schemas.ts'
import type { StoredAnnotation } from '../records/annotation-records.ts'
import { CHANGE, CREATE, DELETE, GET, LIST, NAMED } from './schemas/annotations.ts'

const ONE = `${ANNOTATIONS_PATH}/:id`

export function addAnnotationRoutes(app: FastifyInstance, annotations: Annotations): void {
  for (const schema of [...NAMED, ErrorSchema]) app.addSchema(schema)
  const routes = typed(app)

  routes.post(ANNOTATIONS_PATH, {
    config: { permission: 'annotations|create' },
    schema: CREATE,
    preValidation: tidied(tidyBody),
    handler: async (request, reply) => {
      const members = readMembers(request.body)
      const key = readIdempotencyKey(request)
      const repeat = key === undefined ? undefined : { key, payload: members }
      return reply.status(201).send(toWire(await annotations.create(members, request.token?.id ?? '', repeat)))
    },
  })

  routes.get(ANNOTATIONS_PATH, {
    config: { permission: 'annotations|read' },
    schema: LIST,
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

  routes.get(ONE, {
    config: { permission: 'annotations|read' },
    schema: GET,
    handler: async (request) => toWire(await annotations.get(request.params.id)),
  })

  routes.put(ONE, {
    config: { permission: 'annotations|update' },
    schema: CHANGE,
    preValidation: tidied(tidyBody),
    handler: async (request) => toWire(await annotations.change(request.params.id, readMembers(request.body))),
  })

  routes.delete(ONE, {
    config: { permission: 'annotations|delete' },
    schema: DELETE,
    handler: async (request, reply) => {
      await annotations.remove(request.params.id)
      return reply.status(204).send()
    },
  })
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
    // The status has gone out: the connection is cut, so that the part is not taken for the whole.
    onFault(error)
    throw error
  }
  yield ']'
}
