/**
 * The names of the query language, which editors complete.
 */
import type { Calls } from './call.ts'
import { operations } from './operation.ts'
import { closed, type Infer, list, oneOf, optional, refined, text } from './schema.ts'

export const LANGUAGE_CALLS = {
  /** Every operator, function and source of its query language, for editors. */
  language: { call: 'GET /v2/language', lists: ['operators', 'functions'] },
} as const satisfies Calls

const SIGNED = { name: text(), signature: text('For people: the name and what goes with it.') }

const EXAMPLE = closed({ call: text(), gives: text('As JSON.') })

const FUNCTION = closed({
  ...SIGNED,
  kind: oneOf(
    ['scalar', 'aggregation', 'window'],
    'An aggregation can only be used in `summarize` and `make-series`, a window function, which looks at the rows beside one, only in `extend`.',
  ),
  parameters: list(text(), 'How each argument is read: `text`, `number?` (may be left out), `any*` (any number of them).'),
  arguments: list(text(), 'What each argument is called, in the same order.'),
  ...optional({ example: refined(EXAMPLE, { description: 'A call, and what it gives.' }) }),
})

const SOURCE = closed({ name: text(), fields: list(closed({ name: text(), type: text() })) })

const NAMES = closed({
  operators: list(closed(SIGNED)),
  functions: list(FUNCTION),
  forms: list(closed(SIGNED), 'Statements, sources, and operators between values.'),
  sources: list(SOURCE, 'What can be queried besides datasets.'),
})

export const LANGUAGE = operations(
  LANGUAGE_CALLS,
  { noun: 'language', tag: 'query' },
  {
    language: {
      operationId: 'getLanguage',
      summary: 'The names of the query language',
      description:
        'Every operator and function, synonyms included, and the sources that are no datasets; may be cached for an hour.',
      gives: NAMES,
      answer: 'The names.',
    },
  },
)

/** Every operator and function, synonyms included, and the sources that are no datasets. */
export type Language = Infer<typeof NAMES>

export type LanguageFunction = Language['functions'][number]
