/**
 * What numbers count: `duration_ms` is milliseconds, and so is what is computed of it. Beside a length of time, a point in time or a number
 * in another unit, all are read in one unit. Where a number is known to count nothing in particular, it is nanoseconds, and the author is
 * told what to write.
 * Deliberately not here: which names tell a unit; see `packages/contract/src/unit.ts`.
 */
import { nanosecondsOf, unitOfField } from '@deployment-annotations/contract/unit'
import { calculate } from './arithmetic.ts'
import type { Binary, Expression } from './ast.ts'
import type { Context } from './context.ts'
import type { Edit } from './error.ts'
import { dottedName } from './expression-name.ts'
import { TEXT_OPERATORS } from './infix.ts'
import { type Kind, timeOfNs, typed, type Value } from './value.ts'

interface Operand {
  readonly value: Value
  readonly node: Expression
}

const NUMERIC: ReadonlySet<Kind> = new Set(['integer', 'real'])
const isNumber = ({ kind, literal }: Value) => NUMERIC.has(kind) && !literal

/** Nanoseconds of one, where the value counts a time. */
const nsOf = ({ quantity }: Value): bigint | undefined => quantity?.unit && nanosecondsOf(quantity.unit)

/**
 * @param written how the comparison is written with numbers
 * @returns values as they are to be used beside a number
 */
export function besideNumber(
  others: readonly Operand[],
  { value: number, node }: Operand,
  written: (counts: readonly string[]) => string,
  context: Context,
): Value[] {
  const values = others.map(({ value }) => value)
  if (!number.quantity && !isNumber(number) && (number.kind !== 'dynamic' || number.literal)) return values
  if (number.quantity?.unit === undefined && values.some(({ kind }) => kind === 'timespan'))
    warnOfSpans(others, node, written, context)
  return values.map((value) => inUnitOf(number, value, node, context))
}

/** A length of time, or a number of another unit of time, as a number in the unit of the first. */
function inUnitOf(number: Value, value: Value, { span }: Expression, context: Context): Value {
  const [ns, other] = [nsOf(number), nsOf(value)]
  if (ns === undefined || (value.kind !== 'timespan' && (other === undefined || other === ns))) return value
  const { quantity } = number
  if (value.kind !== 'timespan') {
    const [operator, factor] =
      (other as bigint) > ns ? (['*', (other as bigint) / ns] as const) : (['/', ns / (other as bigint)] as const)
    const by = context.literal(operator === '*' ? { type: 'integer', value: factor } : { type: 'real', value: Number(factor) })
    return { ...calculate({ operator, left: value, right: by, context, span }), ...(quantity && { quantity }) }
  }
  const { literal } = value
  if (literal?.type !== 'timespan') return ns === 1n ? value : typed('real', `(toFloat64(${value.as('span')}) / ${ns})`)
  return literal.ns % ns === 0n
    ? context.literal({ type: 'integer', value: literal.ns / ns })
    : context.literal({ type: 'real', value: Number(literal.ns) / Number(ns) })
}

/** Milliseconds are what most programs count in. */
const MS = 1_000_000

function warnOfSpans(
  spans: readonly Operand[],
  number: Expression,
  written: Parameters<typeof besideNumber>[2],
  context: Context,
): void {
  const name = dottedName(number)
  const what = name === undefined ? 'a number' : `the number "${name}"`
  const counts = spans.map(({ value: { literal } }) =>
    literal?.type === 'timespan' ? String(Number(literal.ns) / MS) : literal?.type === 'integer' ? String(literal.value) : '',
  )
  const arePlain = counts.every((count) => /^-?\d+(?:\.\d+)?$/.test(count))
  const hint = arePlain ? `where it is milliseconds, write ${name ?? '…'} ${written(counts)}` : 'write a number in its unit'
  context.warn(
    'likely_mistake',
    `${what} is compared with a timespan, which is a number of nanoseconds: ${hint}`,
    arePlain ? spans.map(({ node }, at) => ({ span: node.span, text: counts[at] as string })) : undefined,
  )
}

/** Two operands in one unit: that of the number beside a length of time, and that of the first of two numbers. */
export function inOneUnit({ left, right, operator }: Binary, a: Value, b: Value, context: Context): [Value, Value] {
  if (operator === '*' || TEXT_OPERATORS.has(operator)) return [a, b]
  const [first, second] = [
    { value: a, node: left },
    { value: b, node: right },
  ]
  if (a.kind === 'datetime' || b.kind === 'datetime')
    return [besideTime(operator, first, second, context), besideTime(operator, second, first, context)]
  const written = (sign: string) => (counts: readonly string[]) => `${sign} ${counts}`
  const [ofSecond] = besideNumber([second], first, written(operator), context)
  const [ofFirst] = a.kind === 'timespan' ? besideNumber([first], second, written(MIRRORED[operator] ?? operator), context) : [a]
  return [ofFirst as Value, ofSecond as Value]
}

/** The same comparison from the other side. */
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** A number beside a point in time: added to it, it is a length of time; compared with it, it counts from 1970. */
function besideTime(operator: string, { value, node }: Operand, other: Operand, context: Context): Value {
  if (other.value.kind !== 'datetime' || (!isNumber(value) && !value.quantity)) return value
  const ns = nsOf(value)
  const isShift = operator === '+' || operator === '-'
  if (ns !== undefined) {
    const one = context.literal({ type: 'timespan', ns })
    const span = calculate({ operator: '*', left: value, right: one, context, span: node.span })
    return isShift ? span : typed('datetime', timeOfNs(span.as('span')))
  }
  const name = dottedName(node)
  if (!value.quantity || name === undefined) return value
  const { start, end } = node.span
  const [what, before, after] = isShift
    ? ['is added to a time', '', ' * 1ms']
    : ['is compared with a time', 'unixtime_milliseconds_todatetime(', ')']
  context.warn(
    'likely_mistake',
    `the number "${name}" ${what} as a number of nanoseconds: where it is milliseconds, write ${before}${name}${after}`,
    [
      { span: { start, end: start }, text: before },
      { span: { start: end, end }, text: after },
    ].filter(({ text }): boolean => text !== '') satisfies Edit[],
  )
  return value
}

type Quantity = Pick<Value, 'quantity'>
const UNKNOWN: Quantity = { quantity: {} }

/** What numbers that stand for one another count: one unit where all that have one agree. */
export function commonQuantity(values: readonly Value[]): Quantity {
  const counting = values.filter(({ quantity }) => quantity)
  if (counting.length === 0) return {}
  const units = new Set(counting.flatMap(({ quantity }) => quantity?.unit ?? []))
  const [unit] = units
  return units.size === 1 && unit !== undefined ? { quantity: { unit } } : UNKNOWN
}

/** What the result of a calculation counts. Multiplied by 1000 it may count in another unit, by 2 it does not. */
export function withQuantity(operator: string, [left, right]: readonly [Value, Value], result: Value): Value {
  if (!NUMERIC.has(result.kind)) return result
  return { ...result, ...quantityOf(operator, left, right) }
}

function quantityOf(operator: string, left: Value, right: Value): Quantity {
  if (operator === '%') return commonQuantity([left])
  if (operator === '+' || operator === '-') return commonQuantity([left, right])
  // A share of two of the same has no unit, and a product of two has one that nobody needs.
  if (right.quantity?.unit && (operator === '/' || left.quantity?.unit)) return {}
  const keeps = [left, right].every(({ literal }) => !literal || isSmall(literal))
  const quantity = commonQuantity(operator === '/' ? [left] : [left, right])
  return keeps || !quantity.quantity ? quantity : UNKNOWN
}

function isSmall(literal: NonNullable<Value['literal']>): boolean {
  const size = literal.type === 'integer' || literal.type === 'real' ? Math.abs(Number(literal.value)) : 0
  return size > 0.1 && size < 10
}

/** A column under the name that the query gives it, which tells the unit of what is known to have none. */
export function withName(name: string | undefined, value: Value): Value {
  if (name === undefined || !isNumber(value) || value.quantity?.unit !== undefined) return value
  const unit = unitOfField(name)
  return unit === undefined ? value : { ...value, quantity: { unit } }
}

/** Values of which one is chosen, lengths of time among them in the unit of the numbers. */
export function inCommonUnit(values: readonly Value[], node: Expression, context: Context): readonly Value[] {
  const number = values.find((value) => isNumber(value) && nsOf(value) !== undefined)
  return number === undefined ? values : values.map((value) => inUnitOf(number, value, node, context))
}
