/**
 * The names of the language, for completing them and explaining their arguments while a query is written: every spelling that the
 * compiler accepts, straight from its own tables.
 * Deliberately not here: names of datasets and fields.
 */

import { TO_SCALAR } from './expressions/tabular.ts'
import { WINDOW_FUNCTIONS } from './expressions/window.ts'
import { AGGREGATE_ALIASES, AGGREGATES, type FoundAggregate, findAggregate } from './functions/aggregates.ts'
import type { Signed } from './functions/definition.ts'
import { FUNCTIONS } from './functions/table.ts'
import { KEYWORDS, OPERATORS } from './operators/table.ts'
import { FORMS } from './text/forms.ts'
import { signature } from './tree/signature.ts'

interface SignedName {
  readonly name: string
  /** For people: the name and what goes with it. */
  readonly signature: string
}

interface FunctionName extends SignedName {
  /** Aggregations can only be used in `summarize` and `make-series`, window functions only in `extend`. */
  readonly kind: 'scalar' | 'aggregation' | 'window'
  /** How each argument is read: `text`, `number?` (may be left out), `any*` (any number of them). */
  readonly parameters: readonly string[]
  /** What each argument is called. */
  readonly arguments: readonly string[]
  /** A call, and as JSON what it gives. */
  readonly example?: { readonly call: string; readonly gives: string }
}

interface LanguageNames {
  readonly operators: readonly SignedName[]
  readonly functions: readonly FunctionName[]
  /** Statements, sources, and operators between values. */
  readonly forms: readonly SignedName[]
}

/** Each aggregation exists a second time with a condition. */
const AGGREGATE_NAMES = [...Object.keys(AGGREGATES).flatMap((name) => [name, `${name}if`]), ...Object.keys(AGGREGATE_ALIASES)]

/** @returns all operators, functions and forms, synonyms and the conditional aggregations included */
export function listNames(): LanguageNames {
  return {
    operators: [...KEYWORDS].map(([name, kind]) => ({ name, signature: `${name} ${OPERATORS[kind].syntax}`.trim() })),
    functions: [
      ...Object.entries(FUNCTIONS).map(([name, row]) => functionName('scalar', name, row)),
      functionName('scalar', 'toscalar', TO_SCALAR),
      ...AGGREGATE_NAMES.map((name) => functionName('aggregation', name, findAggregate(name) as FoundAggregate)),
      ...Object.entries(WINDOW_FUNCTIONS).map(([name, row]) => functionName('window', name, row)),
    ],
    forms: FORMS.map(({ name, syntax }) => ({ name, signature: syntax })),
  }
}

function functionName(kind: FunctionName['kind'], name: string, { parameters, example }: Signed): FunctionName {
  return {
    name,
    kind,
    parameters: parameters.map(({ reads, isOptional, isRepeated }) => `${reads}${isOptional ? '?' : isRepeated ? '*' : ''}`),
    arguments: parameters.map((parameter) => parameter.name),
    signature: signature(name, parameters),
    ...(example && { example: { call: example.call, gives: JSON.stringify(example.gives) } }),
  }
}
