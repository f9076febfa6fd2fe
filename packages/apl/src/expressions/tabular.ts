/**
 * Queries inside expressions: `x in (dataset | …)` and `toscalar(dataset | …)`. Of several columns the first counts.
 * Deliberately not here: rows beside rows; see `operators/join.ts`.
 */

import { mismatch, type Span } from '../error.ts'
import { readParameters, type Signed } from '../functions/definition.ts'
import { arrayOf } from '../functions/json.ts'
import { carried } from '../sql/mixed.ts'
import { type Relation, settleOrder } from '../sql/relation.ts'
import { boolean, folded, json, type Value } from '../sql/value.ts'
import { type ListOperator, withoutNegation } from '../text/infix.ts'
import type { Tabular } from '../tree/ast.ts'
import { keyView } from '../values/comparison.ts'
import type { Context } from '../values/context.ts'
import { membership } from '../values/membership.ts'

/** How `toscalar()` is called. */
export const TO_SCALAR: Signed = {
  parameters: readParameters('query:any'),
  example: { call: 'toscalar(print x = 7 | project x)', gives: 7 },
}

interface InQuery {
  readonly operator: ListOperator
  readonly value: Value
  readonly query: Tabular
  readonly context: Context
  readonly span: Span
}

/** Whether a value is one of those in the first column. What is missing is in no list. */
export function inQuery({ operator, value, query, context, span }: InQuery): Value {
  const base = withoutNegation(operator)
  const relation = context.tabular(query.pipeline, query.span)
  const item = firstColumn(relation, query.span)
  if ((base !== 'in' && base !== 'in~') || item.type === 'array') {
    const column = relation.select.export(item.as('json'))
    // Arrays, such as those of make_list, stand for their items.
    const texts = `groupArray(nullIf(replaceRegexpOne(ifNull(${column}, ''), '^\\\\[(.*)\\\\]$', '\\\\1'), ''))`
    const list = json(`(\nSELECT ${arrayOf(texts)} FROM (\n${relation.select.render()}\n)\n)`, 'array')
    return membership({ operator, value, list: [list], context, span })
  }
  const both = base === 'in~' ? 'text' : keyView(value, item)
  const sqlOf = (one: Value) => (base === 'in~' ? folded(one.as(both)) : one.as(both))
  relation.select.export(sqlOf(item))
  if (relation.select.limit === undefined) relation.select.order = []
  const test = `${sqlOf(value)} IN (\n${relation.select.render()}\n)`
  const found = boolean(`ifNull(${test}, false)`, `ifNull(${test}, false)`)
  return base !== operator ? boolean(`(NOT ${found.as('truth')})`) : found
}

/** The first cell of the first row; missing where there is none. */
export function toScalar(query: Tabular, context: Context): Value {
  const relation = context.tabular(query.pipeline, query.span).unlimited()
  const { select } = relation
  const value = firstColumn(relation, query.span)
  if (value.literal) return value
  settleOrder(relation)
  select.limit = { count: 1, bound: context.binder.count(1) }
  return carried(value, (sql) => {
    select.export(sql)
    return `(\n${select.render()}\n)`
  })
}

function firstColumn(relation: Relation, span: Span): Value {
  const [name] = relation.names()
  if (name === undefined) throw mismatch('the query has no column', span)
  return relation.find(name) as Value
}
