/**
 * The names of the query language as a schema.
 */

import { OneOf } from './parts.ts'
import Type from './type.ts'

const SIGNED = {
  name: Type.String(),
  signature: Type.String({ description: 'For people: the name and what goes with it.' }),
} as const

const OperatorSchema = Type.Object(SIGNED, { additionalProperties: false })

const FunctionSchema = Type.Object(
  {
    ...SIGNED,
    kind: OneOf(['scalar', 'aggregation'], { description: 'An aggregation can only be used in `summarize` and `make-series`.' }),
    parameters: Type.Array(Type.String(), {
      description: 'How each argument is read: `text`, `number?` (may be left out), `any*` (any number of them, last).',
    }),
  },
  { additionalProperties: false },
)

const SourceSchema = Type.Object(
  {
    name: Type.String(),
    fields: Type.Array(Type.Object({ name: Type.String(), type: Type.String() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

export const LanguageSchema = Type.Object(
  {
    operators: Type.Array(OperatorSchema),
    functions: Type.Array(FunctionSchema),
    sources: Type.Array(SourceSchema, { description: 'What can be queried besides datasets.' }),
  },
  { additionalProperties: false },
)
