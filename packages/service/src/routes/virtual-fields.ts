/**
 * The five endpoints of virtual fields.
 */

import type { Permission } from '@deployment-annotations/contract/permission'
import type { VirtualField } from '@deployment-annotations/contract/schemas/virtual-field'
import { VIRTUAL_FIELDS_PATH } from '@deployment-annotations/contract/virtual-field'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf, isAllowed, requirePermission } from '../http/auth.ts'
import { tidied, withoutNulls } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { Parts } from '../parts.ts'
import type { FoundVirtualField } from '../query/virtual-fields.ts'
import { CHANGE, CREATE, DELETE, GET, LIST, NAMED } from './schemas/virtual-fields.ts'

const ONE = `${VIRTUAL_FIELDS_PATH}/:id`

export function addVirtualFieldRoutes(app: FastifyInstance, { virtualFields: fields }: Parts): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.post(VIRTUAL_FIELDS_PATH, {
    ...CREATE,
    preValidation: tidied(withoutNulls),
    handler: async (request) => {
      requireOn(request, 'virtualFields|create', request.body.dataset)
      return toWire(await fields.create(request.body))
    },
  })

  routes.get(VIRTUAL_FIELDS_PATH, LIST, async (request) => {
    const { dataset } = request.query
    requireOn(request, 'virtualFields|read', dataset)
    const readable = fields.list(dataset || undefined).filter((found) => isAllowed(request, 'virtualFields|read', found.dataset))
    return readable.map(toWire)
  })

  routes.get(ONE, GET, async (request) => {
    const found = fields.get(request.params.id, callerOf(request))
    requireOn(request, 'virtualFields|read', found.dataset)
    return toWire(found)
  })

  routes.put(ONE, {
    ...CHANGE,
    preValidation: tidied(withoutNulls),
    handler: async (request) => {
      const found = fields.get(request.params.id, callerOf(request))
      requireOn(request, 'virtualFields|update', found.dataset, request.body.dataset)
      return toWire(await fields.change(found, request.body))
    },
  })

  routes.delete(ONE, DELETE, async (request) => {
    const found = fields.get(request.params.id, callerOf(request))
    requireOn(request, 'virtualFields|delete', found.dataset)
    await fields.remove(found)
  })
}

/** @throws ServiceError `forbidden` */
function requireOn(request: FastifyRequest, permission: Permission, ...datasets: (string | null | undefined)[]): void {
  for (const name of datasets) if (name) requirePermission(request, permission, '', name)
}

function toWire({ dataset, field }: FoundVirtualField): VirtualField {
  const { id, name, expression, description, type, unit } = field
  return {
    id,
    dataset,
    name,
    expression,
    ...(description !== '' && { description }),
    ...(type !== '' && { type }),
    ...(unit !== '' && { unit }),
  }
}
