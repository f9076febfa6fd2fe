/**
 * The operations of map fields, as Fastify and the document take them.
 */
import { MapFieldParams, MapFieldsSchema, NewMapFieldSchema } from '@deployment-annotations/contract/schemas/dataset'
import { DatasetNameParams, DOCUMENTED, refTo } from '@deployment-annotations/contract/schemas/parts'
import { answersNothing, operationsOn } from '../../http/operations.ts'
import { answer, emptyAnswer, errorAnswers } from '../../http/schemas.ts'

const on = operationsOn({
  permissions: 'datasets',
  tags: ['datasets'],
  params: DatasetNameParams,
  schema: NewMapFieldSchema,
})

export const NAMED = [NewMapFieldSchema]

export const LIST = on.read({
  operationId: 'listMapFields',
  summary: 'List the map fields of a dataset',
  answer: 'Their names.',
  of: MapFieldsSchema,
})

export const ADD = on.one('update', {
  operationId: 'createMapField',
  summary: 'Make a field a map field',
  description: 'Keys of objects in it are no fields, in events that are sent from now on.',
  body: refTo(NewMapFieldSchema),
  response: {
    200: answer('The map field.', refTo(NewMapFieldSchema)),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 507),
  },
})

export const REPLACE = on.one('update', {
  operationId: 'replaceMapFields',
  summary: 'Say which fields are map fields',
  body: { ...MapFieldsSchema, [DOCUMENTED]: { uniqueItems: true } },
  response: { 200: answer('Their names.', MapFieldsSchema), ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507) },
})

const removal = on.all('update', {
  operationId: 'deleteMapField',
  summary: 'Make a map field an ordinary one',
  description: 'For events that are sent from now on; what is stored stays a map.',
  params: MapFieldParams,
  response: { 204: emptyAnswer('It is no map field any more.'), ...errorAnswers(400, 401, 403, 404, 507) },
})
export const REMOVE = { ...removal, preHandler: answersNothing }
