/**
 * `GET /v2/language`: the names of the query language, for editors that complete them. They only change with the version of the service.
 */
import { listNames } from '@deployment-annotations/apl/names'
import { LANGUAGE } from '@deployment-annotations/contract/language'
import type { FastifyInstance } from 'fastify'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import type { RecordSource } from '../query/record-sources.ts'

export function addLanguageRoute(app: FastifyInstance, { sources }: Parts): void {
  const names = { ...listNames(), sources: sources.map(describe) }
  route(app, LANGUAGE.language, (_request, reply) => {
    reply.header('cache-control', 'private, max-age=3600')
    return names
  })
}

const describe = ({ name, columns }: RecordSource) => ({
  name,
  fields: [{ name: '_time', type: 'datetime' }, ...[...columns].map(([field, type]) => ({ name: field, type }))],
})
