/**
 * `GET /v2/user`: whose token this is, and what it may do. Clients ask it to find out whether their credentials work.
 */
import { UserSchema } from '@deployment-annotations/contract/schemas/user'
import { USER_PATH } from '@deployment-annotations/contract/user'
import type { FastifyInstance } from 'fastify'
import { answer, errorAnswers, typed } from '../http/schemas.ts'
import type { TokenRecord } from '../records/token-records.ts'
import { permissionsOf } from '../tokens/token.ts'

const SCHEMA = {
  operationId: 'getUser',
  summary: 'Whose token this is',
  tags: ['service'],
  response: {
    200: answer("The token's owner: the token itself, as there are no accounts here.", UserSchema),
    ...errorAnswers(401),
  },
}

export function addUserRoute(app: FastifyInstance): void {
  typed(app).get(USER_PATH, {
    config: { anyToken: true },
    schema: SCHEMA,
    handler: async (request) => {
      const token = request.token as TokenRecord
      const { id, name, kind } = token
      const role = { id: kind, name: kind === 'personal' ? 'all' : 'restricted' }
      return { id, name, email: '', role, emails: [], permissions: permissionsOf(token) }
    },
  })
}
