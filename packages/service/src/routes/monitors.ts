/**
 * The five endpoints of monitors: from requests to the rules and back. Paths and members are those of the hosted service's
 * monitors of type `Threshold`; what is not among them here is ignored, as it is everywhere.
 */
import { MONITORS_PATH } from '@deployment-annotations/contract/monitor'
import type { FastifyInstance } from 'fastify'
import { tidyBody } from '../annotations/members.ts'
import { LIST_PERMISSION, type Monitors } from '../automations/monitors/monitors.ts'
import { toWire } from '../automations/monitors/wire.ts'
import { callerOf } from '../http/auth.ts'
import { tidied } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import { CHANGE, CREATE, DELETE, GET, LIST, NAMED } from './schemas/monitors.ts'

const ONE = `${MONITORS_PATH}/:id`

export function addMonitorRoutes(app: FastifyInstance, monitors: Monitors): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.post(MONITORS_PATH, {
    config: { permission: 'monitors|create' },
    schema: CREATE,
    preValidation: tidied(tidyBody),
    handler: async (request, reply) => reply.status(201).send(toWire(await monitors.create(request.body, callerOf(request)))),
  })

  routes.get(MONITORS_PATH, {
    config: { permission: LIST_PERMISSION },
    schema: LIST,
    handler: async (request) => (await monitors.list(callerOf(request))).map(toWire),
  })

  routes.get(ONE, {
    config: { permission: 'monitors|read' },
    schema: GET,
    handler: async (request) => toWire(await monitors.get(request.params.id, callerOf(request))),
  })

  routes.put(ONE, {
    config: { permission: 'monitors|update' },
    schema: CHANGE,
    preValidation: tidied(tidyBody),
    handler: async (request) => toWire(await monitors.change(request.params.id, request.body, callerOf(request))),
  })

  routes.delete(ONE, {
    config: { permission: 'monitors|delete' },
    schema: DELETE,
    handler: async (request, reply) => {
      await monitors.remove(request.params.id, callerOf(request))
      return reply.status(204).send()
    },
  })
}
