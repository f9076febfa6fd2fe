/**
 * Names of datasets and tables: each source becomes a dataset of the catalog or the pipeline a `let` stands for, and the caller's
 * variables take the place of declared parameters.
 * Deliberately not here: field names, which depend on the operators before them; the compiler looks those up.
 */
import assert from 'node:assert'
import { CompileError, mismatch, NOWHERE, type Span } from '../error.ts'
import { OPERATORS_COMPILED_MAX, PATTERN_DATASETS_MAX } from '../limits.ts'
import { literalOf, parseDatetime, parseTimespan } from '../text/literal.ts'
import { matchesPattern } from '../text/names-matching.ts'
import { guessName } from '../text/nearest.ts'
import type { Call, Expression, InList, Let, LetFunction, Operator, Pipeline, QueryTree, Source } from '../tree/ast.ts'
import { measure } from '../tree/measure.ts'
import { kindOfType } from '../tree/typed-names.ts'
import { ExpansionBudget, expandCall, substitute } from './let-functions.ts'

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
    expression: resolver.value(name, variable(value, undefined, NOWHERE)),
  }))
  for (const statement of query.lets) {
    const { name } = statement
    const expression = resolver.define(name, letValue(statement, variables))
    if (expression) values.push({ name, expression })
  }
  const pipeline = resolver.pipeline(query.pipeline)
  return { pipeline, values, datasets: [...resolver.read] }
}

const tableOf = ({ name, span }: { name: string; span: Span }): Pipeline => ({
  kind: 'pipeline',
  source: { kind: 'dataset', name, span },
  operators: [],
  span,
})

function letValue({ name, value, parameter, span }: Let, variables: Variables): Let['value'] {
  return parameter !== undefined && Object.hasOwn(variables, name) ? variable(variables[name] ?? null, parameter, span) : value
}

/** A caller's value as a literal, read as the declared type. */
function variable(value: Variables[string], type: string | undefined, span: Span): Expression {
  const kind = type === undefined ? undefined : kindOfType(type)
  if (typeof value !== 'string' || (kind !== 'datetime' && kind !== 'timespan'))
    return { kind: 'literal', value: literalOf(value ?? null), span }
  const found = kind === 'datetime' ? parseDatetime(value) : parseTimespan(value)
  if (found) return { kind: 'literal', value: found, span }
  throw mismatch(`the variable is not a ${type}: "${value.slice(0, 40)}"`, span)
}

class Resolver {
  tables: ReadonlyMap<string, Pipeline> = new Map()
  functions: ReadonlyMap<string, LetFunction> = new Map()
  readonly read = new Set<string>()
  /** Values of lets and parameters that are texts: `table()` takes them. */
  texts: ReadonlyMap<string, string> = new Map()
  readonly #known: ReadonlySet<string>
  readonly #budget = new ExpansionBudget((source) => this.#dataset(source))
  /** Names of the rows that the function being read is given, and of all that it is given. */
  #rows: ReadonlySet<string> = new Set()
  #parameters: ReadonlySet<string> = new Set()
  #operators = 0
  #fromPatterns = 0

  constructor(known: ReadonlySet<string>) {
    this.#known = known
  }

  /** A value that has a name. */
  value(name: string, expression: Expression): Expression {
    if (expression.kind === 'literal' && expression.value.type === 'string')
      this.texts = new Map(this.texts).set(name, expression.value.value)
    return this.expression(expression)
  }

  /** Makes a name known. @returns what it stands for, where that is neither rows nor a function */
  define(name: string, value: Let['value']): Expression | undefined {
    if (value.kind === 'let-function') this.functions = new Map(this.functions).set(name, this.functionOf(value))
    else if (value.kind === 'pipeline') this.tables = new Map(this.tables).set(name, this.pipeline(value))
    else if (value.kind === 'name' && this.isTable(value.name))
      this.tables = new Map(this.tables).set(name, this.pipeline(tableOf(value)))
    else {
      const expression = this.value(name, value)
      if (expression.kind !== 'tabular') return expression
      this.tables = new Map(this.tables).set(name, expression.pipeline)
    }
    return undefined
  }

  isTable(name: string): boolean {
    return this.#known.has(name) || this.tables.has(name)
  }

  /** The function with everything in its body resolved but its parameters. It cannot call itself: it is not known yet. */
  functionOf(value: LetFunction): LetFunction {
    const { tables, functions, texts } = this
    const [rows, parameters] = [this.#rows, this.#parameters]
    this.#parameters = new Set([...parameters, ...value.parameters.map(({ name }) => name)])
    this.#rows = new Set([...rows, ...value.parameters.filter(({ type }) => type === '(*)').map(({ name }) => name)])
    const held = new Map<string, Expression>()
    for (const { name, value: inner, span } of value.lets) {
      const expression = this.define(name, inner)
      if (expression) held.set(name, substitute(expression, held, this.#budget, span) as Expression)
    }
    const body = value.body.kind === 'pipeline' ? this.pipeline(value.body) : this.#bodyOf(value.body)
    this.#rows = rows
    this.#parameters = parameters
    Object.assign(this, { tables, functions, texts })
    const whole = held.size === 0 ? body : (substitute(body, held, this.#budget, value.span) as LetFunction['body'])
    return { ...value, lets: [], body: whole }
  }

  /** `{ web }` is the dataset. */
  #bodyOf(body: Expression): Expression | Pipeline {
    const isRows = body.kind === 'name' && (this.isTable(body.name) || this.#rows.has(body.name))
    const found = isRows ? this.pipeline(tableOf(body)) : this.expression(body)
    return found.kind === 'tabular' ? found.pipeline : found
  }

  pipeline(pipeline: Pipeline): Pipeline {
    return {
      ...pipeline,
      source: this.#source(pipeline.source),
      operators: pipeline.operators.map((operator) => this.#operator(operator, pipeline)),
    }
  }

  expression(expression: Expression): Expression {
    return this.#node(expression) as Expression
  }

  #operator(operator: Operator, { source }: Pipeline): Operator {
    this.#count(operator.span)
    if (operator.kind !== 'union') return this.#node(operator) as Operator
    const members = this.#members(operator.members)
    const first = source.kind === 'dataset' ? this.nameOf(source) : 'union_arg0'
    return { ...operator, members: members.map((one) => this.pipeline(one)), sources: [first, ...this.#namesOf(members, 1)] }
  }

  /** Expressions may hold queries, and calls of the query's own functions; what holds neither stays as it is. */
  #node(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map((item) => this.#node(item))
    const { kind } = node as { kind?: string }
    if (kind === undefined || kind === 'literal') {
      if (kind === 'literal') return node
    } else if (kind === 'pipeline') return this.pipeline(node as Pipeline)
    else if (kind === 'in-list') {
      const inList = node as InList
      return { ...inList, value: this.#node(inList.value), list: inList.list.map((item) => this.#argument(item)) }
    } else if (kind === 'call') return this.#call(node as Call)
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, key === 'span' ? child : this.#node(child)]))
  }

  /** A name of a `let` of rows stands for them. */
  #argument(item: Expression, isTable = (name: string) => this.tables.has(name)): Expression {
    if (item.kind !== 'name' || !(isTable(item.name) || this.#rows.has(item.name))) return this.expression(item)
    return { kind: 'tabular', pipeline: this.pipeline(tableOf(item)), span: item.span }
  }

  #call(call: Call): Expression {
    const known = this.functions.get(call.name)
    if (!known) {
      const items = call.name === 'toscalar' ? call.arguments.map((item) => this.#argument(item)) : undefined
      return { ...call, arguments: items ?? call.arguments.map((item) => this.expression(item)) }
    }
    const expanded = this.#expand(call, known)
    return expanded.kind === 'pipeline' ? { kind: 'tabular', pipeline: expanded, span: call.span } : expanded
  }

  #expand(call: { name: string; arguments: readonly Expression[]; span: Span }, known: LetFunction): Expression | Pipeline {
    const given = call.arguments.map((item, at) =>
      this.#argument(item, known.parameters[at]?.type === '(*)' ? (name) => this.isTable(name) : () => false),
    )
    const expanded = expandCall({ ...call, arguments: given }, known, this.#budget)
    if (expanded.kind === 'pipeline') this.#countAll(expanded)
    return expanded
  }

  /** The branches of a union, a pattern as the datasets that it stands for. */
  #members(members: readonly Pipeline[]): Pipeline[] {
    return members.flatMap((member) => {
      const { source, span } = member
      if (source.kind !== 'dataset-pattern') return [member]
      const names = [...this.#known].filter((name) => standsFor(source.pattern, name)).sort()
      if (names.length === 0) throw new CompileError('unknown_name', `no dataset fits "${source.pattern}"`, span)
      this.#fromPatterns += names.length
      if (this.#fromPatterns > PATTERN_DATASETS_MAX)
        throw new CompileError(
          'limit',
          `"${source.pattern}" stands for ${names.length} datasets (limit ${PATTERN_DATASETS_MAX})`,
          span,
          'write a narrower pattern, or the names of the datasets',
        )
      return names.map((name) => tableOf({ name, span }))
    })
  }

  #source(source: Source): Source {
    this.#count(source.span)
    switch (source.kind) {
      case 'dataset':
        return this.#dataset(source)
      case 'union-of': {
        const members = this.#members(source.members)
        return { ...source, members: members.map((member) => this.pipeline(member)), sources: this.#namesOf(members, 0) }
      }
      case 'call-of': {
        const known = this.functions.get(source.name)
        assert(known, `the parser calls ${source.name}() only if it is a function of the query`)
        const expanded = this.#expand(source, known)
        if (expanded.kind === 'pipeline') return { kind: 'subquery', pipeline: expanded, span: source.span }
        throw mismatch(`${source.name}() is a value, and rows are needed here`, source.span)
      }
      case 'subquery':
        return { ...source, pipeline: this.pipeline(source.pipeline) }
      case 'print':
      case 'datatable':
      case 'dataset-pattern':
        return this.#node(source) as Source
      default:
        return source satisfies never
    }
  }

  /** The name of a dataset, also where a `let` or a parameter holds it. */
  nameOf({ name, held, span }: Extract<Source, { kind: 'dataset' }>): string {
    if (!held) return name
    const found = this.texts.get(name)
    if (found === undefined)
      throw mismatch(
        `table() takes the name of a dataset, and "${name}" holds none`,
        span,
        "write table('name'), or give the name with let or declare query_parameters",
      )
    return found
  }

  #dataset(source: Extract<Source, { kind: 'dataset' }>): Source {
    if (source.held && this.#parameters.has(source.name)) return source
    if (source.held) return this.#dataset({ kind: 'dataset', name: this.nameOf(source), span: source.span })
    if (this.#rows.has(source.name)) return source
    const { name, span } = source
    if (this.functions.get(name)?.parameters.length === 0) return this.#source({ kind: 'call-of', name, arguments: [], span })
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
        guessName(source.name, [...this.tables.keys(), ...this.#known]),
        source.name,
      )
    }
    this.read.add(source.name)
    return source
  }

  /** Tables used twice count twice: the limit is on what is compiled. */
  #countAll(table: Pipeline): void {
    this.#count(table.span, measure(table).operators)
  }

  #count(span: Span, operators = 1): void {
    this.#operators += operators
    if (this.#operators <= OPERATORS_COMPILED_MAX) return
    const message = `the query becomes more than ${OPERATORS_COMPILED_MAX} operators, where those of a table count wherever it is named`
    throw new CompileError('limit', message, span)
  }

  /** What the column that names a union's sources says of each branch. */
  #namesOf(members: readonly Pipeline[], from: number): string[] {
    return members.map(({ source, operators }, at) =>
      source.kind === 'dataset' && operators.length === 0 ? this.nameOf(source) : `union_arg${from + at}`,
    )
  }
}

/** As in a shell: what begins with `_` is no dataset, and only meant where the pattern begins so too. */
function standsFor(pattern: string, name: string): boolean {
  return matchesPattern(name, pattern) && name.startsWith('_') === pattern.startsWith('_')
}
