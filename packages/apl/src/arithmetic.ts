/**
 * `+ - * / %` and negation, over numbers, points in time and timespans. What is known now is calculated now.
 * An integer divided by an integer is an integer, cut; a division by zero is NULL.
 * Deliberately not here: text; texts are joined with strcat().
 */
import type { ArithmeticOperator } from './ast.ts'
import type { Context, Operation } from './context.ts'
import { CompileError } from './error.ts'
import { INTEGER_MAX, INTEGER_MIN, type LiteralValue } from './literal.ts'
import { NULL, realOf, typed, type Value } from './value.ts'

type Arithmetic = Operation<ArithmeticOperator>

export function calculate(operation: Arithmetic): Value {
  const { operator, left, right, context } = operation
  if (left.kind === 'null' || right.kind === 'null') return NULL
  if (left.literal && right.literal) {
    const folded = fold(operator, left.literal, right.literal)
    if (folded) return context.literal(folded)
  }
  if (left.kind === 'datetime' || right.kind === 'datetime') return shiftTime(operation)
  if (left.kind === 'timespan' || right.kind === 'timespan') return scaleSpan(operation)
  if (left.kind === 'integer' && right.kind === 'integer') return integers(operator, left.as('plain'), right.as('plain'))
  const [a, b] = [realOf(left), realOf(right)]
  if (operator === '%') return typed('real', `if(${b} = 0, NULL, ${a} - floor(${a} / ${b}) * ${b})`)
  return typed('real', operator === '/' ? `divideOrNull(${a}, ${b})` : `(${a} ${operator} ${b})`)
}

export function negate(value: Value, context: Context): Value {
  const { literal } = value
  if (literal?.type === 'integer') return context.literal({ type: 'integer', value: -literal.value })
  if (literal?.type === 'real') return context.literal({ type: 'real', value: -literal.value })
  if (literal?.type === 'timespan') return context.literal({ type: 'timespan', ns: -literal.ns })
  if (value.kind === 'null') return NULL
  if (value.kind === 'integer' || value.kind === 'timespan') return typed(value.kind, `negate(${value.as('plain')})`)
  return typed('real', `negate(toFloat64(${value.as('number')}))`)
}

function integers(operator: ArithmeticOperator, a: string, b: string): Value {
  if (operator === '/') return typed('integer', `intDivOrNull(${a}, ${b})`)
  return typed('integer', operator === '%' ? `moduloOrNull(${a}, ${b})` : `(${a} ${operator} ${b})`)
}

const asNs = (value: Value) => (value.kind === 'datetime' ? `toUnixTimestamp64Nano(${value.as('plain')})` : value.as('span'))

function shiftTime({ operator, left, right, span }: Arithmetic): Value {
  const both = left.kind === 'datetime' && right.kind === 'datetime'
  if (both && operator === '-') return typed('timespan', `(${asNs(left)} - ${asNs(right)})`)
  if (!both && (operator === '+' || (operator === '-' && left.kind === 'datetime'))) {
    // A text or an untyped field beside a point in time is one itself when subtracted.
    if (operator === '-' && (right.kind === 'string' || right.kind === 'dynamic'))
      return typed('timespan', `(${asNs(left)} - toUnixTimestamp64Nano(${right.as('time')}))`)
    return typed('datetime', `fromUnixTimestamp64Nano(${asNs(left)} ${operator} ${asNs(right)}, 'UTC')`)
  }
  throw new CompileError('type_mismatch', `a point in time cannot be used with "${operator}" here`, span)
}

function scaleSpan({ operator, left, right, span }: Arithmetic): Value {
  const both = left.kind === 'timespan' && right.kind === 'timespan'
  if (operator === '+' || operator === '-') return typed('timespan', `(${left.as('span')} ${operator} ${right.as('span')})`)
  if (operator === '/' && right.kind === 'timespan')
    return typed('real', `divideOrNull(toFloat64(${left.as('number')}), toFloat64(${right.as('span')}))`)
  if (operator === '%' && right.kind === 'timespan')
    return typed('timespan', `moduloOrNull(${left.as('span')}, ${right.as('span')})`)
  if (both || operator === '%') throw new CompileError('type_mismatch', `timespans cannot be used with "${operator}" here`, span)
  const [a, b] = [realOf(left), realOf(right)]
  return typed(
    'timespan',
    `accurateCastOrNull(trunc(${operator === '/' ? `divideOrNull(${a}, ${b})` : `(${a} * ${b})`}), 'Int64')`,
  )
}

/** The result over constants, where it is simple and exact. */
function fold(operator: ArithmeticOperator, a: LiteralValue, b: LiteralValue): LiteralValue | undefined {
  if (a.type === 'integer' && b.type === 'integer') return inRange('integer', wholeNumbers(operator, a.value, b.value))
  if (a.type === 'timespan' && b.type === 'timespan' && (operator === '+' || operator === '-'))
    return inRange('timespan', wholeNumbers(operator, a.ns, b.ns))
  if (a.type === 'timespan' && b.type === 'integer' && (operator === '*' || operator === '/'))
    return inRange('timespan', wholeNumbers(operator, a.ns, b.value))
  if (a.type === 'integer' && b.type === 'timespan' && operator === '*') return inRange('timespan', a.value * b.ns)
  if (a.type === 'datetime' && b.type === 'timespan' && (operator === '+' || operator === '-'))
    return { type: 'datetime', ns: operator === '+' ? a.ns + b.ns : a.ns - b.ns }
  if (a.type === 'timespan' && b.type === 'datetime' && operator === '+') return { type: 'datetime', ns: a.ns + b.ns }
  if (a.type === 'datetime' && b.type === 'datetime' && operator === '-') return inRange('timespan', a.ns - b.ns)
  return undefined
}

function wholeNumbers(operator: ArithmeticOperator, a: bigint, b: bigint): bigint | undefined {
  if (operator === '/' || operator === '%') return b === 0n ? undefined : operator === '/' ? a / b : a % b
  return operator === '+' ? a + b : operator === '-' ? a - b : a * b
}

function inRange(type: 'integer' | 'timespan', value: bigint | undefined): LiteralValue | undefined {
  if (value === undefined || value > INTEGER_MAX || value < INTEGER_MIN) return undefined
  return type === 'integer' ? { type, value } : { type, ns: value }
}
