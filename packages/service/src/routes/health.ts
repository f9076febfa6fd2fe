/**
 * Without a token: `GET /livez` for whoever starts the service again, `/readyz` for load balancers, `/healthz` for people and alarms. And `GET /metrics` for Prometheus, which sends a token as
 * any client does: a proxy in front of the service asks from this machine in the name of all, so there is no exception for loopback.
 */
import { HEALTH_PATH, LIVE_PATH, METRICS_PATH, READY_PATH } from '@deployment-annotations/contract/health'
import { ALL_DATASETS } from '@deployment-annotations/contract/permission'
import { HealthSchema, ProbeSchema } from '@deployment-annotations/contract/schemas/health'
import type { FastifyInstance } from 'fastify'
import { isAllowed } from '../http/auth.ts'
import { answer, errorAnswers, streamAnswer, typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'

export function addHealthRoutes(app: FastifyInstance, { health, metrics }: Parts): void {
  typed(app).get(HEALTH_PATH, {
    config: { open: true },
    schema: {
      operationId: 'getHealth',
      summary: 'Health',
      description:
        'Judges the parts of the service. It is degraded where something does not work or is about to, and 503 where nobody should be sent here: the message says which part, and why.',
      tags: ['service'],
      response: { 200: answer('The service answers.', HealthSchema), ...errorAnswers() },
    },
    handler: () => health.read(),
  })

  typed(app).get(LIVE_PATH, {
    config: { open: true },
    schema: {
      operationId: 'getLive',
      summary: 'Whether the process answers',
      description: 'Looks at nothing else: a service that is started again while its databases are away is no better off.',
      tags: ['service'],
      response: { 200: answer('It does.', ProbeSchema), ...errorAnswers() },
    },
    handler: async () => ({ status: 'ok' as const }),
  })

  typed(app).get(READY_PATH, {
    config: { open: true },
    schema: {
      operationId: 'getReady',
      summary: 'Whether requests should be sent here',
      description:
        'Judges what this service needs to be of use, and is 503 once it ends. Servers of events may be away: annotations go on.',
      tags: ['service'],
      response: { 200: answer('They should.', ProbeSchema), ...errorAnswers() },
    },
    handler: () => health.ready(),
  })

  typed(app).get(METRICS_PATH, {
    config: { anyToken: true },
    schema: {
      operationId: 'getMetrics',
      summary: 'Metrics of this process',
      description: "In Prometheus' text format.",
      tags: ['service'],
      response: { 200: streamAnswer('The metrics.', 'text/plain'), ...errorAnswers(401) },
    },
    handler: async (request, reply) => {
      // Any token may read them, but the sizes of datasets are only for those that may list all datasets.
      const text = await metrics.read(isAllowed(request, 'datasets|read', ALL_DATASETS))
      return reply.type(metrics.contentType).send(Buffer.from(text))
    },
  })
}
