/**
 * The two ingest endpoints (contract 4.6): the request's stream goes to the event store, decompressed.
 */
import type { Readable } from 'node:stream'
import { INGEST, type IngestResult } from '@deployment-annotations/contract/event'
import { EVENT_TIME_FIELD_HEADER } from '@deployment-annotations/contract/header'
import { printRefusal } from '@deployment-annotations/event-store/rows/ingest-counts'
import { InflationLimit } from '@deployment-annotations/event-store/scan/inflation-limit'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../http/auth.ts'
import { answerOrDrain } from '../http/body.ts'
import { inflate } from '../http/content-encoding.ts'
import { readKey } from '../http/request-headers.ts'
import { writtenRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'

export async function addIngestRoutes(app: FastifyInstance, { ingest }: Parts): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const operation of Object.values(INGEST)) {
      writtenRoute(scope, operation, async (request, reply) => {
        const growth = new InflationLimit()
        const stream = request.body as Readable | undefined
        const { timeFields, ...outcome } = await answerOrDrain(request, reply, () =>
          ingest({
            dataset: request.params.name,
            caller: callerOf(request),
            body: stream && inflate(stream, request.headers['content-encoding'], growth),
            stream,
            requireFew: (events) => growth.requireFew('events', events),
            headers: request.headers,
            query: request.query as Record<string, unknown>,
            idempotencyKey: readKey(request, 'idempotency'),
          }),
        )
        if (timeFields) reply.header(EVENT_TIME_FIELD_HEADER, timeFields.join(', '))
        const result: IngestResult = { ...outcome, failures: outcome.failures.map(printRefusal) }
        return reply.type('application/json').serializer(String).send(JSON.stringify(result))
      })
    }
  })
}
