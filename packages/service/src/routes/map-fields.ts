/**
 * The four endpoints of map fields, whose objects are stored as one value each, so that their keys do not become fields. It holds for
 * events that are sent from then on.
 */
import { VALIDATION_CODES } from '@deployment-annotations/contract/error-body'
import { MAP_FIELDS, MAP_FIELDS_MAX } from '@deployment-annotations/contract/map-field'
import { invalid, quoted, ServiceError } from '@deployment-annotations/runtime/errors'
import type { FastifyInstance } from 'fastify'
import { route } from '../http/route.ts'
import type { Parts } from '../parts.ts'

export function addMapFieldRoutes(app: FastifyInstance, { datasets }: Parts): void {
  route(app, MAP_FIELDS.list, ({ params }) => datasets.get(params.name).mapFields)

  route(app, MAP_FIELDS.create, async ({ params, body: { name } }) => {
    await datasets.changeBy(params.name, ({ mapFields }) => {
      if (mapFields.includes(name)) throw new ServiceError('exists', `there is a map field ${quoted(name)} already`)
      return { mapFields: checked([...mapFields, name]) }
    })
    return { name }
  })

  route(app, MAP_FIELDS.replace, async ({ params, body }) => {
    const { mapFields } = await datasets.changeBy(params.name, () => ({ mapFields: checked(body) }))
    return mapFields
  })

  route(app, MAP_FIELDS.delete, async ({ params: { name, field } }) => {
    await datasets.changeBy(name, ({ mapFields }) => {
      const rest = mapFields.filter((other) => other !== field)
      if (rest.length < mapFields.length) return { mapFields: rest }
      throw new ServiceError('not_found', `map field ${quoted(field)} not found`)
    })
  })
}

/** @throws ServiceError `invalid` for one that comes twice, and for too many */
function checked(names: readonly string[]): readonly string[] {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalid(VALIDATION_CODES.enum, `the map field ${quoted(twice)} comes twice; send it once`)
  if (names.length > MAP_FIELDS_MAX)
    throw invalid(VALIDATION_CODES.itemsMax, `a dataset can have at most ${MAP_FIELDS_MAX} map fields, got ${names.length}`)
  return names
}
