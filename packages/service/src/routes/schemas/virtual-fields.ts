/**
 * The operations of virtual fields, as Fastify and the document take them.
 */
import { refTo } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import {
  NewVirtualFieldSchema,
  VirtualFieldListSchema,
  VirtualFieldParams,
  VirtualFieldSchema,
} from '@deployment-annotations/contract/schemas/virtual-field'
import { answer, emptyAnswer, errorAnswers } from '../../http/schemas.ts'

const tags = ['datasets']
const params = VirtualFieldParams
const body = NewVirtualFieldSchema
const field = (description: string) => answer(description, refTo(VirtualFieldSchema))

export const NAMED = [VirtualFieldSchema]

export const CREATE = {
  operationId: 'createVirtualField',
  summary: 'Create a virtual field',
  description: 'A field that queries of the dataset can name, and that is computed from the stored fields of each event.',
  tags,
  body,
  response: { 200: field('The virtual field with its id.'), ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 507) },
}

export const LIST = {
  operationId: 'listVirtualFields',
  summary: 'List virtual fields',
  tags,
  querystring: VirtualFieldListSchema,
  response: {
    200: answer('Those of the dataset, or all; by dataset, the oldest first.', Type.Array(refTo(VirtualFieldSchema))),
    ...errorAnswers(401, 403, 404, 422),
  },
}

export const GET = {
  operationId: 'getVirtualField',
  summary: 'Get a virtual field',
  tags,
  params,
  response: { 200: field('The virtual field.'), ...errorAnswers(400, 401, 403, 404) },
}

export const CHANGE = {
  operationId: 'changeVirtualField',
  summary: 'Replace a virtual field',
  tags,
  params,
  body,
  response: { 200: field('The virtual field as it is now.'), ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 507) },
}

export const DELETE = {
  operationId: 'deleteVirtualField',
  summary: 'Delete a virtual field',
  tags,
  params,
  response: { 204: emptyAnswer('It was deleted.'), ...errorAnswers(400, 401, 403, 404, 507) },
}
