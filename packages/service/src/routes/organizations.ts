/**
 * `/v2/orgs`: the one organization that there is. Clients read it when somebody signs in, and to find out what they are connected to.
 */
import { ORGANIZATION_ID, ORGANIZATIONS_PATH } from '@deployment-annotations/contract/organization'
import type { Organization } from '@deployment-annotations/contract/schemas/organization'
import { OrganizationSchema } from '@deployment-annotations/contract/schemas/organization'
import Type from '@deployment-annotations/contract/schemas/type'
import { quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answer, errorAnswers, typed } from '../http/schemas.ts'

const tags = ['service']

const LIST = {
  operationId: 'listOrganizations',
  summary: 'List organizations',
  tags,
  response: { 200: answer('The one there is.', Type.Array(OrganizationSchema)), ...errorAnswers(401) },
}

const GET = {
  operationId: 'getOrganization',
  summary: 'Get the organization',
  tags,
  params: Type.Object({ id: Type.String({ description: 'As listed.' }) }),
  response: { 200: answer('The organization.', OrganizationSchema), ...errorAnswers(401, 404) },
}

export function addOrganizationRoutes(app: FastifyInstance): void {
  const routes = typed(app)
  routes.get(ORGANIZATIONS_PATH, {
    config: { anyToken: true },
    schema: LIST,
    handler: async (request) => [organizationOf(request)],
  })
  routes.get(`${ORGANIZATIONS_PATH}/:id`, {
    config: { anyToken: true },
    schema: GET,
    handler: async (request) => {
      const { id } = request.params
      if (id === ORGANIZATION_ID) return organizationOf(request)
      throw new ServiceError('not_found', `organization ${quoted(id)} not found; there is one, ${quoted(ORGANIZATION_ID)}`)
    },
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
