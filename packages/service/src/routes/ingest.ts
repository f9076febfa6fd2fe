/**
 * The two ingest endpoints (contract 4.6): the request's stream goes to the event store unread.
 */
import type { Readable } from 'node:stream'
import { DATASETS_V1_PATH } from '@deployment-annotations/contract/dataset'
import { INGEST_PATH } from '@deployment-annotations/contract/event'
import { EventSchema, type IngestResult } from '@deployment-annotations/contract/schemas/event'
import { printRefusal } from '@deployment-annotations/event-store/rows/ingest-counts'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { answerOrDrain } from '../http/body.ts'
import { readKey } from '../http/request-headers.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import { INGEST } from './schemas/ingest.ts'

const PATHS = { ingest: `${DATASETS_V1_PATH}/:name/ingest`, ingestShort: `${INGEST_PATH}/:name` } as const

export async function addIngestRoutes(app: FastifyInstance, { ingest }: Parts): Promise<void> {
  app.addSchema(EventSchema)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const [operationId, path] of Object.entries(PATHS)) {
      typed(scope).post(path, {
        config: { permission: 'ingest|create' },
        schema: { ...INGEST, operationId },
        handler: async (request, reply) => {
          const outcome = await answerOrDrain(request, reply, () =>
            ingest({
              dataset: request.params.name,
              caller: callerOf(request),
              body: request.body as Readable | undefined,
              headers: request.headers,
              query: request.query as Record<string, unknown>,
              idempotencyKey: readKey(request, 'idempotency'),
            }),
          )
          const result: IngestResult = { ...outcome, failures: outcome.failures.map(printRefusal) }
          return reply.type('application/json').serializer(String).send(JSON.stringify(result))
        },
      })
    }
  })
}
