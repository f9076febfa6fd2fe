/**
 * The two ingest endpoints (contract 4.6): the request's stream goes to events/ingest.ts unread.
 * An error can be found long before the body's end; what is left of it is read and dropped for a moment, because a client
 * that is still sending would otherwise see a reset connection and not the answer.
 */
import type { Readable } from 'node:stream'
import { DATASETS_V1_PATH } from '@deployment-annotations/contract/dataset'
import { INGEST_PATH } from '@deployment-annotations/contract/event'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ingest } from '../events/ingest.ts'
import { callerOf } from '../http/auth.ts'
import { readIdempotencyKey } from '../http/request-keys.ts'
import { typed } from '../http/schemas.ts'
import { INGEST } from './schemas/ingest.ts'

const PATHS = { ingest: `${DATASETS_V1_PATH}/:name/ingest`, ingestShort: `${INGEST_PATH}/:name` } as const

/** How long, and how much of, a body is dropped before its sender is cut off. */
const DRAIN_MS_MAX = 1_000
const DRAIN_BYTES_MAX = 67_108_864

export async function addIngestRoutes(app: FastifyInstance, ingest: Ingest): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const [operationId, path] of Object.entries(PATHS)) {
      typed(scope).post(path, {
        config: { permission: 'ingest|create' },
        schema: { ...INGEST, operationId },
        handler: async (request, reply) => {
          const result = await answerOrDrain(request, reply, () =>
            ingest({
              dataset: request.params.name,
              caller: callerOf(request),
              body: request.body as Readable | undefined,
              headers: request.headers,
              query: request.query as Record<string, unknown>,
              idempotencyKey: readIdempotencyKey(request),
            }),
          )
          return reply.type('application/json').serializer(String).send(result)
        },
      })
    }
  })
}

async function answerOrDrain(request: FastifyRequest, reply: FastifyReply, ingest: () => Promise<string>): Promise<string> {
  try {
    return await ingest()
  } catch (error) {
    const body = request.body as Readable | undefined
    if (body && !(await drain(body))) reply.header('connection', 'close')
    throw error
  }
}

/** @returns whether the body came to its end */
function drain(body: Readable): Promise<boolean> {
  if (body.readableEnded || body.destroyed) return Promise.resolve(body.readableEnded)
  return new Promise((resolve) => {
    let bytes = 0
    const drop = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > DRAIN_BYTES_MAX) settle(false)
    }
    const settle = (isComplete: boolean) => {
      clearTimeout(timer)
      body.off('data', drop).pause()
      resolve(isComplete)
    }
    const timer = setTimeout(() => settle(false), DRAIN_MS_MAX)
    body.on('data', drop)
    body
      .once('end', () => settle(true))
      .once('error', () => settle(false))
      .once('close', () => settle(false))
    body.resume()
  })
}
