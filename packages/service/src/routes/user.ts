/**
 * `GET /v2/user`: the owner of the token, which clients read to find out whether their credentials work. The permissions of the token
 * have an address of their own, `GET /v2/user/permissions`, because some clients refuse a user with members that they do not know.
 */
import { OwnPermissionsSchema, UserSchema } from '@deployment-annotations/contract/schemas/token'
import { OWN_PERMISSIONS_PATH, USER_PATH } from '@deployment-annotations/contract/token'
import type { TokenRecord } from '@deployment-annotations/records/token-records'
import type { FastifyInstance } from 'fastify'
import { answer, errorAnswers, typed } from '../http/schemas.ts'
import { capabilitiesOfToken, permissionsOf } from '../tokens/token.ts'

const USER = {
  operationId: 'getUser',
  summary: 'Whose token this is',
  tags: ['service'],
  response: {
    200: answer("The token's owner: the token itself, as there are no accounts here.", UserSchema),
    ...errorAnswers(401),
  },
}

const PERMISSIONS = {
  operationId: 'getOwnPermissions',
  summary: 'What this token may do',
  tags: ['service'],
  response: {
    200: answer('Its permissions, and with which datasets it has them; a personal token has every one.', OwnPermissionsSchema),
    ...errorAnswers(401),
  },
}

export function addUserRoutes(app: FastifyInstance): void {
  const routes = typed(app)
  routes.get(USER_PATH, {
    config: { anyToken: true },
    schema: USER,
    handler: async ({ token }) => {
      const { id, name, kind } = token as TokenRecord
      return { id, name, email: '', role: { id: kind, name: kind === 'personal' ? 'all' : 'restricted' } }
    },
  })
  routes.get(OWN_PERMISSIONS_PATH, {
    config: { anyToken: true },
    schema: PERMISSIONS,
    handler: async (request) => {
      const token = request.token as TokenRecord
      const { datasets, org } = capabilitiesOfToken(token)
      return { permissions: permissionsOf(token), datasetCapabilities: datasets, orgCapabilities: org }
    },
  })
}
