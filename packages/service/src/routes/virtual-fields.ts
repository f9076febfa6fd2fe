/**
 * The five endpoints of virtual fields: from requests to the rules and back.
 */
import { VIRTUAL_FIELDS_PATH, type VirtualField } from '@deployment-annotations/contract/virtual-field'
import type { FastifyInstance } from 'fastify'
import { tidied, withoutNulls } from '../http/body.ts'
import { typed } from '../http/schemas.ts'
import type { FoundVirtualField, VirtualFields } from '../query/virtual-fields.ts'
import { CHANGE, CREATE, DELETE, GET, LIST, NAMED } from './schemas/virtual-fields.ts'

const ONE = `${VIRTUAL_FIELDS_PATH}/:id`

export function addVirtualFieldRoutes(app: FastifyInstance, fields: VirtualFields): void {
  for (const schema of NAMED) app.addSchema(schema)
  const routes = typed(app)

  routes.post(VIRTUAL_FIELDS_PATH, {
    config: { permission: 'datasets|update' },
    schema: CREATE,
    preValidation: tidied(withoutNulls),
    handler: async ({ body }) => toWire(await fields.create(body)),
  })

  routes.get(VIRTUAL_FIELDS_PATH, {
    config: { permission: 'datasets|read' },
    schema: LIST,
    handler: async ({ query }) => fields.list(query.dataset || undefined).map(toWire),
  })

  routes.get(ONE, {
    config: { permission: 'datasets|read' },
    schema: GET,
    handler: async ({ params }) => toWire(fields.get(params.id)),
  })

  routes.put(ONE, {
    config: { permission: 'datasets|update' },
    schema: CHANGE,
    preValidation: tidied(withoutNulls),
    handler: async ({ params, body }) => toWire(await fields.change(params.id, body)),
  })

  routes.delete(ONE, {
    config: { permission: 'datasets|update' },
    schema: DELETE,
    handler: async ({ params }, reply) => {
      await fields.remove(params.id)
      return reply.status(204).send()
    },
  })
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
