/**
 * `GET /v2/user`: the owner of the token, which clients read to find out whether their credentials work. The permissions of the token
 * have an address of their own, `GET /v2/user/permissions`, because some clients refuse a user with members that they do not know.
 */
import { USER_OPERATIONS } from '@deployment-annotations/contract/user'
import type { TokenRecord } from '@deployment-annotations/records/tokens/token-records'
import type { FastifyInstance } from 'fastify'
import { route } from '../http/route.ts'
import { capabilitiesOfToken, permissionsOf } from '../tokens/token.ts'

export function addUserRoutes(app: FastifyInstance): void {
  route(app, USER_OPERATIONS.get, ({ token }) => {
    const { id, name, kind } = token as TokenRecord
    return { id, name, email: '', role: { id: kind, name: kind === 'personal' ? 'all' : 'restricted' } }
  })

  route(app, USER_OPERATIONS.permissions, (request) => {
    const token = request.token as TokenRecord
    const { datasets, org } = capabilitiesOfToken(token)
    return { permissions: permissionsOf(token), datasetCapabilities: datasets, orgCapabilities: org }
  })
}
