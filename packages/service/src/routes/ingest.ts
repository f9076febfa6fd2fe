/**
 * The two ingest endpoints (contract 4.6): the request's stream goes to the story in ingest/ingest.ts unread.
 * An error can be found long before the body's end; what is left of it is read and dropped for a moment, because a client
 * that is still sending would otherwise see a reset connection and not the answer.
 */
import type { Readable } from 'node:stream'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { IDEMPOTENCY_KEY_HEADER } from '@deployment-annotations/contract/error-body'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ingest } from '../events/ingest.ts'
import { readIdempotencyKey } from '../http/idempotency-key.ts'
import { errorAnswers } from '../http/schemas.ts'

const PATHS = ['/v1/datasets/:name/ingest', '/v1/ingest/:name'] as const

/** How long, and how much of, a body is dropped before its sender is cut off. */
const DRAIN_MS_MAX = 1_000
const DRAIN_BYTES_MAX = 67_108_864

type IngestHttpRequest = FastifyRequest<{ Params: { name: string }; Querystring: Record<string, unknown> }>

export async function addIngestRoutes(app: FastifyInstance, ingest: Ingest): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const path of PATHS) {
      scope.post(path, {
        config: { permission: 'ingest|create' },
        schema: { ...SCHEMA, operationId: path === PATHS[0] ? 'ingest' : 'ingestShort' },
        handler: (request: IngestHttpRequest, reply) => handle(request, reply, ingest),
      })
    }
  })
}

async function handle(request: IngestHttpRequest, reply: FastifyReply, ingest: Ingest): Promise<FastifyReply> {
  const body = request.body as Readable | undefined
  try {
    const result = await ingest({
      dataset: request.params.name,
      by: request.token?.id ?? '',
      body,
      headers: request.headers,
      query: request.query,
      idempotencyKey: readIdempotencyKey(request),
    })
    return reply.type('application/json').serializer(String).send(result)
  } catch (error) {
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

const SCHEMA = {
  summary: 'Ingest events',
  description:
    'A JSON array of objects, one object, one object a line (NDJSON), or CSV with a header row; compressed with gzip, zstd, deflate or br, or not. Events that cannot be stored are listed in `failures`; a body that cannot be read is refused whole. Answered once the events are on disk and can be queried.',
  tags: ['ingest'],
  params: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', description: 'Name of the dataset.', pattern: DATASET_NAME_PATTERN.source } },
  },
  querystring: {
    type: 'object',
    properties: {
      'timestamp-field': { description: 'Field that holds the time, instead of `_time`.' },
      'timestamp-format': { description: 'How it is written, as a Go reference layout such as `2006-01-02 15:04:05`.' },
      'csv-delimiter': { description: 'One character, instead of a comma.' },
    },
  },
  headers: {
    type: 'object',
    properties: {
      'x-axiom-csv-fields': { type: 'string', description: 'Column names, separated by commas; the CSV then has no header row.' },
      'x-axiom-event-labels': { type: 'string', description: 'A JSON object whose members every event gets.' },
      [IDEMPOTENCY_KEY_HEADER]: {
        type: 'string',
        description: 'A request that repeats this key with the same body within 24 hours is stored once.',
      },
    },
  },
  response: {
    200: {
      description: 'What was stored, and what was not.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['ingested', 'failed', 'failures', 'processedBytes', 'blocksCreated', 'walLength'],
            properties: {
              ingested: { type: 'integer' },
              failed: { type: 'integer' },
              failures: {
                type: 'array',
                description: 'The first 10,000.',
                items: {
                  type: 'object',
                  required: ['timestamp', 'error'],
                  properties: { timestamp: { type: 'string', format: 'date-time' }, error: { type: 'string' } },
                },
              },
              processedBytes: { type: 'integer', description: 'Of the uncompressed body and the labels header.' },
              blocksCreated: { type: 'integer' },
              walLength: { type: 'integer' },
            },
          },
        },
      },
    },
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 507),
  },
} as const
