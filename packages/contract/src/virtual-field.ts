/**
 * Virtual fields: expressions that queries of a dataset name like fields.
 */
import { type Calls, callsOn } from './call.ts'
import { DATASET_NAME } from './dataset-name.ts'
import { operations } from './operation.ts'
import { closed, type Infer, object, optional, sent, text } from './schema.ts'

const VIRTUAL_FIELD_ID_PATTERN = /^vf_[0-9a-f]{16}$/
/** How many virtual fields one dataset can have. */
export const VIRTUAL_FIELDS_MAX = 256
const VIRTUAL_FIELD_NAME_LENGTH_MAX = 200
/** The longest texts, in Unicode code points. */
const EXPRESSION_LENGTH_MAX = 4_096
const VIRTUAL_FIELD_TEXT_LENGTH_MAX = 512

export const VIRTUAL_FIELD_CALLS = {
  ...callsOn('/v2/vfields'),
  /** Those of all datasets if none is given, which the hosted service may not allow. */
  list: { call: 'GET /v2/vfields', takes: 'query', member: 'dataset', list: 'id' },
} as const satisfies Calls

const TEXTS = {
  description: text('', { maxLength: VIRTUAL_FIELD_TEXT_LENGTH_MAX }),
  type: text('Kept and shown.', { maxLength: VIRTUAL_FIELD_TEXT_LENGTH_MAX }),
  unit: text('Kept and shown.', { maxLength: VIRTUAL_FIELD_TEXT_LENGTH_MAX }),
}
const MEMBERS = {
  dataset: DATASET_NAME,
  name: text('', { minLength: 1, maxLength: VIRTUAL_FIELD_NAME_LENGTH_MAX }),
  expression: text('In the query language, over the stored fields of one event.', {
    minLength: 1,
    maxLength: EXPRESSION_LENGTH_MAX,
    examples: ['duration / 1000'],
  }),
}

const VIRTUAL_FIELD = closed({ id: text(), ...MEMBERS, ...optional(TEXTS) }, { title: 'VirtualField' })
const NEW_VIRTUAL_FIELD = object({ ...MEMBERS, ...sent(TEXTS) }, { title: 'VirtualFieldCreate' })

const NO_DATASET = { 404: 'There is no such dataset.' }

export const VIRTUAL_FIELDS = operations(
  VIRTUAL_FIELD_CALLS,
  {
    noun: 'virtual field',
    tag: 'datasets',
    permissions: 'virtualFields',
    params: { id: text('As listed.', { pattern: VIRTUAL_FIELD_ID_PATTERN }) },
    item: VIRTUAL_FIELD,
  },
  {
    create: {
      description: 'A field that queries of the dataset can name, and that is computed from the stored fields of each event.',
      body: NEW_VIRTUAL_FIELD,
      status: 200,
      errors: [409],
      errorTexts: NO_DATASET,
    },
    list: {
      query: object(optional({ dataset: text('Only those of this dataset; empty counts as not given.') })),
      answer: 'Those of the dataset, or all; by dataset, the oldest first.',
      errorTexts: NO_DATASET,
    },
    get: {},
    change: {
      summary: 'Replace a virtual field',
      body: NEW_VIRTUAL_FIELD,
      answer: 'The virtual field as it is now.',
      errors: [409],
    },
    delete: {},
  },
)

export type VirtualField = Infer<typeof VIRTUAL_FIELD>

export type NewVirtualField = Infer<typeof NEW_VIRTUAL_FIELD>
