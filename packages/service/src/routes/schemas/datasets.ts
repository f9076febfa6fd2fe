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
import { answer, emptyAnswer, errorAnswers } from '../../http/schemas.ts'

const tags = ['datasets']
const params = DatasetNameParams
const DATASET = answer('The dataset.', refTo(DatasetSchema))

export const NAMED = [DatasetSchema]

export const CREATE = {
  operationId: 'createDataset',
  summary: 'Create a dataset',
  tags,
  body: NewDatasetSchema,
  response: { 200: DATASET, ...errorAnswers(400, 401, 403, 409, 415, 422, 507) },
}

export const LIST = {
  operationId: 'listDatasets',
  summary: 'List datasets',
  tags,
  response: { 200: answer('All datasets, by name.', Type.Array(refTo(DatasetSchema))), ...errorAnswers(401, 403) },
}

export const GET = {
  operationId: 'getDataset',
  summary: 'Get a dataset',
  tags,
  params,
  response: { 200: DATASET, ...errorAnswers(400, 401, 403, 404) },
}

export const CHANGE = {
  operationId: 'changeDataset',
  summary: 'Change a dataset',
  description: 'Its description and how long events are kept.',
  tags,
  params,
  body: DatasetChangeSchema,
  response: { 200: DATASET, ...errorAnswers(400, 401, 403, 404, 415, 422, 507) },
}

export const DELETE = {
  operationId: 'deleteDataset',
  summary: 'Delete a dataset and its events',
  tags,
  params,
  response: { 204: emptyAnswer('It was deleted.'), ...errorAnswers(400, 401, 403, 404, 507) },
}

export const TRIM = {
  operationId: 'trimDataset',
  summary: 'Remove old events',
  tags,
  params,
  body: TrimSchema,
  response: { 200: answer('They were removed.', Type.Object({})), ...errorAnswers(400, 401, 403, 404, 415, 422, 507) },
}

export const FIELDS = {
  operationId: 'listFields',
  summary: 'List the fields of a dataset',
  tags,
  params,
  response: {
    200: answer(
      'The fields with their types; a field seen with several has a union such as `integer|string`.',
      Type.Array(FieldSchema),
    ),
    ...errorAnswers(400, 401, 403, 404),
  },
}

export const ALL_FIELDS = {
  operationId: 'listAllFields',
  summary: 'List what queries of each dataset can name',
  tags,
  response: {
    200: answer('Each dataset with its fields and virtual fields.', Type.Array(DatasetFieldsSchema)),
    ...errorAnswers(401, 403),
  },
}

export const INFO = {
  operationId: 'getDatasetInfo',
  summary: 'How much a dataset holds',
  tags,
  params,
  response: {
    200: answer('How much the dataset holds, and its fields.', DatasetInfoSchema),
    ...errorAnswers(400, 401, 403, 404, 429, 504),
  },
}
