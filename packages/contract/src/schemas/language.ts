/**
 * The names of the query language as a schema and types.
 */
import type { Static } from 'typebox'
import { OneOf } from './parts.ts'
import Type from './type.ts'

const SIGNED = {
  name: Type.String(),
  signature: Type.String({ description: 'For people: the name and what goes with it.' }),
} as const

const SignedSchema = Type.Object(SIGNED, { additionalProperties: false })

const FunctionSchema = Type.Object(
  {
    ...SIGNED,
    kind: OneOf(['scalar', 'aggregation', 'window'], {
      description:
        'An aggregation can only be used in `summarize` and `make-series`, a window function, which looks at the rows beside one, only in `extend`.',
    }),
    parameters: Type.Array(Type.String(), {
      description: 'How each argument is read: `text`, `number?` (may be left out), `any*` (any number of them).',
    }),
    arguments: Type.Array(Type.String(), { description: 'What each argument is called, in the same order.' }),
    example: Type.Optional(
      Type.Object(
        { call: Type.String(), gives: Type.String({ description: 'As JSON.' }) },
        { additionalProperties: false, description: 'A call, and what it gives.' },
      ),
    ),
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
    operators: Type.Array(SignedSchema),
    functions: Type.Array(FunctionSchema),
    forms: Type.Array(SignedSchema, { description: 'Statements, sources, and operators between values.' }),
    sources: Type.Array(SourceSchema, { description: 'What can be queried besides datasets.' }),
  },
  { additionalProperties: false },
)

/** Every operator and function, synonyms included, and the sources that are no datasets. */
export type Language = Static<typeof LanguageSchema>

export type LanguageOperator = Language['operators'][number]

export type LanguageSource = Language['sources'][number]

export type LanguageFunction = Language['functions'][number]
