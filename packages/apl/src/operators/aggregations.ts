/**
 * Calls of aggregations over groups, and the columns that they make.
 * Deliberately not here: grouping (`summarize.ts`), and the aggregations (`functions/aggregates.ts`).
 */
import { keepsUnit } from '@deployment-annotations/contract/unit'
import { type CompileError, mismatch } from '../error.ts'
import { COMPUTED, findAggregate, wireName } from '../functions/aggregates.ts'
import { checkNumbers } from '../functions/aggregation.ts'
import type { Aggregation } from '../sql/plan.ts'
import type { Relation } from '../sql/relation.ts'
import { commonQuantity, type Value } from '../sql/value.ts'
import type { Call, Expression, Named } from '../tree/ast.ts'
import { dottedName, impliedName } from '../tree/expression-name.ts'
import { checkArity } from '../tree/signature.ts'
import type { Context, Scope } from '../values/context.ts'

/** What aggregations are taken of. */
export interface Groups {
  readonly input: Relation
  readonly context: Context
  /** Seconds that one group spans. */
  readonly seconds: number
  /** The place of a row among all, where the query has given them an order. */
  readonly place?: string | undefined
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

function compileAggregate(call: Call, { input, context, seconds, place, used }: Groups): Value | undefined {
  const found = findAggregate(call.name)
  if (!found) return undefined
  const { definition, conditional } = found
  const nodes = conditional ? call.arguments.slice(0, -1) : call.arguments
  const last = call.arguments.at(-1)
  const stars = nodes.filter(({ kind }) => kind === 'star')
  const aggregation = {
    name: wireName(found),
    fields: nodes.map((node) => dottedName(node)).filter((name) => name !== undefined),
  }
  used.set(call, aggregation)
  if (call.name === 'count' && stars.length === nodes.length)
    return definition.compile({ name: 'count', arguments: [], nodes: [], context, condition: undefined, seconds })
  if (call.name === 'count' && nodes.length > 0) throw countOf(call)
  checkArity(call, found)
  const values = nodes.map((node) => context.expression(node, input))
  values.forEach((value, at) => {
    checkNumbers(call, at, found.parameters, value)
  })
  const args = values.flatMap(constantsOf)
  if (args.length > 0) used.set(call, { ...aggregation, args })
  const value = definition.compile({
    name: call.name,
    arguments: values,
    nodes,
    context,
    condition: conditional && last ? context.expression(last, input).as('truth') : undefined,
    seconds,
    place,
  })
  const [first, second] = values
  const counting =
    keepsUnit(call.name) || /^(?:take_)?any(?:if)?$/.test(call.name) ? first : GIVES_SECOND.test(call.name) ? second : undefined
  return { ...value, ...(counting && commonQuantity([counting])) }
}

/** Aggregations that give a value of their second argument. */
const GIVES_SECOND = /^arg_m(?:in|ax)(?:if)?$/

/** @returns how a column was aggregated: by one call, or computed of several; `undefined` where nothing was */
export function aggregationOf(expression: Expression, used: Groups['used']): Aggregation | undefined {
  if (used.size === 0 || used.has(expression)) return used.get(expression)
  return { name: COMPUTED, fields: [...new Set([...used.values()].flatMap(({ fields }) => fields))] }
}

/** What a constant argument says, as JSON; a list of percentiles says several things. */
function constantsOf({ literal }: Value): (string | number | boolean)[] {
  switch (literal?.type) {
    case 'integer':
      return [Number(literal.value)]
    case 'string':
    case 'real':
    case 'boolean':
      return [literal.value]
    case 'dynamic':
      return [JSON.parse(literal.json) as unknown].flat().filter((item) => typeof item === 'number' || typeof item === 'string')
    default:
      return []
  }
}

/** `count(x)`: all rows are counted by `count()`, and some by what says which. */
function countOf(call: Call): CompileError {
  const [of] = call.arguments as [Expression]
  const span = { start: call.span.start, end: call.span.start + call.name.length }
  const isCondition = ['binary', 'logical', 'in-list', 'between'].includes(of.kind)
  const name = dottedName(of) ?? 'field'
  return mismatch(
    'count() counts rows, and takes no arguments',
    isCondition ? span : of.span,
    isCondition
      ? { hint: 'write countif(condition)', written: 'countif' }
      : `write countif(isnotnull(${name})) for those that have it, or dcount(${name}) for different values`,
  )
}

/** Whether an aggregation keeps the order of rows. */
export function isOrdered(node: Expression): boolean {
  if (node.kind === 'call' && /^make_list(?:_?if)?$/.test(node.name)) return true
  return node.kind === 'call'
    ? node.arguments.some(isOrdered)
    : node.kind === 'binary' && (isOrdered(node.left) || isOrdered(node.right))
}

/** `count_`, `avg_duration`, `percentile_duration` … */
export function aggregateName({ name, expression }: Named): string | undefined {
  if (name !== undefined) return name
  if (expression.kind !== 'call') return impliedName(expression)
  if (!findAggregate(expression.name)) return undefined
  const [first] = expression.arguments
  return `${expression.name}_${(first && dottedName(first)) ?? ''}`
}

/**
 * `arg_max(x, a, b)` is the largest x and, of its row, a and b: columns of their own.
 * @param keys names that rows are grouped by, which `*` need not repeat
 */
export function spread(column: Named, input: Relation, keys: ReadonlyMap<string, unknown>): Named[] {
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
          .filter((name) => name !== impliedName(by) && !keys.has(name))
          .map((name) => ({ name, expression: { kind: 'name', name, span: value.span }, span: value.span }))
      : [{ name: names[at + 1] ?? impliedName(value) ?? 'Column1', expression: value, span: value.span }],
  )
  if (values.length === 1 && column.name !== undefined && names.length === 0 && given[0]?.kind !== 'star') return [column]
  const extreme: Call = { ...unnamed, name: expression.name === 'arg_max' ? 'max' : 'min', arguments: [by] }
  return [
    { name: names[0] ?? column.name ?? impliedName(by) ?? `${extreme.name}_`, expression: extreme, span: column.span },
    ...values.map(
      ({ name, expression: value }): Named => ({
        ...(name !== undefined && { name }),
        expression: { ...unnamed, arguments: [by, value] },
        span: column.span,
      }),
    ),
  ]
}
