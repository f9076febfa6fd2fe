/**
 * The five endpoints of virtual fields.
 */

import type { Permission } from '@deployment-annotations/contract/permission'
import { VIRTUAL_FIELDS, type VirtualField } from '@deployment-annotations/contract/virtual-field'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withoutEmpty } from '../annotations/requests.ts'
import { callerOf, isAllowed, requirePermission } from '../http/auth.ts'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import type { FoundVirtualField } from '../query/virtual-fields.ts'

export function addVirtualFieldRoutes(app: FastifyInstance, { virtualFields: fields }: Parts): void {
  route(app, VIRTUAL_FIELDS.create, async (request) => {
    requireOn(request, 'virtualFields|create', request.body.dataset)
    return toWire(await fields.create(request.body))
  })

  route(app, VIRTUAL_FIELDS.list, (request) => {
    const { dataset } = request.query
    requireOn(request, 'virtualFields|read', dataset)
    const readable = fields.list(dataset || undefined).filter((found) => isAllowed(request, 'virtualFields|read', found.dataset))
    return readable.map(toWire)
  })

  route(app, VIRTUAL_FIELDS.get, (request) => {
    const found = fields.get(request.params.id, callerOf(request))
    requireOn(request, 'virtualFields|read', found.dataset)
    return toWire(found)
  })

  route(app, VIRTUAL_FIELDS.change, async (request) => {
    const found = fields.get(request.params.id, callerOf(request))
    requireOn(request, 'virtualFields|update', found.dataset, request.body.dataset)
    return toWire(await fields.change(found, request.body))
  })

  route(app, VIRTUAL_FIELDS.delete, async (request) => {
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
  return withoutEmpty<VirtualField>({ dataset, ...field })
}
