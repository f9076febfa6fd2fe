/**
 * The endpoints of saved views, which are specific to this service.
 */
import { SAVED_VIEWS_PATH } from '@deployment-annotations/contract/saved-view'
import type { SavedView } from '@deployment-annotations/contract/schemas/saved-view'
import type { SavedViewRecord } from '@deployment-annotations/records/saved-view-records'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { tidied, withoutNulls } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { CHANGE, CREATE, DELETE, GET, LIST, NAMED } from './schemas/saved-views.ts'

const ONE = `${SAVED_VIEWS_PATH}/:id`

export function addSavedViewRoutes(app: FastifyInstance, { savedViews: views }: Parts): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.post(SAVED_VIEWS_PATH, {
    ...CREATE,
    preValidation: tidied(withoutNulls),
    handler: async (request, reply) => reply.status(201).send(toWire(await views.create(request.body, callerOf(request)))),
  })

  routes.get(SAVED_VIEWS_PATH, LIST, async (request) => (await views.list(callerOf(request))).map(toWire))

  routes.get(ONE, GET, async (request) => toWire(await views.get(request.params.id, callerOf(request))))

  routes.put(ONE, {
    ...CHANGE,
    preValidation: tidied(withoutNulls),
    handler: async (request) => toWire(await views.change(request.params.id, request.body, callerOf(request))),
  })

  routes.delete(ONE, DELETE, (request) => views.remove(request.params.id, callerOf(request)))
}

function toWire({ id, version, definition, createdBy, createdAtMs, updatedAtMs }: SavedViewRecord): SavedView {
  const [createdAt, updatedAt] = [createdAtMs, updatedAtMs].map((ms) => new Date(ms).toISOString()) as [string, string]
  return { id, ...definition, createdAt, createdBy, updatedAt, version }
}
