/**
 * Grouping: `summarize` and `distinct`.
 * Deliberately not here: single aggregations (`aggregations.ts`), and arrays of bins (`make-series`).
 */

import type { Aggregation } from '../sql/plan.ts'
import { Relation, settleOrder } from '../sql/relation.ts'
import type { Select } from '../sql/select.ts'
import { type Value, withName } from '../sql/value.ts'
import { spelledLike } from '../text/names-matching.ts'
import type { Expression, Summarize } from '../tree/ast.ts'
import type { Context, Scope } from '../values/context.ts'
import { aggregateName, aggregating, aggregationOf, type Groups, isOrdered, spread } from './aggregations.ts'
import { freshName } from './columns.ts'
import type { OperatorDefinition } from './definition.ts'
import { compileKeys, groupedBy, keyOf, withHistograms } from './group-keys.ts'

/** Groups by the keys. Without any there is one group of everything, even of nothing. */
function groupBy(keys: ReadonlyMap<string, Value>, select: Select): void {
  select.groupBy = groupedBy(keys)
  // Of no rows a constant makes no group.
  if (keys.size > 0 && select.groupBy.length === 0) select.having.push('count() > 0')
}

function compile(operator: Summarize, before: Relation, context: Context): Relation {
  const { relation: source, aggregates, by } = withHistograms(operator, before.ungrouped(), context)
  const { relation: input, place } = inOrder(aggregates, source)
  const { keys, buckets } = compileKeys(by, input, context)
  const { range } = context
  const seconds = Number(buckets ? buckets.sizeNs : range.endNs - range.startNs) / 1e9
  const columns = new Map(keys)
  const aggregations = new Map<string, Aggregation>()
  for (const column of aggregates.flatMap((one) => spread(one, input, keys))) {
    const used = new Map<Expression, Aggregation>()
    const name = freshName(aggregateName(column), columns)
    const value = context.expression(column.expression, groupScope(keys, { input, context, seconds, place, used }))
    columns.set(name, withName(column.name, value))
    const aggregation = aggregationOf(column.expression, used)
    if (aggregation) aggregations.set(name, aggregation)
  }
  const { select } = input
  select.order = []
  groupBy(keys, select)
  const grouped = new Relation({ select, columns, aggregations, groups: [...keys.keys()], ...(buckets && { buckets }) })
  return grouped.extended(new Map())
}

/** After a sort the rows have places, where an aggregation keeps their order: grouping itself has none. */
function inOrder(aggregates: Summarize['aggregates'], relation: Relation): { relation: Relation; place?: string } {
  if (relation.select.order.length === 0 || !aggregates.some(({ expression }) => isOrdered(expression))) return { relation }
  settleOrder(relation)
  const { select } = relation
  const order = select.orderSql()
  if (order === '') return { relation }
  const outside = relation.nested()
  select.order = []
  return { relation: outside, place: select.export(`row_number() OVER (ORDER BY ${order})`) }
}

/** Aggregations, and the group keys under their names. */
function groupScope(keys: ReadonlyMap<string, Value>, groups: Groups): Scope {
  const { input } = groups
  return {
    ...aggregating(groups),
    find: (name) => keys.get(name),
    spelled: (name) => spelledLike(name, [...keys.keys()]),
    names: () => [...keys.keys(), ...input.names()],
    refusal: (name) => (input.find(name) ? `"${name}" is a value of single rows here: aggregate it, or group by it` : undefined),
  }
}

export const summarize: OperatorDefinition<'summarize'> = {
  keywords: ['summarize'],
  syntax: '[name =] aggregation, … [by [name =] expression, …]',
  parse: (parser) => {
    const aggregates = parser.isWord('by') ? [] : parser.list(() => parser.named())
    return { aggregates, by: parser.acceptWord('by') ? parser.list(() => parser.named()) : [] }
  },
  compile,
}

export const distinct: OperatorDefinition<'distinct'> = {
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
