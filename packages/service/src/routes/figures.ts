/**
 * `GET /metrics`: the figures of this process, for Prometheus, which sends a token as any client does. Any token may read them: they
 * say how much there is of what; only those who may list all datasets are told the sizes of these. Without one nobody may, on loopback either, because a proxy in front of the
 * service asks from there in the name of all.
 */
import { METRICS_PATH } from '@deployment-annotations/contract/health'
import { ALL_DATASETS } from '@deployment-annotations/contract/token'
import type { FastifyInstance } from 'fastify'
import { isAllowed } from '../http/auth.ts'
import type { Figures } from '../http/figures.ts'
import { errorAnswers, streamAnswer, typed } from '../http/schemas.ts'

export function addFiguresRoute(app: FastifyInstance, figures: Figures): void {
  typed(app).get(METRICS_PATH, {
    config: { anyToken: true },
    schema: {
      operationId: 'getMetrics',
      summary: 'Figures of this process',
      description: "In Prometheus' text format.",
      tags: ['service'],
      response: { 200: streamAnswer('The figures.', 'text/plain'), ...errorAnswers(401) },
    },
    handler: async (request, reply) => {
      const text = await figures.read(isAllowed(request, 'datasets|read', ALL_DATASETS))
      return reply.type(figures.contentType).send(Buffer.from(text))
    },
  })
}
