/**
 * Names of datasets and tables: each source becomes a dataset of the catalogue or the pipeline a `let` stands for, and the caller's
 * variables take the place of declared parameters.
 * Deliberately not here: field names, which depend on the operators before them; the compiler looks those up.
 */
import type { Expression, Let, Operator, Pipeline, QueryTree, Source } from './ast.ts'
import { CompileError } from './error.ts'
import { OPERATORS_MAX } from './limits.ts'
import { type LiteralValue, parseDatetime, parseTimespan } from './literal.ts'
import { didYouMean } from './nearest.ts'
import { NOWHERE, type Span } from './source.ts'

/** Values for `declare query_parameters`, or for names used as if there were a `let`. */
export type Variables = Readonly<Record<string, string | number | bigint | boolean | null>>

export interface ResolvedQuery {
  readonly pipeline: Pipeline
  /** Lets that are values, in order; each may use those before it. */
  readonly values: readonly { readonly name: string; readonly expression: Expression }[]
  /** Names of the datasets read. */
  readonly datasets: readonly string[]
}

export function resolve(query: QueryTree, known: Iterable<string>, variables: Variables): ResolvedQuery {
  const resolver = new Resolver(new Set(known))
  const declared = new Set(query.lets.map(({ name }) => name))
  const given = Object.entries(variables).filter(([name]) => !declared.has(name))
  const values: { name: string; expression: Expression }[] = given.map(([name, value]) => ({
    name,
    expression: variable(value, undefined, NOWHERE),
  }))
  for (const statement of query.lets) {
    const value = letValue(statement, variables)
    if (value.kind === 'pipeline') resolver.tables.set(statement.name, resolver.pipeline(value))
    else if (value.kind === 'name' && resolver.isDataset(value.name))
      resolver.tables.set(statement.name, resolver.pipeline(tableOf(value)))
    else values.push({ name: statement.name, expression: value })
  }
  return { pipeline: resolver.pipeline(query.pipeline), values, datasets: [...resolver.read] }
}

const tableOf = ({ name, span }: { name: string; span: Span }): Pipeline => ({
  kind: 'pipeline',
  source: { kind: 'dataset', name, span },
  operators: [],
  span,
})

function letValue({ name, value, parameter, span }: Let, variables: Variables): Expression | Pipeline {
  return parameter !== undefined && Object.hasOwn(variables, name) ? variable(variables[name] ?? null, parameter, span) : value
}

/** A caller's value as a literal, read as the declared type. */
function variable(value: Variables[string], type: string | undefined, span: Span): Expression {
  return { kind: 'literal', value: literalOf(value ?? null, type, span), span }
}

function literalOf(value: string | number | bigint | boolean | null, type: string | undefined, span: Span): LiteralValue {
  if (value === null) return { type: 'null' }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  if (typeof value === 'bigint') return { type: 'integer', value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { type: 'integer', value: BigInt(value) } : { type: 'real', value }
  if (type === 'datetime' || type === 'timespan') {
    const found = type === 'datetime' ? parseDatetime(value) : parseTimespan(value)
    if (found) return found
    throw new CompileError('type_mismatch', `the variable is not a ${type}: "${value.slice(0, 40)}"`, span)
  }
  return { type: 'string', value }
}

class Resolver {
  readonly tables = new Map<string, Pipeline>()
  readonly read = new Set<string>()
  readonly #known: ReadonlySet<string>
  #operators = 0

  constructor(known: ReadonlySet<string>) {
    this.#known = known
  }

  isDataset(name: string): boolean {
    return this.#known.has(name)
  }

  pipeline(pipeline: Pipeline): Pipeline {
    return {
      ...pipeline,
      source: this.#source(pipeline.source),
      operators: pipeline.operators.map((operator) => this.#operator(operator)),
    }
  }

  #operator(operator: Operator): Operator {
    this.#count(operator.span)
    if (operator.kind === 'union') return { ...operator, others: operator.others.map((other) => this.pipeline(other)) }
    return operator.kind === 'join' ? { ...operator, right: this.pipeline(operator.right) } : operator
  }

  #source(source: Source): Source {
    this.#count(source.span)
    switch (source.kind) {
      case 'dataset': {
        const table = this.tables.get(source.name)
        if (table) {
          this.#countAll(table)
          return { kind: 'subquery', pipeline: table, span: source.span }
        }
        if (!this.#known.has(source.name)) {
          throw new CompileError(
            'unknown_name',
            `dataset "${source.name}" not found`,
            source.span,
            didYouMean(source.name, [...this.tables.keys(), ...this.#known]),
            source.name,
          )
        }
        this.read.add(source.name)
        return source
      }
      case 'print':
        return source
      case 'union-of':
        return { ...source, members: source.members.map((member) => this.pipeline(member)) }
      case 'subquery':
        return { ...source, pipeline: this.pipeline(source.pipeline) }
      default:
        return source satisfies never
    }
  }

  /** Tables used twice count twice: the limit is on what is compiled. */
  #countAll(table: Pipeline): void {
    for (const operator of table.operators) {
      this.#count(operator.span)
      if (operator.kind === 'union') for (const other of operator.others) this.#countAll(other)
      if (operator.kind === 'join') this.#countAll(operator.right)
    }
    if (table.source.kind === 'subquery') this.#countAll(table.source.pipeline)
    if (table.source.kind === 'union-of') for (const member of table.source.members) this.#countAll(member)
  }

  #count(span: Span): void {
    this.#operators += 1
    if (this.#operators > OPERATORS_MAX * 2)
      throw new CompileError('limit', `the query has more than ${OPERATORS_MAX} operators`, span)
  }
}
