/**
 * Aggregations of `summarize` and `make-series`. Each exists a second time with `if` at the end of its name, taking a condition last.
 * Deliberately not here: grouping.
 */

import type { Expression } from '../ast.ts'
import type { Context } from '../context.ts'
import { CompileError } from '../error.ts'
import { fitted, json, type Kind, realOf, typed, type Value } from '../value.ts'
import { arrayOf } from './json.ts'

interface AggregateInvocation {
  readonly name: string
  readonly arguments: readonly Value[]
  readonly nodes: readonly Expression[]
  readonly context: Context
  /** Of the rows to count; empty: all. Placed into the engine's `…If`. */
  readonly condition: string | undefined
  /** Seconds that one group spans, for rates. */
  readonly seconds: number
}

export interface AggregateDefinition {
  /** As those of functions: `number`, `any?`, `number*`. */
  readonly parameters: readonly string[]
  compile(invocation: AggregateInvocation): Value
}

/** One aggregate call of the engine, with its parameters and condition. */
function call({ condition }: AggregateInvocation, name: string, argument: string, parameters: readonly string[] = []): string {
  const suffix = parameters.length === 0 ? '' : `(${parameters.join(', ')})`
  if (condition === undefined) return `${name}${suffix}(${argument})`
  return `${name}If${suffix}(${argument === '' ? '' : `${argument}, `}${condition})`
}

/** So that of nothing the answer is missing: of values that are never NULL the engine's would be 0. */
const orMissing = (value: Value, sql: string) => (value.stored ? sql : `toNullable(${sql})`)

function aggregate(
  parameters: string,
  compile: (invocation: AggregateInvocation, ...values: Value[]) => Value,
): AggregateDefinition {
  return {
    parameters: parameters === '' ? [] : parameters.split(' '),
    compile: (invocation) => compile(invocation, ...invocation.arguments),
  }
}

/** Of the same kind as what is aggregated; what has no type is read as numbers. */
const keeping = (name: string) =>
  aggregate('any', (invocation, value) => {
    const x = value as Value
    const kind: Kind = x.kind === 'dynamic' || x.kind === 'null' ? 'real' : x.kind
    const sql = call(invocation, name, orMissing(x, x.kind === 'dynamic' ? realOf(x) : x.as('plain')))
    return typed(kind, sql, kind === 'boolean' ? { views: { output: `CAST(${sql}, 'Nullable(Bool)')` } } : {})
  })

/** A number of any kind, as a float, or as a timespan of whole nanoseconds. */
const real = (name: string) =>
  aggregate('number', (invocation, value) => {
    const sql = call(invocation, name, orMissing(value as Value, realOf(value as Value)))
    if (value?.kind === 'timespan') return typed('timespan', `accurateCastOrNull(trunc(${sql}), 'Int64')`)
    return value?.kind === 'datetime'
      ? typed('datetime', `fromUnixTimestamp64Nano(accurateCastOrNull(trunc(${sql}), 'Int64'), 'UTC')`)
      : typed('real', sql)
  })

const sum = aggregate('number', (invocation, value) => {
  const kind = value?.kind === 'integer' || value?.kind === 'timespan' ? value.kind : 'real'
  const x = orMissing(value as Value, value?.as('number') as string)
  // Whole numbers are added in 128 bits: in 64 the sum would wrap around.
  const total = kind === 'real' ? call(invocation, 'sum', `toFloat64(${x})`) : fitted(call(invocation, 'sum', `toInt128(${x})`))
  // Nothing that meets the condition adds up to 0, so that a share of it is 0 and not missing.
  return typed(kind, invocation.condition === undefined ? total : `ifNull(${total}, 0)`)
})

/** A share of 100 as one of 1. */
function share(node: Expression | undefined, { context, name }: AggregateInvocation): number {
  if (!node) throw new Error(`${name} without a percentile passed the arity check`)
  const percent = context.number(node, `the percentile of ${name}()`)
  if (!(percent >= 0 && percent <= 100))
    throw new CompileError('type_mismatch', 'a percentile must be between 0 and 100', node.span)
  return percent / 100
}

/** Up to so many values are all kept. */
const FEW = 1_024
/** Of more there is a sketch of bins whose width is this part of their value: at the tails, too, an answer is off by no more. */
const ACCURACY = '0.001'

/** Percentiles of a value as an array. The engine's own `quantile` is a sample, off by several percent at the tails. */
function quantiles(invocation: AggregateInvocation, value: Value, shares: readonly number[]): string {
  const { binder } = invocation.context
  const x = finite(value)
  const of = (name: string, parameters: readonly string[] = []) => call(invocation, name, x, parameters)
  const exact = `arrayReduce(${binder.text(`quantiles(${shares.join(', ')})`)}, ${of('groupArray', [String(FEW)])})`
  const sketch = of('quantilesDD', [ACCURACY, ...shares.map((one) => binder.real(one))])
  // The middle of a bin may lie beyond all values; and of whole numbers there are no parts.
  const inside = `least(greatest(${value.kind === 'integer' ? 'round(q)' : 'q'}, ${of('min')}), ${of('max')})`
  return `multiIf(${of('count')} = 0, [], ${of('count')} <= ${FEW}, ${exact}, arrayMap(q -> ${inside}, ${sketch}))`
}

/** What has no end has no bin; a stored number always has one. */
function finite(value: Value): string {
  const x = realOf(value)
  const isSure = value.kind === 'real' ? value.stored : value.kind !== 'dynamic' && value.kind !== 'string'
  return isSure ? x : `if(isFinite(${x}), ${x}, NULL)`
}

const percentile = aggregate('number number', (invocation, value) => {
  const sql = `arrayElementOrNull(${quantiles(invocation, value as Value, [share(invocation.nodes[1], invocation)])}, 1)`
  return value?.kind === 'timespan' ? typed('timespan', `accurateCastOrNull(trunc(${sql}), 'Int64')`) : typed('real', sql)
})

/** The most percentiles in one aggregation. */
const PERCENTILES_MAX = 32

const percentilesArray = aggregate('number any*', (invocation, value) => {
  const shares = invocation.nodes.slice(1).flatMap((node) => percents(node, invocation))
  if (shares.length === 0 || shares.length > PERCENTILES_MAX)
    throw new CompileError(
      'type_mismatch',
      `${invocation.name}() takes 1 to ${PERCENTILES_MAX} percentiles`,
      invocation.nodes[0]?.span ?? { start: 0, end: 0 },
    )
  return json(`toJSONString(${quantiles(invocation, value as Value, shares)})`, 'array')
})

function percents(node: Expression, invocation: AggregateInvocation): number[] {
  const literal = invocation.context.constant(node, 'a percentile')
  if (literal.type !== 'dynamic') return [share(node, invocation)]
  const list: unknown = JSON.parse(literal.json)
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'number' && item >= 0 && item <= 100))
    throw new CompileError('type_mismatch', 'percentiles must be between 0 and 100', node.span)
  return list.map((percent: number) => percent / 100)
}

/** The most items in one aggregated array. */
const ITEMS_MAX = 1_048_576
/** What `make_set` keeps where no size is given, as the public documentation says. */
const SET_DEFAULT = 128
const TOPK_MAX = 1_000
const BINS_MAX = 1_000

function size(invocation: AggregateInvocation, at: number, standard: number, most: number): string {
  const node = invocation.nodes[at]
  const count = node ? invocation.context.count(node, `the size of ${invocation.name}()`) : standard
  if (count < 1 || count > most)
    throw new CompileError(
      'limit',
      `the size of ${invocation.name}() must be between 1 and ${most}`,
      node?.span ?? { start: 0, end: 0 },
    )
  return invocation.context.binder.count(count)
}

/** JSON texts of the values, without nulls. */
const items = (value: Value | undefined) => `nullIf(${value?.as('json')}, 'null')`

const makeList = aggregate('any integer?', (invocation, value) =>
  json(arrayOf(call(invocation, 'groupArray', items(value), [size(invocation, 1, ITEMS_MAX, ITEMS_MAX)])), 'array'),
)
const makeSet = aggregate('any integer?', (invocation, value) =>
  json(
    arrayOf(`arraySort(${call(invocation, 'groupUniqArray', items(value), [size(invocation, 1, SET_DEFAULT, ITEMS_MAX)])})`),
    'array',
  ),
)

const topk = aggregate('any integer', (invocation, value) => {
  const k = size(invocation, 1, 10, TOPK_MAX)
  const found = call(invocation, 'topK', items(value), [k, '10', "'counts'"])
  const rows = `arrayMap(t -> concat('{"key":', ifNull(tupleElement(t, 1), 'null'), ',"count":', toString(tupleElement(t, 2)), ',"error":', toString(tupleElement(t, 3)), '}'), ${found})`
  return json(arrayOf(rows), 'array')
})

/** Sign, exponent and the first 12 bits of a float: what a value is off by is a small part of its bin. */
const LEADING_BITS = '18446742974197923840'

/** Bins of equal width from the smallest value to the largest. */
const histogram = aggregate('number integer', (invocation, value) => {
  const bins = size(invocation, 1, 10, BINS_MAX)
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

/** The value of one column in the row where another is largest or smallest; several come as one column each, see `summarize`. */
const argExtreme = (name: string) =>
  aggregate('any any', (invocation, by, value) => {
    const key = by?.kind === 'dynamic' ? realOf(by) : (by?.as('plain') as string)
    const result = value as Value
    const kind = result.kind === 'null' ? 'dynamic' : result.kind
    return typed(kind, call(invocation, name, `${result.as(kind === 'dynamic' ? 'json' : 'plain')}, ${key}`), {
      type: result.type,
    })
  })

const count = aggregate('', (invocation) => typed('integer', `toInt64(${call(invocation, 'count', '')})`, { nullable: false }))

export const AGGREGATES: Readonly<Record<string, AggregateDefinition>> = {
  count,
  dcount: aggregate('any integer?', (invocation, value) =>
    typed('integer', `toInt64(${call(invocation, 'uniq', value?.as('plain') as string)})`, { nullable: false }),
  ),
  sum,
  avg: real('avg'),
  min: keeping('min'),
  max: keeping('max'),
  stdev: real('stddevSamp'),
  variance: real('varSamp'),
  percentile,
  percentiles_array: percentilesArray,
  make_list: makeList,
  make_set: makeSet,
  topk,
  histogram,
  arg_min: argExtreme('argMin'),
  arg_max: argExtreme('argMax'),
  any: aggregate('any', (invocation, value) => {
    const kind = value?.kind === 'null' ? 'dynamic' : (value as Value).kind
    return typed(kind, call(invocation, 'any', (value as Value).as(kind === 'dynamic' ? 'json' : 'plain')), {
      type: (value as Value).type,
    })
  }),
  rate: aggregate('number?', (invocation, value) => {
    const total = value ? call(invocation, 'sum', realOf(value)) : `toFloat64(${call(invocation, 'count', '')})`
    return typed('real', `(${total} / ${invocation.context.binder.real(invocation.seconds)})`)
  }),
}

/** Other names for the same aggregation. */
export const AGGREGATE_ALIASES: Readonly<Record<string, string>> = {
  take_any: 'any',
  make_list_if: 'make_listif',
  make_set_if: 'make_setif',
}

/** The aggregation under a name, and whether its last argument is a condition. */
export function findAggregate(name: string): { definition: AggregateDefinition; conditional: boolean } | undefined {
  const known = Object.hasOwn(AGGREGATE_ALIASES, name) ? (AGGREGATE_ALIASES[name] as string) : name
  if (Object.hasOwn(AGGREGATES, known)) return { definition: AGGREGATES[known] as AggregateDefinition, conditional: false }
  const base = known.endsWith('if') ? known.slice(0, -2) : ''
  return Object.hasOwn(AGGREGATES, base) ? { definition: AGGREGATES[base] as AggregateDefinition, conditional: true } : undefined
}
