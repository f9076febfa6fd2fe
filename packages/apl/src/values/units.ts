/**
 * What numbers count. It is known by the names of fields, and goes through what is computed of them. Beside a timespan, a point in time or
 * a number of another unit, both are read in one unit; where the unit of a number is not known, a warning says how it is read.
 * Deliberately not here: which names tell a unit, see `packages/contract/src/unit.ts`; what is made of the two values.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { nanosecondsOf } from '@deployment-annotations/contract/unit'
import { around, behind, type Span } from '../error.ts'
import { partOf } from '../sql/mixed.ts'
import { commonQuantity, isNumber, type Quantity, timeOfNs, typed, UNKNOWN, type Value } from '../sql/value.ts'
import { TEXT_OPERATORS } from '../text/infix.ts'
import { literalNumber } from '../text/literal.ts'
import type { Binary, Expression } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import { calculate } from './arithmetic.ts'
import type { Context } from './context.ts'

/** An operand: what it is, and where it is written. */
interface Operand {
  readonly value: Value
  readonly node: Expression
}

/** Nanoseconds of one, where the value counts a time. */
export const unitNsOf = ({ quantity }: Value): bigint | undefined =>
  quantity?.unit === 'd' ? UNIT_NS.d : quantity?.unit && nanosecondsOf(quantity.unit)

/**
 * @param written the comparison as it is written with these numbers, for the warning about a timespan
 * @returns the values of the others in the unit of the number
 */
export function besideNumber(
  others: readonly Operand[],
  { value: number, node }: Operand,
  written: (counts: readonly string[]) => string,
  context: Context,
): Value[] {
  const values = others.map(({ value }) => value)
  const isUntyped = number.kind === 'dynamic' && !number.literal && !partOf(number, 'timespan')
  if (!number.quantity && !isNumber(number) && !isUntyped) return values
  if (unitNsOf(number) === undefined && values.some(({ kind }) => kind === 'timespan'))
    warnOfTimespans(others, node, written, context)
  return values.map((value) => inUnitOf(number, value, node.span, context))
}

/** A timespan, or a number of another unit of time, as a number in the unit of the first. */
function inUnitOf(number: Value, value: Value, span: Span, context: Context): Value {
  const ns = unitNsOf(number)
  if (ns === undefined) return value
  if (value.kind === 'timespan') return timespanAsNumber(value, ns, context)
  // A day of the week is a number of days beside a timespan alone.
  const other = [number, value].some(({ quantity }) => quantity?.unit === 'd') ? undefined : unitNsOf(value)
  if (other === undefined || other === ns) return value
  const { quantity } = number
  const converted =
    other > ns
      ? calculate({ operator: '*', left: value, right: context.literal({ type: 'integer', value: other / ns }), context, span })
      : calculate({
          operator: '/',
          left: value,
          right: context.literal({ type: 'real', value: Number(ns / other) }),
          context,
          span,
        })
  return { ...converted, ...(quantity && { quantity }) }
}

/** How many units of so many nanoseconds a timespan has. */
function timespanAsNumber(value: Value, ns: bigint, context: Context): Value {
  const { literal } = value
  if (literal?.type !== 'timespan') return ns === 1n ? value : typed('real', `(toFloat64(${value.as('span')}) / ${ns})`)
  return context.literal(countUnits(literal.ns, ns))
}

/** A number of nanoseconds as one of units: whole where it can be. */
export const countUnits = (length: bigint, ns: bigint) =>
  length % ns === 0n
    ? ({ type: 'integer', value: length / ns } as const)
    : ({ type: 'real', value: Number(length) / Number(ns) } as const)

/** Milliseconds are what most programs count in. */
const MS = 1_000_000

function warnOfTimespans(
  timespans: readonly Operand[],
  number: Expression,
  written: Parameters<typeof besideNumber>[2],
  context: Context,
): void {
  const name = dottedName(number)
  const what = name === undefined ? 'a number' : `the number "${name}"`
  const counts = timespans.map(({ value: { literal } }) =>
    literal?.type === 'timespan' ? String(Number(literal.ns) / MS) : literal?.type === 'integer' ? String(literal.value) : '',
  )
  const arePlain = counts.every((count) => /^-?\d+(?:\.\d+)?$/.test(count))
  const hint = arePlain ? `where it is milliseconds, write ${name ?? '…'} ${written(counts)}` : 'write a number in its unit'
  context.warn(
    'likely_mistake',
    `${what} is compared with a timespan, which is a number of nanoseconds: ${hint}`,
    arePlain ? timespans.map(({ node }, at) => ({ span: node.span, text: counts[at] as string })) : undefined,
  )
}

/** The same comparison from the other side. */
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** Two operands in one unit: that of the number beside a timespan, and that of the first of two numbers. */
export function inOneUnit({ left, right, operator }: Binary, a: Value, b: Value, context: Context): readonly [Value, Value] {
  // What is added to or subtracted from an untyped value may be beside a point in time.
  const isUnsure = /^[-+]$/.test(operator) && [a, b].some(({ kind, quantity }) => kind === 'dynamic' && !quantity?.unit)
  if (operator === '*' || TEXT_OPERATORS.has(operator) || isUnsure) return [a, b]
  const [first, second] = [
    { value: a, node: left },
    { value: b, node: right },
  ]
  if (a.kind === 'datetime' || b.kind === 'datetime')
    return [besideTime(operator, first, second, context), besideTime(operator, second, first, context)]
  const besideOne = (value: Operand, number: Operand, sign: string) =>
    besideNumber([value], number, ([count]) => `${sign} ${count}`, context)[0] as Value
  const inUnitOfFirst = besideOne(second, first, operator)
  return [a.kind === 'timespan' ? besideOne(first, second, MIRRORED[operator] ?? operator) : a, inUnitOfFirst]
}

/** A number beside a point in time: added to it, it is a timespan; compared with it, it counts from 1970. */
function besideTime(operator: string, { value, node }: Operand, other: Operand, context: Context): Value {
  if (other.value.kind !== 'datetime' || (!isNumber(value) && !value.quantity)) return value
  const ns = unitNsOf(value)
  const isShift = operator === '+' || operator === '-'
  if (ns !== undefined) {
    const one = context.literal({ type: 'timespan', ns })
    const timespan = calculate({ operator: '*', left: value, right: one, context, span: node.span })
    return isShift ? timespan : typed('datetime', timeOfNs(timespan.as('span')))
  }
  const name = dottedName(node)
  if (!value.quantity || name === undefined) return value
  const warn = (what: string, instead: string, edits: Parameters<Context['warn']>[2]) =>
    context.warn(
      'likely_mistake',
      `the number "${name}" ${what} as a number of nanoseconds: where it is milliseconds, write ${instead}`,
      edits,
    )
  if (isShift) warn('is added to a time', `${name} * 1ms`, [behind(node.span, ' * 1ms')])
  else {
    const call = 'unixtime_milliseconds_todatetime('
    warn('is compared with a time', `${call}${name})`, around(node.span, call, ')'))
  }
  return value
}

/** What the result of a calculation counts. Multiplied by 1000 it may count in another unit, by 2 it does not. */
export function withQuantity(operator: string, [left, right]: readonly [Value, Value], result: Value): Value {
  return isNumber(result) ? { ...result, ...quantityOf(operator, left, right) } : result
}

function quantityOf(operator: string, left: Value, right: Value): Quantity {
  if (operator === '%') return commonQuantity([left])
  if (operator === '+' || operator === '-') return commonQuantity([left, right])
  // A share of two of the same has no unit, and the unit of a product of two is of no use.
  if (right.quantity?.unit && (operator === '/' || left.quantity?.unit)) return {}
  const keepsUnit = [left, right].every(({ literal }) => !literal || isSmall(literal))
  const quantity = commonQuantity(operator === '/' ? [left] : [left, right])
  return keepsUnit || !quantity.quantity ? quantity : UNKNOWN
}

function isSmall(literal: NonNullable<Value['literal']>): boolean {
  const size = Math.abs(Number(literalNumber(literal) ?? 0))
  return size > 0.1 && size < 10
}

/** Values of which one is chosen, timespans among them in the unit of the numbers. */
export function inCommonUnit(values: readonly Value[], { span }: Expression, context: Context): readonly Value[] {
  const number = values.find((value) => isNumber(value) && unitNsOf(value) !== undefined)
  return number === undefined ? values : values.map((value) => inUnitOf(number, value, span, context))
}
