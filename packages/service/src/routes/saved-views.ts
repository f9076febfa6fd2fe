/**
 * The endpoints of saved views, which are specific to this service.
 */
import { SAVED_VIEWS, type SavedView } from '@deployment-annotations/contract/saved-view'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { SavedViewRecord } from '@deployment-annotations/records/saved/saved-view-records'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { mapPages, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'

export function addSavedViewRoutes(app: FastifyInstance, { savedViews: views }: Parts): void {
  route(app, SAVED_VIEWS.create, async (request) => toWire(await views.create(request.body, callerOf(request))))

  route(app, SAVED_VIEWS.list, (request) => mapPages(views.list(callerOf(request)), toWire))

  route(app, SAVED_VIEWS.get, async (request) => toWire(await views.get(request.params.id, callerOf(request))))

  route(app, SAVED_VIEWS.change, async (request) =>
    toWire(await views.change(request.params.id, request.body, callerOf(request))),
  )

  route(app, SAVED_VIEWS.delete, (request) => views.remove(request.params.id, callerOf(request)))
}

function toWire({ id, version, definition, createdBy, createdAtMs, updatedAtMs }: SavedViewRecord): SavedView {
  return { id, ...definition, createdAt: formatMillis(createdAtMs), createdBy, updatedAt: formatMillis(updatedAtMs), version }
}
