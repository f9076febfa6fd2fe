/**
 * The operations of map fields, as Fastify and the document take them.
 */
import { MapFieldParams, MapFieldsSchema, NewMapFieldSchema } from '@deployment-annotations/contract/schemas/dataset'
import { DatasetNameParams, DOCUMENTED, refTo } from '@deployment-annotations/contract/schemas/parts'
import { answer, emptyAnswer, errorAnswers } from '../../http/schemas.ts'

export const NAMED = [NewMapFieldSchema]

const tags = ['datasets']
const params = DatasetNameParams

export const LIST = {
  operationId: 'listMapFields',
  summary: 'List the map fields of a dataset',
  tags,
  params,
  response: { 200: answer('Their names.', MapFieldsSchema), ...errorAnswers(400, 401, 403, 404) },
}

export const ADD = {
  operationId: 'createMapField',
  summary: 'Make a field a map field',
  description: 'Keys of objects in it are no fields, in events that are sent from now on.',
  tags,
  params,
  body: refTo(NewMapFieldSchema),
  response: {
    200: answer('The map field.', refTo(NewMapFieldSchema)),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 507),
  },
}

export const REPLACE = {
  operationId: 'replaceMapFields',
  summary: 'Say which fields are map fields',
  tags,
  params,
  body: { ...MapFieldsSchema, [DOCUMENTED]: { uniqueItems: true } },
  response: { 200: answer('Their names.', MapFieldsSchema), ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 507) },
}

export const REMOVE = {
  operationId: 'deleteMapField',
  summary: 'Make a map field an ordinary one',
  description: 'For events that are sent from now on; what is stored stays a map.',
  tags,
  params: MapFieldParams,
  response: { 204: emptyAnswer('It is no map field any more.'), ...errorAnswers(400, 401, 403, 404, 507) },
}
