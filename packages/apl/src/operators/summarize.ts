/**
 * Grouping: `summarize` and `distinct`.
 * Deliberately not here: single aggregations (`functions/aggregates.ts`), and arrays of bins (`make-series`).
 */
import type { Call, Distinct, Expression, Named, Summarize } from '../ast.ts'
import { autoBinNs } from '../bin.ts'
import type { Context, Scope } from '../context.ts'
import { CompileError } from '../error.ts'
import { dottedName, impliedName } from '../expression-name.ts'
import { type FoundAggregate, findAggregate } from '../functions/aggregates.ts'
import { nameArgument, type Parameter } from '../functions/definition.ts'
import { type Aggregation, type Buckets, Relation } from '../relation.ts'
import type { Select } from '../select.ts'
import { checkArity } from '../signature.ts'
import type { Span } from '../source.ts'
import { json, ofReal, realOf, typed, type Value } from '../value.ts'
import { freshName } from './columns.ts'
import type { OperatorDefinition } from './definition.ts'

/** A group key in the form that is grouped by. What has no type is grouped by its JSON text, which keeps 500 and "500" apart. */
export function keyOf(value: Value): Value {
  if (value.literal) return value.kind === 'null' ? json("CAST(NULL, 'Nullable(String)')") : value
  if (value.kind === 'dynamic') return typed('dynamic', value.as('json'), { type: value.type })
  return typed(value.kind, value.as('plain'), { type: value.type, nullable: value.nullable })
}

/** What aggregations are taken of. */
interface Groups {
  readonly input: Relation
  readonly context: Context
  /** Seconds that one group spans. */
  readonly seconds: number
  /** Filled with the aggregations that were compiled. */
  readonly used: Map<Expression, Aggregation>
}

/** The scope of expressions over groups: aggregations, and nothing of single rows. */
export function aggregating(groups: Groups): Scope {
  return {
    find: () => undefined,
    names: () => [],
    aggregate: (call) => compileAggregate(call, groups),
  }
}

function compileAggregate(call: Call, { input, context, seconds, used }: Groups): Value | undefined {
  const found = findAggregate(call.name)
  if (!found) return undefined
  const { definition, conditional } = found
  const nodes = everyField(conditional ? call.arguments.slice(0, -1) : call.arguments, call, input)
  const last = call.arguments.at(-1)
  const stars = nodes.filter(({ kind }) => kind === 'star')
  used.set(call, { name: call.name, fields: nodes.map((node) => dottedName(node)).filter((name) => name !== undefined) })
  if (call.name === 'count' && stars.length === nodes.length)
    return definition.compile({ name: 'count', arguments: [], nodes: [], context, condition: undefined, seconds })
  if (call.name === 'count' && nodes.length > 0) throw countOf(call)
  checkArity(call, found)
  const values = nodes.map((node) => context.expression(node, input))
  values.forEach((value, at) => {
    checkNumbers(call, at, found.parameters, value)
  })
  return definition.compile({
    name: call.name,
    arguments: values,
    nodes,
    context,
    condition: conditional && last ? context.expression(last, input).as('truth') : undefined,
    seconds,
  })
}

/** `count(x)`: all rows are counted by `count()`, and some by what says which. */
function countOf(call: Call): CompileError {
  const [of] = call.arguments as [Expression]
  const span = { start: call.span.start, end: call.span.start + call.name.length }
  const isCondition = ['binary', 'logical', 'in-list', 'between'].includes(of.kind)
  const name = dottedName(of) ?? 'field'
  return new CompileError(
    'type_mismatch',
    'count() counts rows, and takes no arguments',
    isCondition ? span : of.span,
    isCondition
      ? { hint: 'write countif(condition)', mend: [{ span, text: 'countif' }] }
      : `write countif(isnotnull(${name})) for those that have it, or dcount(${name}) for different values`,
  )
}

/** `spotlight(…, *)`: every field but the times, which differ in each event. */
function everyField(nodes: readonly Expression[], { name }: Call, input: Relation): readonly Expression[] {
  if (!name.startsWith('spotlight')) return nodes
  return nodes.flatMap((node): Expression[] =>
    node.kind === 'star'
      ? input
          .names()
          .filter((field) => input.find(field)?.kind !== 'datetime')
          .map((field) => ({ kind: 'name', name: field, span: node.span }))
      : [node],
  )
}

/** Of a field that only holds texts there is no average: the answer would be missing, and look like no data. */
function checkNumbers(call: Call, at: number, parameters: readonly Parameter[], { kind }: Value): void {
  const node = call.arguments[at] as Expression
  if (kind !== 'string' || parameters[at]?.reads !== 'number') return
  const name = dottedName(node)
  throw new CompileError(
    'type_mismatch',
    `${nameArgument({ call, parameters }, at)} must be a number, and ${name === undefined ? 'this' : `"${name}"`} is text`,
    node.span,
    `where the texts are digits, write ${call.name}(toreal(${name ?? '…'}))`,
  )
}

/** `count_`, `avg_duration`, `percentile_duration` … */
export function aggregateName({ name, expression }: Named): string | undefined {
  if (name !== undefined) return name
  if (expression.kind !== 'call') return impliedName(expression)
  if (!findAggregate(expression.name)) return undefined
  const [first] = expression.arguments
  return `${expression.name}_${(first && dottedName(first)) ?? ''}`
}

/** `arg_max(x, a, b)` is the largest x and, of its row, a and b: columns of their own. */
function spread(column: Named, input: Relation): Named[] {
  const { expression } = column
  if (
    expression.kind !== 'call' ||
    !/^arg_m(?:in|ax)$/.test(expression.name) ||
    (expression.arguments.length < 2 && !expression.names)
  )
    return [column]
  const { names = [], ...unnamed } = expression
  const [by, ...given] = expression.arguments as [Expression, ...Expression[]]
  const values = given.flatMap((value, at): Named[] =>
    value.kind === 'star'
      ? input
          .names()
          .filter((name) => name !== impliedName(by))
          .map((name) => ({ name, expression: { kind: 'name', name, span: value.span }, span: value.span }))
      : [{ name: names[at + 1] ?? impliedName(value) ?? 'Column1', expression: value, span: value.span }],
  )
  if (values.length === 1 && column.name !== undefined && names.length === 0 && given[0]?.kind !== 'star') return [column]
  const extreme: Call = { ...unnamed, name: expression.name === 'arg_max' ? 'max' : 'min', arguments: [by] }
  return [
    { name: names[0] ?? impliedName(by) ?? `${extreme.name}_`, expression: extreme, span: column.span },
    ...values.map(
      ({ name, expression: value }): Named => ({
        ...(name !== undefined && { name }),
        expression: { ...unnamed, arguments: [by, value] },
        span: column.span,
      }),
    ),
  ]
}

interface Grouping {
  readonly keys: Map<string, Value>
  readonly buckets: Buckets | undefined
}

/** The columns grouped by, and which of them is bins of time. */
export function compileKeys(by: readonly Named[], input: Relation, context: Context): Grouping {
  const keys = new Map<string, Value>()
  let buckets: Buckets | undefined
  for (const { name, expression } of by) {
    const column = freshName(name ?? impliedName(expression), keys)
    const value = context.expression(expression, input)
    if (value.literal?.type === 'timespan') throw binless(expression.span)
    keys.set(column, keyOf(value))
    const sizeNs = timeBinNs(expression, input, context)
    if (sizeNs !== undefined) buckets ??= { column, sizeNs }
  }
  return { keys, buckets }
}

/** `by 1h`. */
function binless({ start, end }: Span): CompileError {
  return new CompileError(
    'type_mismatch',
    'a timespan alone makes no groups',
    { start, end },
    {
      hint: 'write bin(_time, 1h)',
      mend: [
        { span: { start, end: start }, text: 'bin(_time, ' },
        { span: { start: end, end }, text: ')' },
      ],
    },
  )
}

/**
 * `by histogram(duration, 20)`: rows grouped by bins of equal width, from the smallest value to the largest. All rows are looked at
 * for that before they are grouped, so the bins become a column of their own first.
 */
function withHistograms({ aggregates, by }: Pick<Summarize, 'aggregates' | 'by'>, input: Relation, context: Context) {
  const columns = new Map<string, Value>()
  const keys = by.map((key): Named => {
    const { expression, span } = key
    if (expression.kind !== 'call' || expression.name !== 'histogram') return key
    const name = key.name ?? (aggregateName(key) as string)
    columns.set(name, binsOf(expression, input, context))
    return { name, expression: { kind: 'name', name, span }, span }
  })
  const relation = columns.size === 0 ? input : input.extended(columns).nested()
  return { relation, aggregates, by: keys }
}

const BINS_MAX = 1_000

/** The lower end of each value's bin. */
function binsOf(call: Call, input: Relation, context: Context): Value {
  const found = findAggregate(call.name) as FoundAggregate
  checkArity(call, found)
  const [field, size] = call.arguments as [Expression, Expression]
  const value = context.expression(field, input)
  checkNumbers(call, 0, found.parameters, value)
  const bins = context.count(size, 'the number of bins')
  if (bins < 1 || bins > BINS_MAX)
    throw new CompileError('limit', `the number of bins must be between 1 and ${BINS_MAX}`, size.span)
  const x = realOf(value)
  const [least, most] = [`min(${x}) OVER ()`, `max(${x}) OVER ()`]
  const width = `((${most} - ${least}) / ${bins})`
  const edge = `(${least} + if(${width} = 0, 0, least(floor((${x} - ${least}) / ${width}), ${bins - 1}) * ${width}))`
  return ofReal(value, edge)
}

/** The size of `bin(_time, size)` or `bin_auto(_time)`. */
function timeBinNs(node: Expression, input: Relation, context: Context): bigint | undefined {
  const [value, size] = node.kind === 'call' ? node.arguments : []
  if (node.kind !== 'call' || !value || dottedName(value) !== '_time' || input.find('_time')?.kind !== 'datetime')
    return undefined
  if (node.name === 'bin_auto') return autoBinNs(context)
  if ((node.name !== 'bin' && node.name !== 'floor') || !size) return undefined
  const literal = context.constant(size, 'the size of bin()')
  return literal.type === 'timespan' ? literal.ns : undefined
}

/** Groups by the keys. Without any there is one group of everything, even of nothing. */
function groupBy(keys: ReadonlyMap<string, Value>, select: Select): void {
  select.groupBy = [...new Set([...keys.values()].filter((key) => !key.literal).map((key) => key.as('plain')))]
  // The engine does not take a constant as a key; of no rows it makes no group all the same.
  if (keys.size > 0 && select.groupBy.length === 0) select.having.push('count() > 0')
}

function compile(operator: Summarize, before: Relation, context: Context): Relation {
  const { relation: input, aggregates, by } = withHistograms(operator, before.ungrouped(), context)
  const { keys, buckets } = compileKeys(by, input, context)
  const { range } = context
  const seconds = Number(buckets ? buckets.sizeNs : range.endNs - range.startNs) / 1e9
  const columns = new Map(keys)
  const aggregations = new Map<string, Aggregation>()
  for (const column of aggregates.flatMap((one) => spread(one, input))) {
    const used = new Map<Expression, Aggregation>()
    const name = freshName(aggregateName(column), columns)
    columns.set(name, context.expression(column.expression, groupScope(keys, { input, context, seconds, used })))
    aggregations.set(name, used.get(column.expression) ?? [...used.values()][0] ?? { name: '', fields: [] })
  }
  const { select } = input
  select.order = []
  groupBy(keys, select)
  const grouped = new Relation({ select, columns, aggregations, groups: [...keys.keys()], ...(buckets && { buckets }) })
  return grouped.extended(new Map())
}

/** Aggregations, and the group keys under their names. */
function groupScope(keys: ReadonlyMap<string, Value>, groups: Groups): Scope {
  const { input } = groups
  return {
    ...aggregating(groups),
    find: (name) => keys.get(name),
    names: () => [...keys.keys(), ...input.names()],
    refusal: (name) => (input.find(name) ? `"${name}" is a value of single rows here: aggregate it, or group by it` : undefined),
  }
}

export const summarize: OperatorDefinition<Summarize> = {
  keywords: ['summarize'],
  syntax: '[name =] aggregation, … [by [name =] expression, …]',
  parse: (parser) => {
    const aggregates = parser.isWord('by') ? [] : parser.list(() => parser.named())
    return { aggregates, by: parser.acceptWord('by') ? parser.list(() => parser.named()) : [] }
  },
  compile,
}

export const distinct: OperatorDefinition<Distinct> = {
  keywords: ['distinct'],
  syntax: 'expression, …',
  parse: (parser) => ({ columns: parser.list(() => parser.named()) }),
  compile: ({ columns }, before, context) => {
    const input = before.ungrouped()
    const all = columns.some(({ expression }) => expression.kind === 'star')
    const keys = all
      ? new Map(input.names().map((name) => [name, keyOf(input.find(name) as Value)]))
      : compileKeys(columns, input, context).keys
    const { select } = input
    select.order = []
    groupBy(keys, select)
    return new Relation({ select, columns: keys, groups: [...keys.keys()] })
  },
}
