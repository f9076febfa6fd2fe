/**
 * `make-series`: an array of values per group, one for each step of time, gaps filled.
 * Deliberately not here: functions over such arrays.
 */

import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Expression, MakeSeries } from '../ast.ts'
import type { Context } from '../context.ts'
import { CompileError } from '../error.ts'
import { dottedName } from '../expression-name.ts'
import { arrayOf } from '../functions/json.ts'
import { mapValues, Relation } from '../relation.ts'
import { json, through, type Value } from '../value.ts'
import { aggregateName, aggregating } from './aggregations.ts'
import { freshName } from './columns.ts'
import type { OperatorDefinition } from './definition.ts'
import { compileKeys, keyOf } from './group-keys.ts'

/** The most steps of one series. */
const STEPS_MAX = 10_000

function timeOf(node: Expression | undefined, otherwise: bigint, context: Context): bigint {
  if (!node) return otherwise
  const literal = context.constant(node, 'an end of the series')
  if (literal.type !== 'datetime')
    throw new CompileError('type_mismatch', 'an end of the series must be a point in time', node.span)
  return literal.ns
}

function compile(operator: MakeSeries, before: Relation, context: Context): Relation {
  const input = before.ungrouped()
  const step = context.constant(operator.step, 'the step')
  if (step.type !== 'timespan' || step.ns <= 0n)
    throw new CompileError('type_mismatch', 'the step must be a positive timespan', operator.step.span)
  const from = timeOf(operator.from, context.range.startNs - (context.range.startNs % step.ns), context)
  const to = timeOf(operator.to, context.range.endNs, context)
  const steps = to <= from ? 0 : Number((to - from + step.ns - 1n) / step.ns)
  if (steps > STEPS_MAX)
    throw new CompileError(
      'limit',
      `the series would have ${steps} steps (limit ${STEPS_MAX})`,
      operator.step.span,
      'take a longer step',
    )
  const { binder } = context
  const axis = context.expression(operator.axis, input).as('time')
  input.select.conditions.push(`(${axis} >= ${binder.time(from)} AND ${axis} < ${binder.time(to)})`)
  const at = `intDiv(toUnixTimestamp64Nano(${axis}) - ${binder.integer(from)}, ${binder.integer(step.ns)})`
  const { keys } = compileKeys(operator.by, input, context)
  const scope = aggregating({ input, context, seconds: Number(step.ns) / 1e9, used: new Map() })
  const cells = operator.aggregates.map((column) => context.expression(column.expression, scope))
  input.select.order = []
  input.select.groupBy = [...new Set([at, ...[...keys.values()].filter((key) => !key.literal).map((key) => key.as('plain'))])]
  return gather(operator, { input, keys, cells, at, steps, from, stepNs: step.ns }, context)
}

interface Cells {
  readonly input: Relation
  readonly keys: ReadonlyMap<string, Value>
  readonly cells: readonly Value[]
  readonly at: string
  readonly steps: number
  readonly from: bigint
  readonly stepNs: bigint
}

/** The second grouping: all steps of a group into arrays. */
function gather(operator: MakeSeries, { input, keys, cells, at, steps, from, stepNs }: Cells, context: Context): Relation {
  const inner = new Relation({ select: input.select, columns: keys })
  const { select, columns: seen } = inner.nested()
  const outer = mapValues(seen, keyOf)
  const positions = `groupArray(${input.select.export(at)})`
  select.groupBy = [...new Set([...outer.values()].filter((key) => !key.literal).map((key) => key.as('plain')))]
  const columns = new Map(outer)
  const count = context.binder.count(steps)
  operator.aggregates.forEach((column, index) => {
    const cell = through(cells[index] as Value, (sql) => input.select.export(sql))
    const otherwise = column.default
      ? context.expression(column.default, aggregating({ input, context, seconds: 1, used: new Map() })).as('json')
      : "'0'"
    const values = `groupArray(ifNull(${cell.as('json')}, 'null'))`
    const items = `arrayMap(i -> if(has(${positions}, i), arrayElement(${values}, indexOf(${positions}, i)), ifNull(${otherwise}, 'null')), arrayMap(i -> toInt64(i), range(${count})))`
    columns.set(freshName(aggregateName(column), columns), json(arrayOf(items), 'array'))
  })
  const times = Array.from({ length: steps }, (_, index) => formatTimestamp(from + BigInt(index) * stepNs))
  columns.set(
    freshName(dottedName(operator.axis) ?? '_time', columns),
    context.literal({ type: 'dynamic', json: JSON.stringify(times) }),
  )
  return new Relation({ select, columns, groups: [...keys.keys()] })
}

export const makeSeries: OperatorDefinition<MakeSeries> = {
  keywords: ['make-series'],
  syntax: '[name =] aggregation [default = value], … on time [from time] [to time] step timespan [by expression, …]',
  parse: (parser) => {
    const aggregates = parser.list(() => {
      const column = parser.named()
      if (!parser.isWord('default')) return column
      parser.next()
      parser.expectSymbol('=', 'after default')
      return { ...column, default: parser.expression() }
    })
    parser.expectWord('on', 'before the time of make-series')
    const axis = parser.expression()
    const from = parser.acceptWord('from') ? parser.expression() : undefined
    const to = parser.acceptWord('to') ? parser.expression() : undefined
    parser.expectWord('step', 'before the step of make-series')
    const step = parser.expression()
    const by = parser.acceptWord('by') ? parser.list(() => parser.named()) : []
    return { aggregates, axis, step, by, ...(from && { from }), ...(to && { to }) }
  },
  compile,
}
