/**
 * The operations of datasets, as Fastify and the document take them. Each is there under both roots.
 */
import {
  DatasetChangeSchema,
  DatasetFieldsSchema,
  DatasetInfoSchema,
  DatasetSchema,
  FieldSchema,
  NewDatasetSchema,
  TrimSchema,
} from '@deployment-annotations/contract/schemas/dataset'
import { DatasetNameParams, refTo } from '@deployment-annotations/contract/schemas/parts'
import Type from '@deployment-annotations/contract/schemas/type'
import { operationsOn } from '../../http/operations.ts'
import { answer, errorAnswers } from '../../http/schemas.ts'

const on = operationsOn({
  permissions: 'datasets',
  tags: ['datasets'],
  params: DatasetNameParams,
  schema: DatasetSchema,
})
const DATASET = answer('The dataset.', refTo(DatasetSchema))

export const NAMED = [DatasetSchema]

export const CREATE = on.all('create', {
  operationId: 'createDataset',
  summary: 'Create a dataset',
  body: NewDatasetSchema,
  response: { 200: DATASET, ...errorAnswers(400, 401, 403, 409, 415, 422, 507) },
})

export const LIST = on.list({ operationId: 'listDatasets', summary: 'List datasets', answer: 'All datasets, by name.' })

export const GET = on.get({ operationId: 'getDataset', summary: 'Get a dataset', answer: 'The dataset.' })

export const CHANGE = on.one('update', {
  operationId: 'changeDataset',
  summary: 'Change a dataset',
  description: 'Its description and how long events are kept.',
  body: DatasetChangeSchema,
  response: { 200: DATASET, ...errorAnswers(400, 401, 403, 404, 415, 422, 507) },
})

export const DELETE = on.remove({ operationId: 'deleteDataset', summary: 'Delete a dataset and its events' })

/** It has a permission of its own. */
export const TRIM = {
  config: { permission: 'trim|update' as const },
  schema: {
    operationId: 'trimDataset',
    summary: 'Remove old events',
    tags: ['datasets'],
    params: DatasetNameParams,
    body: TrimSchema,
    response: { 200: answer('They were removed.', Type.Object({})), ...errorAnswers(400, 401, 403, 404, 415, 422, 507) },
  },
}

export const FIELDS = on.read({
  operationId: 'listFields',
  summary: 'List the fields of a dataset',
  answer: 'The fields with their types; a field seen with several has a union such as `integer|string`.',
  of: Type.Array(FieldSchema),
})

/** Editors use the token of their queries. */
export const ALL_FIELDS = {
  config: { permission: 'query|read' as const },
  schema: {
    operationId: 'listAllFields',
    summary: 'List what queries of each dataset can name',
    tags: ['datasets'],
    response: {
      200: answer('Each dataset with its fields and virtual fields.', Type.Array(DatasetFieldsSchema)),
      ...errorAnswers(401, 403),
    },
  },
}

export const INFO = on.one('read', {
  operationId: 'getDatasetInfo',
  summary: 'How much a dataset holds',
  response: {
    200: answer('How much the dataset holds, and its fields.', DatasetInfoSchema),
    ...errorAnswers(400, 401, 403, 404, 429, 504),
  },
})
