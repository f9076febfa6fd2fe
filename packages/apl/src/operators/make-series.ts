/**
 * `make-series`: an array of values per group, one for each step of time, gaps filled. A series without ends has those of the request;
 * where that is more steps than a series may have, it begins and ends with the steps of its rows, as in Kusto.
 * Deliberately not here: functions over such arrays.
 */

import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { CompileError } from '../error.ts'
import { arrayOf } from '../functions/json.ts'
import { mapValues, Relation } from '../sql/relation.ts'
import { json, through, typed, type Value } from '../sql/value.ts'
import type { Expression, MakeSeries } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import type { Context } from '../values/context.ts'
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
  const ofRows = steps > STEPS_MAX && !(operator.from && operator.to)
  if (ofRows)
    context.warn(
      'likely_mistake',
      `the time asked for has ${steps} steps, and a series at most ${STEPS_MAX}: each begins and ends with its rows; say from and to`,
    )
  else if (steps > STEPS_MAX)
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
  return gather(operator, { input, keys, cells, at, from, stepNs: step.ns, steps: ofRows ? undefined : steps }, context)
}

interface Cells {
  readonly input: Relation
  readonly keys: ReadonlyMap<string, Value>
  readonly cells: readonly Value[]
  readonly at: string
  /** Undefined: from the first step with rows to the last one. */
  readonly steps: number | undefined
  readonly from: bigint
  readonly stepNs: bigint
}

/** The second grouping: all steps of a group into arrays. */
function gather(operator: MakeSeries, { input, keys, cells, at, steps, from, stepNs }: Cells, context: Context): Relation {
  const inner = new Relation({ select: input.select, columns: keys })
  const { select, columns: seen } = inner.nested()
  const outer = mapValues(seen, keyOf)
  const exported = input.select.export(at)
  const positions = `groupArray(${exported})`
  select.groupBy = [...new Set([...outer.values()].filter((key) => !key.literal).map((key) => key.as('plain')))]
  const columns = new Map(outer)
  const places = steps === undefined ? placesOf(exported) : `arrayMap(i -> toInt64(i), range(${context.binder.count(steps)}))`
  operator.aggregates.forEach((column, index) => {
    const cell = through(cells[index] as Value, (sql) => input.select.export(sql))
    const otherwise = column.default
      ? context.expression(column.default, aggregating({ input, context, seconds: 1, used: new Map() })).as('json')
      : "'0'"
    const values = `groupArray(ifNull(${cell.as('json')}, 'null'))`
    const items = `arrayMap(i -> if(has(${positions}, i), arrayElement(${values}, indexOf(${positions}, i)), ifNull(${otherwise}, 'null')), ${places})`
    columns.set(freshName(aggregateName(column), columns), json(arrayOf(items), 'array'))
  })
  columns.set(freshName(dottedName(operator.axis) ?? '_time', columns), timesOf({ steps, from, stepNs }, places, context))
  return new Relation({ select, columns, groups: [...keys.keys()] })
}

/** From the first step to the last one. The engine ends the query where they are too many, which the compiler cannot know. */
function placesOf(at: string): string {
  const [first, last] = [`assumeNotNull(toInt64(min(${at})))`, `assumeNotNull(toInt64(max(${at})))`]
  return `range(${first}, ${last} + (count() > 0) + throwIf(${last} - ${first} >= ${STEPS_MAX}))`
}

function timesOf({ steps, from, stepNs }: Pick<Cells, 'steps' | 'from' | 'stepNs'>, places: string, context: Context): Value {
  if (steps === undefined) {
    const { binder } = context
    const time = typed('datetime', `fromUnixTimestamp64Nano(${binder.integer(from)} + i * ${binder.integer(stepNs)}, 'UTC')`)
    return json(arrayOf(`arrayMap(i -> ${time.as('json')}, ${places})`), 'array')
  }
  const times = Array.from({ length: steps }, (_, index) => formatTimestamp(from + BigInt(index) * stepNs))
  return context.literal({ type: 'dynamic', json: JSON.stringify(times) })
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
