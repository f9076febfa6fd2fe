/**
 * `/v2/orgs`: the one organization that there is. Clients read it when somebody signs in, and to find out what they are connected to.
 */
import { ORGANIZATION_ID, ORGANIZATIONS, type Organization } from '@deployment-annotations/contract/organization'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { route } from '../http/route.ts'

export function addOrganizationRoutes(app: FastifyInstance): void {
  route(app, ORGANIZATIONS.list, (request) => [organizationOf(request)])

  route(app, ORGANIZATIONS.get, (request) => {
    const { id } = request.params
    if (id === ORGANIZATION_ID) return organizationOf(request)
    throw new ServiceError('not_found', `organization ${quoted(id)} not found; there is one, ${quoted(ORGANIZATION_ID)}`)
  })
}

function organizationOf({ token }: Pick<FastifyRequest, 'token'>): Organization {
  return {
    id: ORGANIZATION_ID,
    name: 'Annotation service',
    slug: ORGANIZATION_ID,
    plan: 'self-hosted',
    role: token?.kind === 'personal' ? 'owner' : 'user',
    paymentStatus: 'na',
    primaryEmail: '',
  }
}
