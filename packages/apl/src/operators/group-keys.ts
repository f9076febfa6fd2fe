/**
 * What `summarize`, `distinct` and `make-series` group by.
 * Deliberately not here: what is computed of the groups.
 */

import { around, CompileError, mismatch } from '../error.ts'
import { AGGREGATES } from '../functions/aggregates.ts'
import { type AggregateDefinition, checkNumbers } from '../functions/aggregation.ts'
import { inJson, isMixed } from '../sql/mixed.ts'
import type { Buckets, Relation } from '../sql/relation.ts'
import { commonQuantity, isWhole, json, ofReal, realOf, typed, type Value, wholeIf, withName } from '../sql/value.ts'
import type { Call, Expression, Named, Summarize } from '../tree/ast.ts'
import { dottedName, impliedName } from '../tree/expression-name.ts'
import { checkArity } from '../tree/signature.ts'
import { autoBinNs } from '../values/bin.ts'
import type { Context } from '../values/context.ts'
import { freshName } from './columns.ts'

/** A group key in the form that is grouped by. A value without a type is grouped by its JSON text, which keeps 500 and "500" apart. */
export function keyOf(value: Value): Value {
  return wholeIf(isWhole(value), { ...formOf(value), ...commonQuantity([value]) })
}

function formOf(value: Value): Value {
  if (value.literal) return value.kind === 'null' ? json("CAST(NULL, 'Nullable(String)')") : value
  if (isMixed(value)) return inJson(value)
  if (value.kind === 'dynamic') return typed('dynamic', value.as('json'), { type: value.type })
  return typed(value.kind, value.as('plain'), { type: value.type, nullable: value.nullable })
}

/** SQL to group by. The engine does not take a constant as a key. */
export const groupedBy = (keys: ReadonlyMap<string, Value>): string[] => [
  ...new Set([...keys.values()].filter(({ literal }) => !literal).map((key) => key.as('plain'))),
]

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
    // `by 1h`.
    if (value.literal?.type === 'timespan')
      throw mismatch('a timespan alone makes no groups', expression.span, {
        hint: 'write bin(_time, 1h)',
        fix: around(expression.span, 'bin(_time, ', ')'),
      })
    keys.set(column, withName(name, keyOf(value)))
    const sizeNs = timeBinNs(expression, input, context)
    if (sizeNs === undefined) continue
    // Bins of a computed time would be computed a second time of the states.
    if (input.find('_time') !== input.identity?.time) context.states?.refuse()
    buckets ??= { column, sizeNs }
  }
  return { keys, buckets }
}

/**
 * `by histogram(duration, 20)`: rows grouped by bins of equal width, from the smallest value to the largest. All rows are looked at
 * for that before they are grouped, so the bins become a column of their own first.
 */
export function withHistograms({ aggregates, by }: Pick<Summarize, 'aggregates' | 'by'>, input: Relation, context: Context) {
  const columns = new Map<string, Value>()
  const keys = by.map((key): Named => {
    const { expression, span } = key
    if (expression.kind !== 'call' || expression.name !== 'histogram') return key
    const name = key.name ?? `histogram_${dottedName(expression.arguments[0] ?? expression) ?? ''}`
    columns.set(name, binsOf(expression, input, context))
    return { name, expression: { kind: 'name', name, span }, span }
  })
  const relation = columns.size === 0 ? input : input.extended(columns).nested()
  return { relation, aggregates, by: keys }
}

const BINS = AGGREGATES.histogram as AggregateDefinition
const BINS_MAX = 1_000

/** The lower end of each value's bin. */
function binsOf(call: Call, input: Relation, context: Context): Value {
  checkArity(call, BINS)
  const [field, size] = call.arguments as [Expression, Expression]
  const value = context.expression(field, input)
  checkNumbers(call, 0, BINS.parameters, value)
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
