/**
 * The names of the language, for completing them while a query is written: every spelling that the compiler accepts,
 * straight from its own tables.
 * Deliberately not here: names of datasets and fields, and words of the grammar that are in no table (`let`, `print`, `by`).
 */
import { AGGREGATE_ALIASES, AGGREGATES, findAggregate } from './functions/aggregates.ts'
import type { AggregateDefinition } from './functions/aggregation.ts'
import { signature } from './functions/definition.ts'
import { FUNCTIONS } from './functions/table.ts'
import { KEYWORDS, OPERATORS } from './operators/table.ts'

interface OperatorName {
  readonly name: string
  /** For people: the name and the grammar behind it. */
  readonly signature: string
}

interface FunctionName extends OperatorName {
  /** Aggregations can only be used in `summarize` and `make-series`. */
  readonly kind: 'scalar' | 'aggregation'
  /** How each argument is read: `text`, `number?` (may be left out), `any*` (any number of them, last). */
  readonly parameters: readonly string[]
}

interface LanguageNames {
  readonly operators: readonly OperatorName[]
  readonly functions: readonly FunctionName[]
}

/** Each aggregation exists a second time with a condition. */
const AGGREGATE_NAMES = [...Object.keys(AGGREGATES).flatMap((name) => [name, `${name}if`]), ...Object.keys(AGGREGATE_ALIASES)]

/** @returns all operators and functions, synonyms and the conditional aggregations included */
export function listNames(): LanguageNames {
  return {
    operators: [...KEYWORDS].map(([name, kind]) => ({ name, signature: `${name} ${OPERATORS[kind].syntax}`.trim() })),
    functions: [
      ...Object.entries(FUNCTIONS).map(([name, { parameters }]) => functionName('scalar', name, parameters)),
      ...AGGREGATE_NAMES.map((name) => functionName('aggregation', name, aggregateParameters(name))),
    ],
  }
}

/** A conditional aggregation takes its condition last. */
function aggregateParameters(name: string): readonly string[] {
  const { definition, conditional } = findAggregate(name) as { definition: AggregateDefinition; conditional: boolean }
  return conditional ? [...definition.parameters, 'truth'] : definition.parameters
}

function functionName(kind: FunctionName['kind'], name: string, parameters: readonly string[]): FunctionName {
  return { name, kind, parameters, signature: signature(name, parameters) }
}
