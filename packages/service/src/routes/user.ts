/**
 * `GET /v2/user`: whose token this is, and what it may do. Clients ask it to find out whether their credentials work.
 */
import type { FastifyInstance } from 'fastify'
import { errorAnswers } from '../http/schemas.ts'
import { PERMISSIONS } from '../tokens/permissions.ts'
import { permissionsOf, type TokenRecord } from '../tokens/token.ts'

export function addUserRoute(app: FastifyInstance): void {
  app.get('/v2/user', {
    config: { anyToken: true },
    schema: {
      operationId: 'getUser',
      summary: 'Whose token this is',
      tags: ['service'],
      response: {
        200: {
          description: "The token's owner: the token itself, as there are no accounts here.",
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['id', 'name', 'role', 'permissions'],
                properties: {
                  id: { type: 'string' },
                  name: { type: 'string' },
                  email: { type: 'string' },
                  role: {
                    type: 'object',
                    required: ['id', 'name'],
                    properties: { id: { type: 'string' }, name: { type: 'string' } },
                  },
                  emails: { type: 'array', items: { type: 'string' } },
                  permissions: {
                    type: 'array',
                    items: { type: 'string', enum: PERMISSIONS },
                    description: 'What this token may do; of a personal token all there is.',
                  },
                },
              },
            },
          },
        },
        ...errorAnswers(401),
      },
    },
    handler: async (request) => {
      const token = request.token as TokenRecord
      const { id, name, kind } = token
      const role = { id: kind, name: kind === 'personal' ? 'all' : 'restricted' }
      return { id, name, email: '', role, emails: [], permissions: permissionsOf(token) }
    },
  })
}
