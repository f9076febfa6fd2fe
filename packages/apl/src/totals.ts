/**
 * Totals beside time bins: the same query without the bins, and whether both can be grouped in one look at the rows.
 * Deliberately not here: compiling them.
 */
import type { Operator, Pipeline } from './ast.ts'
import { dottedName } from './expression-name.ts'
import type { Relation } from './relation.ts'

/** @returns the query without its time bins, `undefined` where nothing is summarized */
export function withoutBins(pipeline: Pipeline): Pipeline | undefined {
  const at = pipeline.operators.findLastIndex(({ kind }) => kind === 'summarize')
  const operator = pipeline.operators[at]
  if (operator?.kind !== 'summarize')
    return pipeline.source.kind === 'subquery' ? withoutBins(pipeline.source.pipeline) : undefined
  const by = operator.by.filter(
    ({ expression }) =>
      !(
        expression.kind === 'call' &&
        /^bin(?:_auto)?$|^floor$/.test(expression.name) &&
        dottedName(expression.arguments[0] ?? expression) === '_time'
      ),
  )
  const operators: Operator[] = pipeline.operators
    .map((other, index) => (index === at ? { ...operator, by } : other))
    .filter((other) => !sortsByTimeOnly(other))
  return { ...pipeline, operators }
}

/** An order by the bins says nothing about totals. */
function sortsByTimeOnly(operator: Operator): boolean {
  return operator.kind === 'sort' && operator.keys.every(({ expression }) => dottedName(expression) === '_time')
}

/**
 * Whether the totals are what the bins' own SELECT makes of fewer keys: of the same rows of a table, with the same condition on groups,
 * in an order that holds for both, and none left out.
 * @param totals compiled with the binder of the other
 * @returns the keys of the totals
 */
export function keysOfTotals({ select: bins }: Relation, { select: totals }: Relation): readonly string[] | undefined {
  const [{ groupBy: all }, { groupBy: keys }] = [bins, totals]
  const isOfTable = bins.from.kind === 'table' && bins.arrayJoins.length === 0 && totals.arrayJoins.length === 0
  if (!isOfTable || !all || !keys || bins.limit || totals.limit) return undefined
  const isSame =
    bins.renderCount() === totals.renderCount() &&
    bins.having.join('\n') === totals.having.join('\n') &&
    (totals.order.length === 0 || totals.orderSql() === bins.orderSql()) &&
    keys.every((key) => all.includes(key))
  return isSame && keys.length < all.length ? keys : undefined
}
