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
import { operationsOn } from '../../http/operations.ts'
import { answer, errorAnswers } from '../../http/schemas.ts'

const on = operationsOn({
  permissions: 'virtualFields',
  tags: ['datasets'],
  params: VirtualFieldParams,
  schema: VirtualFieldSchema,
})
const body = NewVirtualFieldSchema
/** The answers to one that is sent. */
const set = (description: string) => ({
  200: answer(description, refTo(VirtualFieldSchema)),
  ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 422, 507),
})

export const NAMED = [VirtualFieldSchema]

export const CREATE = on.all('create', {
  operationId: 'createVirtualField',
  summary: 'Create a virtual field',
  description: 'A field that queries of the dataset can name, and that is computed from the stored fields of each event.',
  body,
  response: set('The virtual field with its id.'),
})

export const LIST = on.all('read', {
  operationId: 'listVirtualFields',
  summary: 'List virtual fields',
  querystring: VirtualFieldListSchema,
  response: {
    200: answer('Those of the dataset, or all; by dataset, the oldest first.', Type.Array(refTo(VirtualFieldSchema))),
    ...errorAnswers(401, 403, 404, 422),
  },
})

export const GET = on.get({
  operationId: 'getVirtualField',
  summary: 'Get a virtual field',
  answer: 'The virtual field.',
})

export const CHANGE = on.one('update', {
  operationId: 'changeVirtualField',
  summary: 'Replace a virtual field',
  body,
  response: set('The virtual field as it is now.'),
})

export const DELETE = on.remove({ operationId: 'deleteVirtualField', summary: 'Delete a virtual field' })
