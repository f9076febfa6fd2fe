/**
 * Map fields: fields of a dataset whose objects are kept as one value each, so that their keys do not become fields. What is changed
 * counts for events that are sent from then on.
 */
import type { Calls } from './call.ts'
import { DATASET_PARAMS } from './dataset.ts'
import { operations } from './operation.ts'
import { list, object, refined, type Schema, text } from './schema.ts'

/** How many map fields one dataset can have. */
export const MAP_FIELDS_MAX = 256
const MAP_FIELD_LENGTH_MAX = 200
/** Names that begin with two underscores are reserved. */
const MAP_FIELD_PATTERN = /^(?!__)[\s\S]+$/

export const MAP_FIELD_CALLS = {
  /** Their names. */
  list: { call: 'GET /v2/datasets/{name}/mapfields', reads: 'texts' },
  /** Not sent again where its answer is lost, because the second would be refused; the list shows whether it is there. */
  create: { call: 'POST /v2/datasets/{name}/mapfields', takes: 'body', member: 'name', one: 'name', isSentOnce: true },
  /** Says which fields are map fields, and that no other is. */
  replace: { call: 'PUT /v2/datasets/{name}/mapfields', takes: 'body', reads: 'texts' },
  /** Makes it an ordinary field. */
  delete: { call: 'DELETE /v2/datasets/{name}/mapfields/{field}' },
} as const satisfies Calls

const NAME = text('', { minLength: 1, maxLength: MAP_FIELD_LENGTH_MAX, pattern: MAP_FIELD_PATTERN })
const MAP_FIELD = object({ name: NAME }, { title: 'MapField' })
const NAMES = list(NAME, '', { maxItems: MAP_FIELDS_MAX })

const NO_DATASET = { 404: 'There is no such dataset.' }

export const MAP_FIELDS = operations(
  MAP_FIELD_CALLS,
  {
    noun: 'map field',
    tag: 'datasets',
    permissions: 'datasets',
    params: { ...DATASET_PARAMS, field: text('Name of the map field.', { documented: { maxLength: MAP_FIELD_LENGTH_MAX } }) },
    item: MAP_FIELD,
  },
  {
    list: {
      summary: 'List the map fields of a dataset',
      gives: NAMES,
      answer: 'Their names.',
      errorTexts: NO_DATASET,
    },
    create: {
      summary: 'Make a field a map field',
      description: 'Keys of objects in it are no fields, and those that are fields are none any more.',
      action: 'update',
      body: MAP_FIELD,
      answer: 'The map field.',
      status: 200,
      errors: [409],
      errorTexts: NO_DATASET,
    },
    replace: {
      operationId: 'replaceMapFields',
      summary: 'Say which fields are map fields',
      body: refined(NAMES, { documented: { uniqueItems: true } }) as Schema<string[], readonly string[]>,
      gives: NAMES,
      answer: 'Their names.',
      errorTexts: NO_DATASET,
    },
    delete: {
      summary: 'Make a map field an ordinary one',
      description: 'For events that are sent from now on; what is stored stays a map.',
      action: 'update',
      answer: 'It is no map field any more.',
    },
  },
)
