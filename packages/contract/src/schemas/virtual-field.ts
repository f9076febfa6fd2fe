/**
 * The shapes of virtual fields as schemas and types.
 */
import type { Static } from 'typebox'
import {
  EXPRESSION_LENGTH_MAX,
  VIRTUAL_FIELD_ID_PATTERN,
  VIRTUAL_FIELD_NAME_LENGTH_MAX,
  VIRTUAL_FIELD_TEXT_LENGTH_MAX,
} from '../virtual-field.ts'
import { closed, DatasetName, IdParams, sent } from './parts.ts'
import Type from './type.ts'

const TEXTS = {
  description: Type.String({ maxLength: VIRTUAL_FIELD_TEXT_LENGTH_MAX }),
  type: Type.String({ maxLength: VIRTUAL_FIELD_TEXT_LENGTH_MAX, description: 'Kept and shown.' }),
  unit: Type.String({ maxLength: VIRTUAL_FIELD_TEXT_LENGTH_MAX, description: 'Kept and shown.' }),
}

const MEMBERS = {
  dataset: DatasetName,
  name: Type.String({ minLength: 1, maxLength: VIRTUAL_FIELD_NAME_LENGTH_MAX }),
  expression: Type.String({
    minLength: 1,
    maxLength: EXPRESSION_LENGTH_MAX,
    description: 'In the query language, over the stored fields of one event.',
    examples: ['duration / 1000'],
  }),
}

export const NewVirtualFieldSchema = Type.Object({ ...MEMBERS, ...sent(TEXTS) }, { title: 'VirtualFieldCreate' })

export const VirtualFieldSchema = closed(
  {
    id: Type.String(),
    ...MEMBERS,
    ...Type.Partial(Type.Object(TEXTS)).properties,
  },
  { $id: 'VirtualField', title: 'VirtualField' },
)

export const VirtualFieldListSchema = Type.Object({
  dataset: Type.Optional(Type.String({ description: 'Only those of this dataset; empty counts as not given.' })),
})

export const VirtualFieldParams = IdParams(VIRTUAL_FIELD_ID_PATTERN, 'As listed.')

export type VirtualField = Static<typeof VirtualFieldSchema>

export type NewVirtualField = Static<typeof NewVirtualFieldSchema>
