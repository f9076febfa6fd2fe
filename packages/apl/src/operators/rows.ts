/**
 * Operators that order, cut, count or sample rows: `sort`, `limit`, `top`, `count`, `sample`.
 * Deliberately not here: conditions.
 */

import { behind, mismatch } from '../error.ts'
import { bareKeysAt, commonestAt, signedKeysAt } from '../mistakes/operands.ts'
import { Relation, settleOrder } from '../sql/relation.ts'
import { type OrderKey, Select } from '../sql/select.ts'
import { literalValue, typed, type Value } from '../sql/value.ts'
import { writeName } from '../text/nearest.ts'
import type { SortKey } from '../tree/ast.ts'
import { dottedName, impliedName } from '../tree/expression-name.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import type { Context } from '../values/context.ts'
import type { OperatorDefinition } from './definition.ts'

function sortKeys(parser: ExpressionParser): SortKey[] {
  return parser.list(() => parser.sortKey())
}

/** Sets the order. A SELECT's own limit is applied first. */
function ordered(keys: readonly SortKey[], input: Relation, context: Context): Relation {
  const relation = input.unlimited()
  for (const key of keys) warnOfSign(key, context)
  relation.select.order = keys.map(({ expression, descending, nulls }) => ({
    name: impliedName(expression) ?? '',
    value: context.expression(expression, relation),
    descending,
    ...(nulls && { nulls }),
  }))
  return relation
}

/** `sort by -duration`, which would be the opposite of what it is where sorting is ascending. */
function warnOfSign({ expression, span }: SortKey, context: Context): void {
  if (expression.kind !== 'negation' || span.end !== expression.span.end) return
  const name = dottedName(expression.operand)
  const field = name === undefined ? 'field' : writeName(name)
  const text = `sort begins with the largest, so "-" begins with the smallest ${name === undefined ? 'value' : `"${name}"`}`
  const fix = [{ span: { start: span.start, end: expression.operand.span.start }, text: '' }, behind(span, ' desc')]
  context.warn('likely_mistake', `${text}: write ${field} desc, or ${field} asc`, fix)
}

/** Keeps the first rows. */
function limited(count: number, input: Relation, context: Context): Relation {
  const relation = input.unlimited()
  const { select } = relation
  if (context.ranksGroups && select.groupBy && select.order.length === 0) select.order = bySize(relation)
  settleOrder(relation)
  select.limit = { count, bound: context.binder.count(count) }
  return relation
}

/** Whether a limit is on groups: bins of time are there, and the order, if any, is not one of bins. */
function limitsGroups({ select, buckets, columns }: Relation): boolean {
  const bins = buckets && columns.get(buckets.column)?.as('plain')
  if (bins === undefined || select.groupBy === undefined || select.limit) return false
  return select.order.every(({ value }) => !value.as('plain').includes(bins))
}

/** The keys of a grouping without the bins of time. */
function groupKeys({ groups, columns, buckets }: Relation): { name: string; value: Value }[] {
  return groups
    .filter((name) => name !== buckets?.column && columns.has(name))
    .map((name) => ({ name, value: columns.get(name) as Value }))
}

/** Groups by their first aggregation, the largest first. */
function bySize(grouped: Relation): OrderKey[] {
  const measure = [...grouped.columns].find(([name]) => grouped.aggregations.has(name))
  if (!measure) return []
  return [
    { name: measure[0], value: measure[1], descending: true },
    ...groupKeys(grouped).map((key) => ({ ...key, descending: false })),
  ]
}

/** After a time-binned summarize a limit keeps the largest (or first) groups, each with all of its bins. */
function largestGroups(count: number, input: Relation, context: Context): Relation {
  const { select } = input
  const keys = groupKeys(input).map(({ value }) => value)
  const order = select.order.length > 0 ? select.order : bySize(input)
  if (keys.length === 0 || order.length === 0) return input
  const ranking = new Select(select.from, select.aliases)
  ranking.conditions.push(...select.conditions)
  ranking.arrayJoins.push(...select.arrayJoins)
  ranking.groupBy = keys.filter(({ literal }) => !literal).map((key) => key.as('plain'))
  ranking.order = order
  ranking.limit = { count, bound: context.binder.count(count) }
  const key = `concat(${["''", ...keys.map((value) => `ifNull(${value.as('json')}, 'null')`)].join(', ')})`
  ranking.export(key)
  select.having.push(`${key} IN (\n${ranking.render()}\n)`)
  return input
}

export const sort: OperatorDefinition<'sort'> = {
  keywords: ['sort', 'order'],
  syntax: 'by expression [asc | desc] [nulls first | last], …',
  parse: (parser, _span, spelling) => {
    const look = (ahead: number) => parser.peek(ahead)
    const mistake = signedKeysAt(look, spelling) ?? bareKeysAt(look, spelling)
    if (mistake) throw mistake
    parser.expectWord('by', `after ${spelling}`)
    return { keys: sortKeys(parser) }
  },
  compile: ({ keys }, input, context) => ordered(keys, input, context),
}

export const limit: OperatorDefinition<'limit'> = {
  keywords: ['limit', 'take'],
  syntax: 'count',
  parse: (parser) => ({ count: parser.expression() }),
  compile: ({ count }, input, context) => {
    const most = context.count(count, 'the limit')
    return limitsGroups(input) ? largestGroups(most, input, context) : limited(most, input, context)
  },
}

export const top: OperatorDefinition<'top'> = {
  keywords: ['top'],
  syntax: 'count by expression [asc | desc], …',
  parse: (parser) => {
    const commonest = commonestAt((ahead) => parser.peek(ahead))
    if (commonest) throw commonest
    const count = parser.expression()
    parser.expectWord('by', 'after the count of top')
    return { count, keys: sortKeys(parser) }
  },
  compile: ({ count, keys }, input, context) =>
    limited(context.count(count, 'the count of top'), ordered(keys, input, context), context),
}

export const count: OperatorDefinition<'count'> = {
  keywords: ['count'],
  syntax: '',
  parse: () => ({}),
  compile: (_operator, input) => {
    const { select } = input.ungrouped()
    select.groupBy = []
    select.order = []
    return new Relation({
      select,
      columns: new Map([['count', typed('integer', 'toInt64(count())', { nullable: false })]]),
      aggregations: new Map([['count', { name: 'count', fields: [] }]]),
    })
  },
}

export const sample: OperatorDefinition<'sample'> = {
  keywords: ['sample'],
  syntax: 'share of the rows, above 0 and at most 1',
  parse: (parser) => ({ share: parser.expression() }),
  compile: ({ share }, input, context) => {
    const part = context.number(share, 'the share of sample')
    if (!(part > 0 && part <= 1))
      throw mismatch(
        'sample takes a share above 0 and at most 1',
        share.span,
        part > 1
          ? `write limit ${part} for so many rows, or sample 0.1 for a tenth of them`
          : 'write sample 0.1 for a tenth of the rows',
      )
    // By the row's own number where it has one, so that every page and every run sees the same sample.
    const chance = (relation: Relation) =>
      relation.identity
        ? `(intHash64(${relation.identity.row.as('plain')}) % 1000000 < ${literalValue({ type: 'integer', value: BigInt(Math.round(part * 1e6)) }, context.binder).as('plain')})`
        : `(randCanonical() < ${context.binder.real(part)})`
    return input.ungrouped().filtered(chance)
  },
}
