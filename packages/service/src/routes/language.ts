/**
 * `GET /v2/language`: the names of the query language, for editors that complete them. They only change with the version of the service.
 */
import { listNames } from '@deployment-annotations/apl/names'
import { LANGUAGE_PATH } from '@deployment-annotations/contract/query'
import { LanguageSchema } from '@deployment-annotations/contract/schemas/language'
import type { FastifyInstance } from 'fastify'
import { answer, errorAnswers, typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import type { RecordSource } from '../query/record-sources.ts'

const SCHEMA = {
  operationId: 'getLanguage',
  summary: 'The names of the query language',
  description: 'Every operator and function, synonyms included, and the sources that are no datasets; may be cached for an hour.',
  tags: ['query'],
  response: { 200: answer('The names.', LanguageSchema), ...errorAnswers(401) },
}

export function addLanguageRoute(app: FastifyInstance, { sources }: Parts): void {
  const names = { ...listNames(), sources: sources.map(describe) }
  typed(app).get(LANGUAGE_PATH, {
    config: { anyToken: true },
    schema: SCHEMA,
    handler: async (_request, reply) => reply.header('cache-control', 'private, max-age=3600').send(names),
  })
}

const describe = ({ name, columns }: RecordSource) => ({
  name,
  fields: [{ name: '_time', type: 'datetime' }, ...[...columns].map(([field, type]) => ({ name: field, type }))],
})
