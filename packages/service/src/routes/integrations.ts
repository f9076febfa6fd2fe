/**
 * The endpoints of integrations, which are specific to this service. The platforms call those in webhooks.ts.
 */
import { type Delivery, INTEGRATIONS } from '@deployment-annotations/contract/integration'
import type { DeliveryRecord } from '@deployment-annotations/records/automations/delivery-records'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { withoutNulls } from '../http/body.ts'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'

export function addIntegrationRoutes(app: FastifyInstance, { integrations, deployments }: Parts): void {
  route(app, INTEGRATIONS.create, (request) => integrations.create(request.body, callerOf(request)), { tidy: withoutNulls })

  route(app, INTEGRATIONS.list, async (request) => {
    const all = await integrations.list(callerOf(request))
    return all.map(({ integration, last }) => ({ ...integration, ...(last && { lastDelivery: toWire(last) }) }))
  })

  route(app, INTEGRATIONS.get, (request) => integrations.get(request.params.id, callerOf(request)))

  route(app, INTEGRATIONS.deliveries, async (request) =>
    (await integrations.deliveries(request.params.id, callerOf(request))).map(toWire),
  )

  route(app, INTEGRATIONS.regenerate, (request) =>
    integrations.regenerate(request.params.id, request.body.secret, callerOf(request)),
  )

  // A platform may send null as its body.
  route(app, INTEGRATIONS.preview, (request) => deployments.preview(request.body), { tidy: (sent) => withoutNulls(sent, 'body') })

  route(app, INTEGRATIONS.change, (request) => integrations.change(request.params.id, request.body, callerOf(request)), {
    tidy: (sent) => withoutNulls(sent, 'mapping'),
  })

  route(app, INTEGRATIONS.delete, (request) => integrations.remove(request.params.id, callerOf(request)))
}

function toWire({ id: _, integration: __, atMs, ...same }: DeliveryRecord): Delivery {
  return { time: new Date(atMs).toISOString(), ...same }
}
