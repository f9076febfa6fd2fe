/**
 * `spotlight`: in which fields the selected rows differ from the rest. Each field is an object in the answer, the one that differs
 * most first. A difference is between 0 (alike) and 1 (nothing in common): of categories the share of the selected rows that would
 * have to change, of numbers the widest gap between the two distributions.
 * Deliberately not here: charts of it, and words about it.
 */

import { CompileError, mismatch } from '../error.ts'
import { json, ofReal, realOf, type Value } from '../sql/value.ts'
import type { Expression } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import { type AggregateInvocation, aggregate } from './aggregation.ts'
import { arrayOf } from './json.ts'
import { naming } from './series.ts'

/** The most fields in one comparison: each is several aggregations. */
const FIELDS_MAX = 64
/** If a field has more values than this, the most frequent are compared. */
const CATEGORIES_KEPT = 256
/** The categories that are shown: those whose shares differ most. */
const CATEGORIES_SHOWN = 10
/** Numbers with no more values than this, such as status codes, are categories. */
const FEW = 20
/** The distributions are compared at every 40th part. */
const LEVELS = Array.from({ length: 41 }, (_, at) => at / 40)

/** The rows of each side, as conditions. */
interface Sides {
  readonly selected: string
  readonly rest: string
}

const each = (sides: Sides, sqlOf: (condition: string) => string) => [sqlOf(sides.selected), sqlOf(sides.rest)] as const

/** `tuple(difference, JSON)` of one field. Both shares are of all rows of their side; a missing value is a category too. */
function categories(name: string, value: Value, sides: Sides): { sql: string; few: string } {
  const item = `ifNull(${value.as('json')}, 'null')`
  const [s, r] = each(sides, (condition) => `topKIf(${CATEGORIES_KEPT}, 4, 'counts')(${item}, ${condition})`)
  const [n, m] = each(sides, (condition) => `toFloat64(countIf(${condition}))`)
  const keys = 'arrayDistinct(arrayConcat(arrayMap(t -> t.1, s), arrayMap(t -> t.1, r)))'
  // Of the count what is certain: of more values than are kept it is an estimate, with what it may be too large by.
  const shareOf = (side: string, total: string) =>
    `arrayMap(t -> toFloat64(t.2 - t.3) / ${total}, [arrayFirst(t -> t.1 = k, ${side})])[1]`
  const shares = `arrayMap(k -> tuple(k, ${shareOf('s', 'n')}, ${shareOf('r', 'm')}), ${keys})`
  const shown = `arraySlice(arraySort(t -> tuple(-abs(t.2 - t.3), t.1), shares), 1, ${CATEGORIES_SHOWN})`
  const values = `arrayMap(t -> concat('{"value":', t.1, ',"selected":', toString(round(t.2, 6)), ',"baseline":', toString(round(t.3, 6)), '}'), ${shown})`
  const compared = `arrayMap(shares -> arrayMap(d -> tuple(d, concat('{"field":', ${name}, ',"difference":', toString(round(d, 6)), ',"values":', ${arrayOf(values)}, '}')), [least(arraySum(arrayMap(t -> abs(t.2 - t.3), shares)) / 2, 1)])[1], [${shares}])[1]`
  return { sql: naming({ s, r, n, m }, compared), few: `length(${naming({ s, r }, keys)}) <= ${FEW}` }
}

/** The same of numbers: where each distribution begins, has its quarters, and ends. */
function numbers(name: string, value: Value, sides: Sides): string {
  const x = realOf(value)
  const [s, r] = each(
    sides,
    (condition) =>
      `arrayMap(q -> toFloat64(q), quantilesIf(${LEVELS.join(', ')})(ifNull(${x}, 0), ${condition} AND ${x} IS NOT NULL))`,
  )
  const [p, q] = each(
    sides,
    (condition) => `countIf(${condition} AND ${x} IS NOT NULL) / greatest(toFloat64(countIf(${condition})), 1)`,
  )
  const gap = `arrayMax(arrayMap(v -> abs(toFloat64(arrayCount(u -> u <= v, s)) - arrayCount(u -> u <= v, r)) / ${LEVELS.length}, arrayConcat(s, r)))`
  // Of nothing the engine has no quantiles, only NaN.
  const difference = `greatest(abs(p - q), if(p = 0 OR q = 0, 0, ${gap}))`
  const at = (side: string, level: number) =>
    `ifNull(${ofReal(value, `${side}[${Math.round(level * 40) + 1}]`).as('json')}, 'null')`
  const box = (side: string, present: string) =>
    `concat('{"present":', toString(round(${present}, 6)), if(${present} = 0, '', concat(',"min":', ${at(side, 0)}, ',"p25":', ${at(side, 0.25)}, ',"p50":', ${at(side, 0.5)}, ',"p75":', ${at(side, 0.75)}, ',"max":', ${at(side, 1)})), '}')`
  const row = `tuple(d, concat('{"field":', ${name}, ',"difference":', toString(round(d, 6)), ',"selected":', ${box('s', 'p')}, ',"baseline":', ${box('r', 'q')}, '}'))`
  return naming({ s, r, p, q }, `arrayMap(d -> ${row}, [${difference}])[1]`)
}

const NUMERIC = new Set(['integer', 'real', 'timespan', 'datetime'])

function compareField(node: Expression, value: Value, sides: Sides, { context, name }: AggregateInvocation): string {
  const field = dottedName(node.kind === 'call' ? (node.arguments[0] ?? node) : node)
  if (field === undefined) throw mismatch(`${name}() compares fields`, node.span, 'compute it with extend before')
  const label = context.binder.text(JSON.stringify(field))
  const { sql, few } = categories(label, value, sides)
  return NUMERIC.has(value.kind) ? `if(${few}, ${sql}, ${numbers(label, value, sides)})` : sql
}

export const spotlight = aggregate('selected:truth field:any more:any*', (invocation, predicate, ...values) => {
  const { nodes, condition } = invocation
  if (values.length > FIELDS_MAX)
    throw new CompileError(
      'limit',
      `${invocation.name}() compares at most ${FIELDS_MAX} fields, not ${values.length}`,
      (nodes[0] as Expression).span,
      'name the fields that say something',
    )
  const isSelected = (predicate as Value).as('truth')
  const within = condition === undefined ? '' : ` AND ${condition}`
  const sides = { selected: `(${isSelected}${within})`, rest: `(NOT ${isSelected}${within})` }
  const fields = values.map((value, at) => compareField(nodes[at + 1] as Expression, value, sides, invocation))
  const ranked = `arraySort((t, at) -> tuple(-t.1, at), compared, arrayEnumerate(compared))`
  const rows = naming({ compared: `[${fields.join(', ')}]` }, arrayOf(`arrayMap(t -> t.2, ${ranked})`))
  // Without two sides there is nothing to compare.
  return json(`if(countIf(${sides.selected}) = 0 OR countIf(${sides.rest}) = 0, '[]', ${rows})`, 'array')
})
