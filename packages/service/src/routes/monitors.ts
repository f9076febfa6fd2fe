/**
 * The endpoints of monitors. Paths and members are those of the hosted service's monitors; members that this service cannot honor are
 * refused.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { MONITORS_PATH } from '@deployment-annotations/contract/monitor'
import type { FastifyInstance } from 'fastify'
import { tidyMonitor } from '../automations/monitors/definition.ts'
import { toWire, toWireAlert } from '../automations/monitors/wire.ts'
import { callerOf } from '../http/auth.ts'
import { tidied } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { readTimeParameter } from '../wire/request-time.ts'
import { CHANGE, CREATE, DELETE, GET, HISTORY, LIST, NAMED } from './schemas/monitors.ts'

const ONE = `${MONITORS_PATH}/:id`

export function addMonitorRoutes(app: FastifyInstance, { monitors }: Parts): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.post(MONITORS_PATH, {
    ...CREATE,
    preValidation: tidied(tidyMonitor),
    handler: async (request, reply) => reply.status(201).send(toWire(await monitors.create(request.body, callerOf(request)))),
  })

  routes.get(MONITORS_PATH, LIST, async (request) => (await monitors.list(callerOf(request))).map(toWire))

  routes.get(ONE, GET, async (request) => toWire(await monitors.get(request.params.id, callerOf(request))))

  routes.get(`${ONE}/history`, HISTORY, async (request) => {
    const { startTime, endTime } = request.query
    const span = { startMs: readMs('startTime', startTime), endMs: readMs('endTime', endTime) }
    return (await monitors.history(request.params.id, span, callerOf(request))).map(toWireAlert)
  })

  routes.put(ONE, {
    ...CHANGE,
    preValidation: tidied(tidyMonitor),
    handler: async (request) => toWire(await monitors.change(request.params.id, request.body, callerOf(request))),
  })

  routes.delete(ONE, DELETE, (request) => monitors.remove(request.params.id, callerOf(request)))
}

/** @returns milliseconds since the epoch */
function readMs(name: string, text: string): number {
  return Number(readTimeParameter(name, text) / UNIT_NS.ms)
}
