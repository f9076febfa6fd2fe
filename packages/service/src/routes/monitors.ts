/**
 * The five endpoints of monitors: from requests to the rules and back. Paths and members are those of the hosted service's
 * monitors of type `Threshold`; what is not among them here is ignored, as it is everywhere.
 */
import { MONITOR_TYPE, MONITORS_PATH, type Monitor, type MonitorState } from '@deployment-annotations/contract/monitor'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { tidyBody } from '../annotations/members.ts'
import type { Monitors } from '../automations/monitors/monitors.ts'
import { tidied } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { StoredMonitor, StoredMonitorState } from '../records/monitor-records.ts'
import { CHANGE, CREATE, DELETE, GET, LIST, NAMED } from './schemas/monitors.ts'

const ONE = `${MONITORS_PATH}/:id`

export function addMonitorRoutes(app: FastifyInstance, monitors: Monitors): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.post(MONITORS_PATH, {
    config: { permission: 'monitors|create' },
    schema: CREATE,
    preValidation: tidied(tidyBody),
    handler: async ({ body, token }, reply) => reply.status(201).send(toWire(await monitors.create(body, token?.id ?? ''))),
  })

  routes.get(MONITORS_PATH, {
    config: { permission: 'monitors|read' },
    schema: LIST,
    handler: async () => (await monitors.list()).map(toWire),
  })

  routes.get(ONE, {
    config: { permission: 'monitors|read' },
    schema: GET,
    handler: async ({ params }) => toWire(await monitors.get(params.id)),
  })

  routes.put(ONE, {
    config: { permission: 'monitors|update' },
    schema: CHANGE,
    preValidation: tidied(tidyBody),
    handler: async ({ params, body }) => toWire(await monitors.change(params.id, body)),
  })

  routes.delete(ONE, {
    config: { permission: 'monitors|delete' },
    schema: DELETE,
    handler: async ({ params }, reply) => {
      await monitors.remove(params.id)
      return reply.status(204).send()
    },
  })
}

const timeOf = (ms: number) => formatTimestamp(BigInt(ms) * 1_000_000n)

function toWire({ id, createdAtMs, createdBy, definition, state }: StoredMonitor): Monitor {
  return { id, type: MONITOR_TYPE, ...definition, createdAt: timeOf(createdAtMs), createdBy, state: showState(state) }
}

function showState({ status, sinceMs, lastRunMs, nextRunMs, lastValue, error, annotationId }: StoredMonitorState): MonitorState {
  return {
    status,
    since: timeOf(sinceMs),
    ...(lastRunMs !== undefined && { lastRun: timeOf(lastRunMs) }),
    ...(status !== 'disabled' && { nextRun: timeOf(nextRunMs) }),
    ...(lastValue !== undefined && { lastValue }),
    ...(error !== undefined && { error }),
    ...(annotationId !== undefined && { annotationId }),
  }
}
