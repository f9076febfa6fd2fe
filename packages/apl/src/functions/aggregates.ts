/**
 * Aggregations of `summarize` and `make-series`. Each exists a second time with `if` at the end of its name, taking a condition last.
 * Deliberately not here: grouping.
 */
import { mismatch, NOWHERE } from '../error.ts'
import { carried, inJson, isMixed, summed, wholeOf } from '../sql/mixed.ts'
import { json, ofReal, realOf, typed, type Value, wholeIf } from '../sql/value.ts'
import { literalNumber } from '../text/literal.ts'
import type { Expression } from '../tree/ast.ts'
import { type AggregateDefinition, type AggregateInvocation, aggregate, call, sizeOf } from './aggregation.ts'
import { readParameters, type Signed } from './definition.ts'
import { argExtreme, extreme, orMissing } from './extremes.ts'
import { arrayOf } from './json.ts'
import { spotlight } from './spotlight.ts'

/** A number of any kind, as a float, or as a timespan of whole nanoseconds. */
const real = (name: string) =>
  aggregate('value:number', (invocation, value) => {
    const sql = call(invocation, name, orMissing(value as Value, realOf(value as Value)))
    return ofReal(value as Value, sql)
  })

const sum = aggregate('value:number', (invocation, given) => {
  const value = given as Value
  // A sum of floats depends on the order of the rows.
  if (value.kind !== 'integer' && value.kind !== 'timespan') invocation.context.states?.refuse()
  return summed(value, value.as('number'), (name, sql) => call(invocation, name, sql))
})

/** Percentiles, of which a list is one argument, as shares of 1. */
function sharesOf(node: Expression, { context, name }: AggregateInvocation): number[] {
  const literal = context.constant(node, `the percentile of ${name}()`)
  const percents: unknown[] = [literal.type === 'dynamic' ? JSON.parse(literal.json) : Number(literalNumber(literal))].flat()
  return percents.map((percent) => {
    if (typeof percent !== 'number' || !(percent >= 0 && percent <= 100))
      throw mismatch('a percentile must be between 0 and 100', node.span)
    if (percent > 0 && percent < 1)
      context.warn('likely_mistake', `${percent} is less than one percent: the percentile of ${name}() is between 0 and 100`)
    return percent / 100
  })
}

/** Up to so many values are all kept. */
const FEW = 1_024
/** More values become a sketch of bins whose width is this part of their value: an answer is off by no more, also at the tails. */
const ACCURACY = '0.001'

/** Percentiles of a value as an array. The engine's own `quantile` is a sample, off by several percent at the tails. */
function quantiles(invocation: AggregateInvocation, value: Value, shares: readonly number[]): string {
  const { binder } = invocation.context
  const x = finite(value)
  const of = (name: string, parameters: readonly string[] = []) => call(invocation, name, x, parameters)
  const exact = `arrayReduce(${binder.text(`quantiles(${shares.join(', ')})`)}, ${of('groupArray', [String(FEW)])})`
  const sketch = of('quantilesDD', [ACCURACY, ...shares.map((one) => binder.real(one))])
  // The middle of a bin may lie beyond all values; and of whole numbers there are no parts.
  const whole = isMixed(value) ? wholeOf(value) : undefined
  const isWhole = whole === undefined ? String(value.kind === 'integer') : `${call(invocation, 'count', whole)} = ${of('count')}`
  const inside = `least(greatest(${isWhole === 'true' ? 'round(q)' : isWhole === 'false' ? 'q' : `if(${isWhole}, round(q), q)`}, ${of('min')}), ${of('max')})`
  return `multiIf(${of('count')} = 0, [], ${of('count')} <= ${FEW}, ${exact}, arrayMap(q -> ${inside}, ${sketch}))`
}

/** What has no end has no bin; a stored number always has one. */
function finite(value: Value): string {
  const x = realOf(value)
  const isSure = value.kind === 'real' ? value.stored : value.kind !== 'dynamic' && value.kind !== 'string'
  return isSure ? x : `if(isFinite(${x}), ${x}, NULL)`
}

const percentile = aggregate('value:number percentile:number', (invocation, value) => {
  const sql = `arrayElementOrNull(${quantiles(invocation, value as Value, sharesOf(invocation.nodes[1] as Expression, invocation))}, 1)`
  return value?.kind === 'timespan' ? typed('timespan', `accurateCastOrNull(trunc(${sql}), 'Int64')`) : typed('real', sql)
})

/** The most percentiles in one aggregation. */
const PERCENTILES_MAX = 32

const percentilesArray = aggregate('value:number percentile:any*', (invocation, value) => {
  const shares = invocation.nodes.slice(1).flatMap((node) => sharesOf(node, invocation))
  if (shares.length === 0 || shares.length > PERCENTILES_MAX)
    throw mismatch(`${invocation.name}() takes 1 to ${PERCENTILES_MAX} percentiles`, invocation.nodes[0]?.span ?? NOWHERE)
  return json(`toJSONString(${quantiles(invocation, value as Value, shares)})`, 'array')
})

/** The most items in one aggregated array. */
const ITEMS_MAX = 1_048_576
/** What `make_set` keeps where no size is given, as the public documentation says. */
const SET_DEFAULT = 128
const TOPK_MAX = 1_000
const BINS_MAX = 1_000

/** JSON texts of the values, without nulls. */
const items = (value: Value | undefined) => `nullIf(${value?.as('json')}, 'null')`

const makeList = aggregate('value:any maxSize:integer?', (invocation, value) => {
  const most = [sizeOf(invocation, 1, ITEMS_MAX, ITEMS_MAX)]
  const { place, condition } = invocation
  if (place === undefined) return json(arrayOf(call(invocation, 'groupArray', items(value), most)), 'array')
  // The engine groups rows in any order.
  const isThere = `isNotNull(${items(value)})${condition === undefined ? '' : ` AND ${condition}`}`
  const placed = `tuple(${place}, assumeNotNull(${items(value)}))`
  const found = call({ ...invocation, condition: isThere }, 'groupArraySorted', placed, most)
  return json(arrayOf(`arrayMap(t -> tupleElement(t, 2), ${found})`), 'array')
})
const makeSet = aggregate('value:any maxSize:integer?', (invocation, value) => {
  if (invocation.nodes.length === 1) doubtSet(invocation)
  const most = [sizeOf(invocation, 1, SET_DEFAULT, ITEMS_MAX)]
  return json(arrayOf(`arraySort(${call(invocation, 'groupUniqArray', items(value), most)})`), 'array')
})

/** A set as large as it may be, or the number of its items. */
function doubtSet({ name, context }: AggregateInvocation): void {
  const text = `${name}() keeps ${SET_DEFAULT} values unless a size is given, and there may be more: write ${name}(x, 10000)`
  const isFull = (value: unknown) => (Array.isArray(value) ? value.length : value) === SET_DEFAULT
  if (context.isInside) context.warn('likely_mistake', text)
  else context.doubt(text, (cells) => cells.some((cell) => isFull(JSON.parse(cell))))
}

/** More values are looked at than are wanted, so that of equally frequent ones the first by name are the same every time. */
const TOPK_TIES = 16

const topk = aggregate('value:any k:integer', (invocation, value) => {
  const k = sizeOf(invocation, 1, 10, TOPK_MAX)
  const counted = call(invocation, 'topK', items(value), [`${k} + ${TOPK_TIES}`, '10', "'counts'"])
  const found = `arraySlice(arraySort(t -> (-toInt64(tupleElement(t, 2)), tupleElement(t, 1)), ${counted}), 1, ${k})`
  invocation.context.doubt(
    `${invocation.name}() estimates counts where there are many values: each may be too large by its "error"`,
    (cells) => cells.some((cell) => /"error":[1-9]/.test(cell)),
  )
  const rows = `arrayMap(t -> concat('{"key":', ifNull(tupleElement(t, 1), 'null'), ',"count":', toString(tupleElement(t, 2)), ',"error":', toString(tupleElement(t, 3)), '}'), ${found})`
  return json(arrayOf(rows), 'array')
})

/** Sign, exponent and the first 12 bits of a float: what a value is off by is a small part of its bin. */
const LEADING_BITS = '18446742974197923840'

/** Bins of equal width from the smallest value to the largest. */
const histogram = aggregate('value:number bins:integer', (invocation, value) => {
  const bins = sizeOf(invocation, 1, 10, BINS_MAX)
  const x = realOf(value as Value)
  const [least, most] = ['min', 'max'].map((name) => `assumeNotNull(${call(invocation, name, x)})`)
  const width = `((${most} - ${least}) / toFloat64(${bins}))`
  // Counts by the leading bits of the values: of any number of rows few are kept, and whole numbers up to 4,096 keep all their bits.
  const counted = call(
    invocation,
    'sumMap',
    `[bitAnd(reinterpretAsUInt64(assumeNotNull(${x})), ${LEADING_BITS})], [toUInt64(${x} IS NOT NULL)]`,
  )
  const binOf = `if(${width} = 0, 0, toUInt32(greatest(least(floor((reinterpretAsFloat64(bits) - ${least}) / ${width}), toFloat64(${bins}) - 1), 0)))`
  const placed = `arrayMap(bits -> ${binOf}, tupleElement(${counted}, 1))`
  const rows = `arrayMap(i -> concat('{"from":', toString(${least} + i * ${width}), ',"to":', toString(${least} + (i + 1) * ${width}), ',"count":', toString(arraySum((at, n) -> if(at = i, n, 0), ${placed}, tupleElement(${counted}, 2))), '}'), range(if(${width} = 0, 1, ${bins})))`
  return json(`if(${call(invocation, 'count', x)} = 0, '[]', ${arrayOf(rows)})`, 'array')
})

const counted = (sql: string) => wholeIf(true, typed('integer', `toInt64(${sql})`, { nullable: false }))
const count = aggregate('', (invocation) => counted(call(invocation, 'count', '')))

export const AGGREGATES: Readonly<Record<string, AggregateDefinition>> = {
  count: count.shows('count()', 3),
  dcount: aggregate('value:any accuracy:integer?', (invocation, value) =>
    counted(call(invocation, 'uniq', value?.kind === 'dynamic' ? items(value) : inJson(value as Value).as('plain'))),
  ).shows('dcount(city)', 2),
  sum: sum.shows('sum(ms)', 540),
  avg: real('avg').shows('avg(ms)', 180),
  min: extreme('min').shows('min(ms)', 80),
  max: extreme('max').shows('max(ms)', 340),
  stdev: real('stddevSamp').shows('round(stdev(ms), 2)', 140),
  variance: real('varSamp').shows('variance(ms)', 19600),
  percentile: percentile.shows('percentile(ms, 50)', 120),
  percentiles_array: percentilesArray.shows('percentiles_array(ms, 25, 75)', [100, 230]),
  make_list: makeList.shows('make_list(city)', ['Oslo', 'Oslo', 'Rome']),
  make_set: makeSet.shows('make_set(city)', ['Oslo', 'Rome']),
  topk: topk.shows('topk(city, 1)', [{ key: 'Oslo', count: 2, error: 0 }]),
  histogram: histogram.shows('histogram(ms, 2)', [
    { from: 80, to: 210, count: 2 },
    { from: 210, to: 340, count: 1 },
  ]),
  spotlight: spotlight.shows('spotlight(ms > 200, city)[0].dimension', 'city'),
  arg_min: argExtreme('argMin').shows('arg_min(ms, city)', 'Oslo'),
  arg_max: argExtreme('argMax').shows('arg_max(ms, city)', 'Rome'),
  any: aggregate('value:any', (invocation, value) => {
    const isJson = ['dynamic', 'null'].includes(inJson(value as Value).kind)
    return carried(value as Value, (sql) =>
      call(invocation, 'any', isJson ? `nullIf(${sql}, 'null')` : orMissing(value as Value, sql)),
    )
  }).shows('any(city)', 'Oslo'),
  rate: aggregate('value:number?', (invocation, value) => {
    const total = value ? call(invocation, 'sum', realOf(value)) : `toFloat64(${call(invocation, 'count', '')})`
    return typed('real', `(${total} / ${invocation.context.binder.real(invocation.seconds)})`)
  }).shows('rate(ms)', 0.00625),
}

/** Other names for the same aggregation. */
export const AGGREGATE_ALIASES: Readonly<Record<string, string>> = {
  take_any: 'any',
  take_anyif: 'anyif',
  make_list_if: 'make_listif',
  make_set_if: 'make_setif',
}

/** The name in answers of what is computed of aggregations, or by one that published clients have no name for. */
export const COMPUTED = 'computed'

export interface FoundAggregate extends Signed {
  /** Without the ending of one with a condition, and of several names the first. */
  readonly name: string
  readonly definition: AggregateDefinition
  /** Whether its last argument is a condition. */
  readonly conditional: boolean
}

/** The aggregation under a name. */
export function findAggregate(name: string): FoundAggregate | undefined {
  const known = Object.hasOwn(AGGREGATE_ALIASES, name) ? (AGGREGATE_ALIASES[name] as string) : name
  const conditional = !Object.hasOwn(AGGREGATES, known) && known.endsWith('if')
  const base = conditional ? known.slice(0, -2) : known
  if (!Object.hasOwn(AGGREGATES, base)) return undefined
  const definition = AGGREGATES[base] as AggregateDefinition
  const found = { name: base, definition, conditional }
  if (!conditional) return { ...definition, ...found }
  return { ...found, parameters: [...definition.parameters, ...CONDITION] }
}

const CONDITION = readParameters('condition:truth')

/** What published clients call an aggregation where they do not know its name in queries. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  any: COMPUTED,
  arg_max: 'argmax',
  arg_min: 'argmin',
  dcount: 'distinct',
  make_list: 'makelist',
  make_set: 'makeset',
  percentile: 'percentiles',
  percentiles_array: 'percentiles',
}
/** These have no name with a condition. */
const WITHOUT_CONDITION: ReadonlySet<string> = new Set([COMPUTED, 'argmax', 'argmin', 'rate', 'spotlight'])

/** @returns the name of an aggregation in answers; clients fail on any that they do not know */
export function wireName({ name, conditional }: FoundAggregate): string {
  const known = WIRE_NAMES[name] ?? name
  if (!conditional) return known
  return WITHOUT_CONDITION.has(known) ? COMPUTED : `${known}if`
}
