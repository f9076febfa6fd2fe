/**
 * `make-series`: an array of values per group, one for each step of time, gaps filled. A series without ends has those of the request;
 * where that is more steps than a series may have, it begins and ends with the steps of its rows, as in Kusto.
 * Deliberately not here: functions over such arrays.
 */

import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { CompileError, mismatch } from '../error.ts'
import { arrayOf } from '../functions/json.ts'
import { mapValues, Relation } from '../sql/relation.ts'
import { json, through, typed, type Value } from '../sql/value.ts'
import type { Expression, MakeSeries } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import { binary, type ExpressionParser } from '../tree/expression-parser.ts'
import type { Context } from '../values/context.ts'
import { aggregateName, aggregating } from './aggregations.ts'
import { freshName } from './columns.ts'
import type { OperatorDefinition } from './definition.ts'
import { compileKeys, groupedBy, keyOf } from './group-keys.ts'

/** The most steps of one series. */
const STEPS_MAX = 10_000

/** The steps of the series. */
interface Axis {
  /** The time as a column. */
  readonly time: string
  readonly from: bigint
  readonly to: bigint
  readonly stepNs: bigint
  /** Undefined: from the first step with rows to the last one. */
  readonly steps: number | undefined
}

function axisOf(operator: MakeSeries, input: Relation, context: Context): Axis {
  const { startNs, endNs } = context.range
  const step = context.constant(operator.step, 'the step')
  if (step.type !== 'timespan' || step.ns <= 0n) throw mismatch('the step must be a positive timespan', operator.step.span)
  const from = endOf(operator.from, startNs - (startNs % step.ns), context)
  const to = endOf(operator.to, endNs, context)
  const steps = to <= from ? 0 : Number((to - from + step.ns - 1n) / step.ns)
  const isTooLong = steps > STEPS_MAX
  if (isTooLong && operator.from && operator.to) {
    const message = `the series would have ${steps} steps (limit ${STEPS_MAX})`
    throw new CompileError('limit', message, operator.step.span, 'take a longer step')
  }
  if (isTooLong)
    context.warn(
      'likely_mistake',
      `the time asked for has ${steps} steps, and a series at most ${STEPS_MAX}: each begins and ends with its rows; say from and to`,
    )
  const time = context.expression(operator.axis, input).as('time')
  return { time, from, to, stepNs: step.ns, steps: isTooLong ? undefined : steps }
}

function endOf(node: Expression | undefined, otherwise: bigint, context: Context): bigint {
  if (!node) return otherwise
  const literal = context.constant(node, 'an end of the series')
  if (literal.type === 'datetime') return literal.ns
  throw mismatch('an end of the series must be a point in time', node.span)
}

/** Rows are grouped by their step, and then all steps of a group into arrays. */
function compile(operator: MakeSeries, before: Relation, context: Context): Relation {
  const input = before.ungrouped()
  const { binder } = context
  const axis = axisOf(operator, input, context)
  input.select.conditions.push(`(${axis.time} >= ${binder.time(axis.from)} AND ${axis.time} < ${binder.time(axis.to)})`)
  const at = `intDiv(toUnixTimestamp64Nano(${axis.time}) - ${binder.integer(axis.from)}, ${binder.integer(axis.stepNs)})`
  const { keys } = compileKeys(operator.by, input, context)
  const scope = aggregating({ input, context, seconds: Number(axis.stepNs) / 1e9, used: new Map() })
  const cells = operator.aggregates.map((column) => context.expression(column.expression, scope))
  input.select.order = []
  input.select.groupBy = [...new Set([at, ...groupedBy(keys)])]

  const { select, columns: seen } = new Relation({ select: input.select, columns: keys }).nested()
  const columns = mapValues(seen, keyOf)
  select.groupBy = groupedBy(columns)
  const place = input.select.export(at)
  const places = axis.steps === undefined ? placesOf(place) : `arrayMap(i -> toInt64(i), range(${binder.count(axis.steps)}))`
  operator.aggregates.forEach((column, index) => {
    const cell = through(cells[index] as Value, (sql) => input.select.export(sql))
    const otherwise = column.default
      ? context.expression(column.default, aggregating({ input, context, seconds: 1, used: new Map() })).as('json')
      : "'0'"
    const [values, positions] = [`groupArray(ifNull(${cell.as('json')}, 'null'))`, `groupArray(${place})`]
    const items = `arrayMap(i -> if(has(${positions}, i), arrayElement(${values}, indexOf(${positions}, i)), ifNull(${otherwise}, 'null')), ${places})`
    columns.set(freshName(aggregateName(column), columns), json(arrayOf(items), 'array'))
  })
  columns.set(freshName(dottedName(operator.axis) ?? '_time', columns), timesOf(axis, places, context))
  return new Relation({ select, columns, groups: [...keys.keys()] })
}

/** From the first step to the last one. The engine ends the query where they are too many, which the compiler cannot know. */
function placesOf(at: string): string {
  const [first, last] = [`assumeNotNull(toInt64(min(${at})))`, `assumeNotNull(toInt64(max(${at})))`]
  return `range(${first}, ${last} + (count() > 0) + throwIf(${last} - ${first} >= ${STEPS_MAX}))`
}

function timesOf({ steps, from, stepNs }: Axis, places: string, context: Context): Value {
  if (steps === undefined) {
    const { binder } = context
    const time = typed('datetime', `fromUnixTimestamp64Nano(${binder.integer(from)} + i * ${binder.integer(stepNs)}, 'UTC')`)
    return json(arrayOf(`arrayMap(i -> ${time.as('json')}, ${places})`), 'array')
  }
  const times = Array.from({ length: steps }, (_, index) => formatTimestamp(from + BigInt(index) * stepNs))
  return context.literal({ type: 'dynamic', json: JSON.stringify(times) })
}

const groups = (parser: ExpressionParser) => (parser.acceptWord('by') ? parser.list(() => parser.named()) : [])

/** `time in range(from, to, step)`, whose last step may begin at its end. */
function endsInList(axis: Expression): Pick<MakeSeries, 'axis' | 'from' | 'to' | 'step'> | undefined {
  const call = axis.kind === 'in-list' ? axis.list[0] : undefined
  if (axis.kind !== 'in-list' || call?.kind !== 'call' || call.name !== 'range' || call.arguments.length !== 3) return undefined
  const [from, last, step] = call.arguments as [Expression, Expression, Expression]
  const to = binary('+', last, { kind: 'literal', value: { type: 'timespan', ns: 1n }, span: last.span })
  return { axis: axis.value, from, to, step }
}

export const makeSeries: OperatorDefinition<'make-series'> = {
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
    const ends = endsInList(axis)
    if (ends) return { aggregates, ...ends, by: groups(parser) }
    const from = parser.acceptWord('from') ? parser.expression() : undefined
    const to = parser.acceptWord('to') ? parser.expression() : undefined
    parser.expectWord('step', 'before the step of make-series')
    const step = parser.expression()
    return { aggregates, axis, step, by: groups(parser), ...(from && { from }), ...(to && { to }) }
  },
  compile,
}
