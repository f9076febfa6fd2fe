/**
 * The endpoints of monitors. Paths and members are those of the hosted service's monitors; members that this service cannot honor are
 * refused.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { MONITORS } from '@deployment-annotations/contract/monitor'
import { endOfMillisecond } from '@deployment-annotations/contract/relative-time'
import type { FastifyInstance } from 'fastify'
import { tidyMonitor } from '../automations/monitors/definition.ts'
import { toWire, toWireAlert } from '../automations/monitors/wire.ts'
import { callerOf } from '../http/auth.ts'
import { mapPages, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { readTimeParameter } from '../wire/request-time.ts'

export function addMonitorRoutes(app: FastifyInstance, { monitors, now }: Parts): void {
  const tidy = tidyMonitor

  route(app, MONITORS.create, async (request) => toWire(await monitors.create(request.body, callerOf(request))), { tidy })

  route(app, MONITORS.list, (request) => mapPages(monitors.list(callerOf(request)), toWire))

  route(app, MONITORS.get, async (request) => toWire(await monitors.get(request.params.id, callerOf(request))))

  route(app, MONITORS.history, async (request) => {
    const { startTime, endTime } = request.query
    const readMs = (name: string, text: string) => Number(readTimeParameter(name, text, endOfMillisecond(now())) / UNIT_NS.ms)
    const span = { startMs: readMs('startTime', startTime), endMs: readMs('endTime', endTime) }
    return (await monitors.history(request.params.id, span, callerOf(request))).map(toWireAlert)
  })

  route(
    app,
    MONITORS.change,
    async (request) => toWire(await monitors.change(request.params.id, request.body, callerOf(request))),
    { tidy },
  )

  route(app, MONITORS.delete, (request) => monitors.remove(request.params.id, callerOf(request)))
}
