/**
 * Binning: rounding down to a multiple.
 * Deliberately not here: grouping by the bins.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { STORABLE_FIRST_NS } from '@deployment-annotations/contract/timestamp'
import { mismatch } from '../error.ts'
import { unquoted } from '../mistakes/values.ts'
import { isMixed, overNumbers, partOf } from '../sql/mixed.ts'
import { typed, type Value } from '../sql/value.ts'
import { INTEGER_MAX, type LiteralValue, literalAmount } from '../text/literal.ts'
import type { Call, Expression } from '../tree/ast.ts'
import type { Context } from './context.ts'
import { countUnits, unitNsOf } from './units.ts'

/** The column of the events' times, in no other place. */
const EVENT_TIME = '_time'

/** Sizes that read well on a chart. */
const AUTO_SIZES: readonly bigint[] = [
  ...[1n, 5n, 10n, 15n, 30n, 60n, 120n, 300n, 600n, 900n, 1_800n].map((seconds) => seconds * UNIT_NS.s),
  ...[1n, 2n, 3n, 6n, 12n, 24n, 48n, 168n, 336n, 720n].map((hours) => hours * UNIT_NS.h),
]

/** About as many bins as a chart has room for. */
const AUTO_BINS_MAX = 120n

/** The bin size of `bin_auto`: the caller's resolution, or the smallest readable size that gives at most {@link AUTO_BINS_MAX} bins. */
export function autoBinNs({ range, resolutionNs }: Context): bigint {
  const length = range.endNs - range.startNs
  if (resolutionNs !== undefined) return resolutionNs === 'range' ? length : resolutionNs
  return AUTO_SIZES.find((size) => length <= size * AUTO_BINS_MAX) ?? (AUTO_SIZES.at(-1) as bigint)
}

/** The bin of `bin_auto`. Bins of a fixed size would cut a range that is as long in two. */
export function autoBin(value: Value, context: Context): Value {
  if (context.resolutionNs !== 'range') return binValue(value, { type: 'timespan', ns: autoBinNs(context) }, context)
  context.warn('likely_mistake', 'bin_auto() makes one bin of the whole range of a monitor, as if it were left out')
  return context.literal({ type: 'datetime', ns: context.range.startNs })
}

type BinSize = Extract<LiteralValue, { type: 'integer' | 'real' | 'timespan' }>

/** A size given as a constant: a number, or a timespan. */
export function binSize(expression: Expression | undefined, context: Context, call: Call): BinSize {
  if (!expression) throw mismatch(`${call.name}() takes a size`, call.span)
  const literal = context.constant(expression, `the size of ${call.name}()`)
  if (Number(literalAmount(literal) ?? 0) <= 0) {
    throw mismatch(`the size of ${call.name}() must be a positive number or timespan`, expression.span, unquoted(literal))
  }
  return literal as BinSize
}

/** The value rounded down to a multiple of the size, counted from 0 or from 1970-01-01. */
export function binValue(value: Value, given: BinSize, context: Context): Value {
  const size = given.type === 'timespan' ? sizeBeside(value, given, context) : given
  const isSpan = partOf(value, 'timespan') && !partOf(value, 'datetime')
  const mayBeTime = (value.kind === 'dynamic' || value.kind === 'string') && size.type === 'timespan' && !isSpan
  const isTime = value.kind === 'datetime' || mayBeTime
  if (isTime) {
    const stepNs = size.type === 'timespan' ? size.ns : BigInt(Math.trunc(Number(size.value)))
    return typed('datetime', `fromUnixTimestamp64Nano(${binNs(value.as('time'), stepNs, context)}, 'UTC')`, {
      nullable: value.nullable,
    })
  }
  if (size.type === 'integer' && isMixed(value)) {
    const [whole, real] = [context.literal(size).as('plain'), context.literal(size).as('number')]
    return overNumbers(
      value,
      (x) => `(${x} - positiveModulo(${x}, ${whole}))`,
      (x) => floorTo(size, x, real),
    )
  }
  if (size.type === 'real' || (value.kind !== 'integer' && value.kind !== 'timespan')) {
    const step = context.literal(size).as('number')
    return typed(size.type === 'timespan' ? 'timespan' : 'real', floorTo(size, value.as('number'), step))
  }
  const step = context.literal(size).as('plain')
  const x = value.as('plain')
  return typed(value.kind, `(${x} - positiveModulo(${x}, ${step}))`)
}

/** A length of time as the size of bins of a number: in the unit of the number, where that is known. */
function sizeBeside(value: Value, size: BinSize & { type: 'timespan' }, context: Context): BinSize {
  if (value.kind !== 'integer' && value.kind !== 'real') return size
  const ns = unitNsOf(value)
  if (ns === undefined) {
    const hint = `where it is milliseconds, write ${Number(size.ns) / 1e6}`
    context.warn('likely_mistake', `bins of a number have the size of a timespan, which is a number of nanoseconds: ${hint}`)
    return size
  }
  return countUnits(size.ns, ns)
}

/**
 * The start of a bin in nanoseconds. A division takes the engine half as long as a remainder, but cuts off toward 0, and so the times of
 * events, whose first and last are known, are counted from a start of a bin before all of them. Beyond 2^63 only unsigned numbers go on.
 */
function binNs(time: string, stepNs: bigint, { binder }: Context): string {
  const ns = `toUnixTimestamp64Nano(${time})`
  const before = stepNs * -(STORABLE_FIRST_NS / stepNs - 1n)
  if (time !== EVENT_TIME || before > INTEGER_MAX) {
    const step = binder.integer(stepNs)
    return `${ns} - positiveModulo(${ns}, ${step})`
  }
  const [step, shift] = [binder.bind('UInt64', String(stepNs)), binder.integer(before)]
  return `toInt64(intDiv(toUInt64(${ns} + ${shift}), ${step}) * ${step}) - ${shift}`
}

function floorTo(size: BinSize, x: string, step: string): string {
  const sql = `(floor(toFloat64(${x}) / ${step}) * ${step})`
  return size.type === 'timespan' ? `accurateCastOrNull(${sql}, 'Int64')` : sql
}
