/**
 * The endpoints of integrations, which are specific to this service. The platforms call those in webhooks.ts.
 */
import { INTEGRATIONS_PATH, PREVIEW_PATH } from '@deployment-annotations/contract/integration'
import type { Delivery, Integration } from '@deployment-annotations/contract/schemas/integration'
import type { DeliveryRecord } from '@deployment-annotations/records/automations/delivery-records'
import type { FastifyInstance } from 'fastify'
import type { Deployments } from '../automations/deployments/deployments.ts'
import type { Integrations } from '../automations/integrations/integrations.ts'
import { callerOf } from '../http/auth.ts'
import { tidied, withoutNulls } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { CHANGE, CREATE, DELETE, DELIVERIES, GET, LIST, NAMED, PREVIEW, REGENERATE } from './schemas/integrations.ts'

const ONE = `${INTEGRATIONS_PATH}/:id`

export function addIntegrationRoutes(app: FastifyInstance, { integrations, deployments }: Parts): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.post(INTEGRATIONS_PATH, {
    ...CREATE,
    preValidation: tidied(withoutNulls),
    handler: async (request, reply) => {
      const made = await integrations.create(request.body, callerOf(request))
      return reply.status(201).header('cache-control', 'no-store').send(made)
    },
  })

  routes.get(INTEGRATIONS_PATH, LIST, async (request) => {
    const all = await integrations.list(callerOf(request))
    return all.map(({ integration, last }): Integration => ({ ...integration, ...(last && { lastDelivery: toWire(last) }) }))
  })

  routes.get(ONE, GET, (request) => integrations.get(request.params.id, callerOf(request)))

  routes.get(`${ONE}/deliveries`, DELIVERIES, async (request) =>
    (await integrations.deliveries(request.params.id, callerOf(request))).map(toWire),
  )

  addSecretRoute(routes, integrations)
  addPreviewRoute(routes, deployments)

  routes.put(ONE, {
    ...CHANGE,
    preValidation: tidied(withoutNullsBut('mapping')),
    handler: async (request) => integrations.change(request.params.id, request.body, callerOf(request)),
  })

  routes.delete(ONE, DELETE, (request) => integrations.remove(request.params.id, callerOf(request)))
}

function addSecretRoute(routes: ReturnType<typeof typed>, integrations: Integrations): void {
  routes.post(`${ONE}/regenerate`, {
    ...REGENERATE,
    preValidation: tidied(withoutNulls),
    handler: async (request, reply) => {
      const made = await integrations.regenerate(request.params.id, request.body.secret, callerOf(request))
      return reply.header('cache-control', 'no-store').send(made)
    },
  })
}

/** As {@link withoutNulls}, but for one member, of which null says something. */
function withoutNullsBut(member: string): (sent: unknown) => unknown {
  return (sent) => {
    const tidy = withoutNulls(sent)
    const isNull = typeof sent === 'object' && sent !== null && (sent as Record<string, unknown>)[member] === null
    return isNull && typeof tidy === 'object' ? { ...tidy, [member]: null } : tidy
  }
}

function addPreviewRoute(routes: ReturnType<typeof typed>, deployments: Deployments): void {
  routes.post(PREVIEW_PATH, {
    ...PREVIEW,
    // A platform may send null as its body.
    preValidation: tidied(withoutNullsBut('body')),
    handler: async (request) => deployments.preview(request.body),
  })
}

function toWire({ id: _, integration: __, atMs, ...same }: DeliveryRecord): Delivery {
  return { time: new Date(atMs).toISOString(), ...same }
}
