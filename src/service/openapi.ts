/**
 * `GET /openapi.json`: the OpenAPI 3.1 document, made from the schemas of the routes that are there.
 */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Permission } from './tokens/permissions.ts'

const INFO = {
  title: 'Annotation service',
  version: '2',
  description: 'Markers on charts: deployments, outages, incidents. Every answer carries the header X-Axiom-Trace-Id.',
}

/** To be called before any route is registered. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: INFO,
      components: {
        securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token or a personal token.' } },
      },
    },
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, i) => String(json.$id ?? `schema-${i}`) },
    transform: ({ schema, url, route }) => {
      const permission: Permission | undefined = route.config?.permission
      const { anyToken, personal } = route.config ?? {}
      const security = permission || anyToken || personal ? [{ token: [] }] : []
      const needs = permission ? ` Needs the permission \`${permission}\`.` : personal ? ' Needs a personal token.' : ''
      return { url, schema: { ...schema, security, description: `${schema?.description ?? ''}${needs}`.trim() } }
    },
  })
  app.get('/openapi.json', {
    config: { open: true },
    schema: {
      summary: 'This document',
      tags: ['service'],
      response: { 200: { description: 'OpenAPI 3.1', type: 'object', additionalProperties: true } },
    },
    handler: async () => app.swagger(),
  })
}
