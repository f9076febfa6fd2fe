/**
 * Without a token: `GET /livez` for whoever starts the service again, `/readyz` for load balancers, `/healthz` for people and alarms. And `GET /metrics` for Prometheus, which sends a token as
 * any client does: a proxy in front of the service asks from this machine in the name of all, so there is no exception for loopback.
 */
import { HEALTH_OPERATIONS, PROBES } from '@deployment-annotations/contract/health'
import { ALL_DATASETS } from '@deployment-annotations/contract/permission'
import type { FastifyInstance } from 'fastify'
import { isAllowed } from '../http/auth.ts'
import { route, writtenRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'

export function addHealthRoutes(app: FastifyInstance, { health, metrics }: Parts): void {
  route(app, HEALTH_OPERATIONS.health, () => health.read())

  route(app, PROBES.live, () => ({ status: 'ok' as const }))

  route(app, PROBES.ready, () => health.ready())

  writtenRoute(app, HEALTH_OPERATIONS.metrics, async (request, reply) => {
    // Any token may read them, but the sizes of datasets are only for those that may list all datasets.
    const text = await metrics.read(isAllowed(request, 'datasets|read', ALL_DATASETS))
    return reply.type(metrics.contentType).send(Buffer.from(text))
  })
}
