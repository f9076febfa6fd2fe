/**
 * `GET /v2/language`: the names of the query language, for editors that complete them. They change with the service only.
 */

import { listNames } from '@deployment-annotations/apl/names'
import type { FastifyInstance } from 'fastify'
import { errorAnswers } from '../http/schemas.ts'

export function addLanguageRoute(app: FastifyInstance): void {
  const names = listNames()
  app.get('/v2/language', {
    config: { anyToken: true },
    schema: {
      operationId: 'getLanguage',
      summary: 'The names of the query language',
      description: 'Every operator and function, synonyms included; may be kept for an hour.',
      tags: ['query'],
      response: {
        200: { description: 'The names.', content: { 'application/json': { schema: NAMES_SCHEMA } } },
        ...errorAnswers(401),
      },
    },
    handler: async (_request, reply) => reply.header('cache-control', 'private, max-age=3600').send(names),
  })
}

const NAME = { type: 'string' } as const
const SIGNATURE = { type: 'string', description: 'For people: the name and what goes with it.' } as const

const NAMES_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['operators', 'functions'],
  properties: {
    operators: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'signature'],
        properties: { name: NAME, signature: SIGNATURE },
      },
    },
    functions: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'kind', 'parameters', 'signature'],
        properties: {
          name: NAME,
          kind: {
            type: 'string',
            enum: ['scalar', 'aggregation'],
            description: 'An aggregation can only stand in `summarize` and `make-series`.',
          },
          parameters: {
            type: 'array',
            items: { type: 'string' },
            description: 'How each argument is read: `text`, `number?` (may be left out), `any*` (any number of them, last).',
          },
          signature: SIGNATURE,
        },
      },
    },
  },
} as const
