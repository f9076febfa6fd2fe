/**
 * Datasets, in which events are stored, each with its own fields. How `retentionDays` and `useRetentionPeriod` go together is checked in
 * code, and documented here. Deliberately not here: which name is wrong in a list of names, and how a query quotes a name.
 */
import type { Calls } from './call.ts'
import { DATASET_NAME, DATASET_NAME_PATTERN } from './dataset-name.ts'
import { DURATION_PATTERN } from './duration.ts'
import { operations } from './operation.ts'
import {
  flag,
  has,
  type Infer,
  list,
  object,
  oneOf,
  optional,
  type Schema,
  type Sure,
  sent,
  text,
  time,
  titled,
  when,
  whole,
} from './schema.ts'

/** The kinds of datasets. All hold events in the same way, and no query depends on the kind. The first is the default. */
const DATASET_KINDS = ['axiom:events:v1', 'otel:traces:v1', 'otel:logs:v1'] as const
export type DatasetKind = (typeof DATASET_KINDS)[number]
const EDGE_DEPLOYMENT_LENGTH_MAX = 128
/** The longest description, in Unicode code points. */
export const DATASET_DESCRIPTION_POINTS_MAX = 512
/** How many fields people can name for one dataset; each takes disk space, and time of every insert. */
const INDEXED_FIELDS_MAX = 16
/** A hundred years: longer than the span of time that can be stored reaches back from now. */
export const RETENTION_DAYS_MAX = 36_525

export const DATASET_CALLS = {
  create: { call: 'POST /v2/datasets', takes: 'body', one: 'name' },
  list: { call: 'GET /v2/datasets', list: 'name' },
  get: { call: 'GET /v2/datasets/{name}', one: 'name' },
  change: { call: 'PUT /v2/datasets/{name}', takes: 'body', one: 'name' },
  /** Deletes a dataset with all its events. */
  delete: { call: 'DELETE /v2/datasets/{name}' },
  /** Deletes events older than a duration such as `720h`. */
  trim: { call: 'POST /v2/datasets/{name}/trim', takes: 'body', member: 'maxDuration' },
  /** Takes fields that no event has any more out of the dataset. */
  vacuum: { call: 'POST /v2/datasets/{name}/vacuum' },
  fields: { call: 'GET /v2/datasets/{name}/fields', list: 'name' },
  /** The fields and virtual fields of every dataset that the token may query. */
  allFields: { call: 'GET /v1/datasets/_fields', list: 'datasetName' },
  /** How much there is in a dataset, and its fields. */
  info: { call: 'GET /v1/datasets/{name}/info', one: 'name' },
} as const satisfies Calls

/** The parameters of a path that names a dataset. */
export const DATASET_PARAMS = { name: text('Name of the dataset.', { pattern: DATASET_NAME_PATTERN }) }

const SETTINGS = {
  description: text('', { maxLength: DATASET_DESCRIPTION_POINTS_MAX }),
  retentionDays: whole('Days that events are kept; 0 keeps them forever.'),
  useRetentionPeriod: flag('false keeps events forever.'),
  indexedFields: list(text(), 'Get a column or an index, besides those with usual names.', { maxItems: INDEXED_FIELDS_MAX }),
  strictTime: flag('Only `_time` is read as the time of an event, and no member such as `timestamp`.'),
}

const DATASET = titled('Dataset', {
  id: text('The name.'),
  name: text(),
  ...SETTINGS,
  created: time(),
  updatedAt: time(),
  who: text('Id of the token that created it.'),
  kind: oneOf(DATASET_KINDS),
  canWrite: flag('Whether the token that asks may send events.'),
  mapFields: list(text()),
  ...optional({ edgeDeployment: text('As it was given; all events are stored here.') }),
})

const days = (minimum: number, ...other: 'null'[]) => ({ type: ['integer', ...other], minimum, maximum: RETENTION_DAYS_MAX })
const periodIs = (value: boolean) => has({ useRetentionPeriod: { enum: [value] } })

const RETENTION = when(
  periodIs(true),
  has({ retentionDays: days(1) }),
  when(periodIs(false), {}, { properties: { retentionDays: days(0, 'null') } }),
)

const NEW_DATASET = object(
  {
    name: DATASET_NAME,
    ...sent({
      kind: oneOf(DATASET_KINDS, 'Kept and shown; all kinds hold events in the same way.'),
      edgeDeployment: text('Kept and shown; all events are stored here.', { maxLength: EDGE_DEPLOYMENT_LENGTH_MAX }),
      ...SETTINGS,
    }),
  },
  { title: 'DatasetCreate', documented: RETENTION },
)

const DATASET_CHANGE = object(sent(SETTINGS), { title: 'DatasetChange', documented: RETENTION })

const TRIM = object({
  maxDuration: text('Events older than this are removed, for example `720h` or `1h30m`.', {
    documented: { pattern: DURATION_PATTERN.source },
  }),
})

/** It says nothing, and the client gives nothing. */
const DONE: Schema<object, void> = { type: 'object', properties: {} }

const FIELD = object({
  name: text('Dotted for nested objects; a dot within a key is `\\.`.'),
  type: text('`integer`, `string` and so on; several are joined by `|`.'),
  unit: text(),
  hidden: flag(),
  description: text(),
})

const DATASET_FIELDS = object({ datasetName: text(), fields: list(FIELD) })

const DATASET_INFO = object({
  name: text(),
  numEvents: whole(),
  numFields: whole(),
  inputBytes: whole('What the events take up uncompressed; 0 on a cluster, which does not tell.'),
  compressedBytes: whole('On disk; 0 on a cluster, which does not tell.'),
  ...optional({
    minTime: time('Of the oldest event; absent where there is none.'),
    maxTime: time('Of the newest event.'),
  }),
  created: time(),
  who: text('Id of the token that created it.'),
  fields: list(FIELD),
})

export const DATASETS = operations(
  DATASET_CALLS,
  {
    noun: 'dataset',
    tag: 'datasets',
    permissions: 'datasets',
    params: DATASET_PARAMS,
    item: DATASET as Schema<Dataset, Sure<Dataset, 'id' | 'name' | 'description' | 'created'>>,
  },
  {
    create: { body: NEW_DATASET, answer: 'The dataset.', status: 200, errors: [409] },
    list: { answer: 'All datasets, by name.' },
    get: {},
    change: {
      description: 'Its description, how long events are kept, and which fields are indexed.',
      body: DATASET_CHANGE,
      answer: 'The dataset.',
    },
    delete: { summary: 'Delete a dataset and its events' },
    trim: {
      summary: 'Remove old events',
      access: 'trim|update',
      body: TRIM,
      gives: DONE,
      answer: 'They were removed.',
    },
    vacuum: {
      summary: 'Remove unused fields',
      description: 'Those that no event has any more, so that others have a place; all events are looked at.',
      action: 'update',
      gives: DONE,
      status: 200,
      answer: 'They were removed.',
    },
    fields: {
      operationId: 'listFields',
      summary: 'List the fields of a dataset',
      gives: list(FIELD as Schema<DatasetField, Sure<DatasetField, 'name' | 'type'>>),
      answer: 'The fields with their types; a field seen with several has a union such as `integer|string`.',
    },
    allFields: {
      operationId: 'listAllFields',
      summary: 'List what queries of each dataset can name',
      // Editors use the token of their queries.
      access: 'query|read',
      gives: list(DATASET_FIELDS),
      answer: 'Each dataset with its fields and virtual fields.',
    },
    info: {
      operationId: 'getDatasetInfo',
      summary: 'How much a dataset holds',
      gives: DATASET_INFO,
      answer: 'How much the dataset holds, and its fields.',
      errors: [429, 504],
    },
  },
)

/** Events are stored in datasets, each with its own fields. */
export type Dataset = Infer<typeof DATASET>

export type NewDataset = Infer<typeof NEW_DATASET>

/** The members to change; the others keep their values. */
export type DatasetChange = Infer<typeof DATASET_CHANGE>

/** A field with the types seen in it. */
export type DatasetField = Infer<typeof FIELD>

/** The fields of one of all datasets. */
export type DatasetFields = Infer<typeof DATASET_FIELDS>

/** How much there is in a dataset, and its fields. */
export type DatasetInfo = Infer<typeof DATASET_INFO>
