/**
 * `+ - * / %` and negation, over numbers, points in time and timespans. What is known now is calculated now. Added and subtracted,
 * a text is the point in time that it spells.
 * What is always whole, such as a count, divides to a whole number, cut, and any other number to a decimal, so that the quotient of one
 * event does not depend on the others. What is left over is never negative; a division by zero is NULL.
 * An integer that does not fit 64 bits is an error, here or when the query runs.
 * Deliberately not here: text; texts are joined with strcat().
 */

import { mismatch, type Span } from '../error.ts'
import { isKind, isMixed, isOfTimes, mixed, numbers, overNumbers, partsOf, wholeOf } from '../sql/mixed.ts'
import { fitted, isWhole, NULL, realOf, timeOfNs, typed, type Value, wholeIf } from '../sql/value.ts'
import type { ArithmeticOperator } from '../text/infix.ts'
import {
  INTEGER_MAX,
  INTEGER_MIN,
  isNumberText,
  type LiteralValue,
  literalNumber,
  negated,
  parseDatetime,
  parseTimespan,
} from '../text/literal.ts'
import type { Context, Operation } from './context.ts'

type Arithmetic = Operation<ArithmeticOperator>

export function calculate(operation: Arithmetic): Value {
  const { operator, left, right, context } = operation
  if (left.kind === 'null' || right.kind === 'null') return NULL
  refuseText(operation)
  if (left.literal && right.literal) {
    const folded = fold(operation, left.literal, right.literal)
    if (folded) return folded.type === 'datetime' ? context.time(folded.ns, operation.span) : context.literal(folded)
  }
  const ofTexts = '+-'.includes(operator) ? calculateTexts(operation) : undefined
  return ofTexts ?? calculateKinds(operation)
}

/** Only of a monitor, which compares the quotient with a threshold that was chosen for whole numbers perhaps. */
const QUOTIENT =
  'a quotient of whole numbers of events has decimals now: check the threshold, or write toint(a / b); this goes with any change of the monitor'

/** Each operand is read as what it is known to be. */
function calculateKinds(operation: Arithmetic): Value {
  const { operator, left, right, context } = operation
  if (left.kind === 'datetime' || right.kind === 'datetime') return shiftTime(operation)
  if (left.kind === 'timespan' || right.kind === 'timespan') return scaleSpan(operation)
  const areWhole = isWhole(left) && isWhole(right)
  const [a, b] = [wholeOf(left), wholeOf(right)]
  const whole = a && b && (areWhole || operator !== '/') ? integers(operator, a, b) : undefined
  if (a && b && operator === '/' && !areWhole && context.resolutionNs === 'range') context.warn('quotient_changed', QUOTIENT)
  if (whole && !isMixed(left) && !isMixed(right)) {
    const isQuotient = operator === '/' || left.whole === 'quotient' || right.whole === 'quotient'
    return wholeIf(areWhole, typed('integer', whole), isQuotient ? 'quotient' : 'number')
  }
  const [x, y] = [realOf(left), realOf(right)]
  const real = floats(operator, x, y)
  // In rows in which both are whole numbers it is calculated with whole numbers.
  if (whole) return numbers(whole, `if(isNotNull(${a}) AND isNotNull(${b}), NULL, ${real})`)
  return typed('real', real, operator === '/' ? { views: { ieee: `(${x} / ${y})` } } : {})
}

/** What is divided by 0 is missing to all but the functions that ask for just this: an infinite value would swallow every sum. */
function floats(operator: ArithmeticOperator, a: string, b: string): string {
  if (operator === '%') return `positiveModuloOrNull(${a}, ${b})`
  return operator === '/' ? `divideOrNull(${a}, ${b})` : `(${a} ${operator} ${b})`
}

/** The point in time that a value is, or that its text spells; `undefined` where it never does. */
function timeOf(value: Value, beside: Value): Value | undefined {
  if (value.kind === 'datetime') return value
  if (isNumeric(value)) return undefined
  const [time, ...others] = partsOf(value).flatMap((part) => (/^(?:string|datetime)$/.test(part.kind) ? part.as('time') : []))
  if (time === undefined) return undefined
  // Beside a time a number is one, too.
  const all = others.length > 0 ? `coalesce(${[time, ...others].join(', ')})` : time
  return typed('datetime', beside.kind === 'datetime' ? value.as('time') : all)
}

/** @returns `undefined` where no text is a point in time: beside a number, or in a sum of two */
function calculateTexts(operation: Arithmetic): Value | undefined {
  const { operator, left, right } = operation
  const [from, to] = [timeOf(left, right), timeOf(right, left)]
  const isMoved = left.kind === 'timespan' ? operator === '+' && to : right.kind === 'timespan' && from
  if (!isMoved && !(operator === '-' && from && to)) return undefined
  const ofTimes = shiftTime({ ...operation, left: from ?? left, right: to ?? right })
  if (from === left || to === right || (isOfTimes(left) && isOfTimes(right))) return ofTimes
  if (isMoved) {
    const withoutTexts = (value: Value) =>
      isMixed(value) ? mixed(partsOf(value).filter(({ kind }) => kind !== 'string')) : value
    const { kind, as } = calculateKinds({ ...operation, left: withoutTexts(left), right: withoutTexts(right) })
    return mixed([...partsOf(ofTimes), typed(kind, `if(isNull(${ofTimes.as('plain')}), ${as('plain')}, NULL)`)])
  }
  // Two texts are points in time, also where both are digits; beside a number those are a number.
  const areTexts = `(${isKind(left, 'string')} AND ${isKind(right, 'string')})`
  const ofNumbers = partsOf(calculateKinds(operation)).map(({ kind, as }) => typed(kind, `if(${areTexts}, NULL, ${as('plain')})`))
  const isNone = `${areTexts} OR isNull(${floats(operator, realOf(left), realOf(right))})`
  return mixed([...ofNumbers, typed(ofTimes.kind, `if(${isNone}, ${ofTimes.as('plain')}, NULL)`)])
}

/** Whether a text is a constant that spells a number. */
const isNumeric = ({ literal }: Value) => literal?.type === 'string' && isNumberText(literal.value)

/** Texts cannot be calculated with. A field that holds texts may still hold the digits of numbers. */
function refuseText(operation: Arithmetic): void {
  const { operator, left, right, span } = operation
  const both = left.kind === 'string' && right.kind === 'string'
  if (both && operator === '+') throw mismatch('texts cannot be added', span, 'texts are joined with strcat(a, b)')
  for (const [value, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (value.literal?.type !== 'string' || isNumeric(value)) continue
    const text = value.literal.value
    if (operator === '-' && timeOf(other, value) && parseDatetime(text)) continue
    throw mismatch(
      `the text "${text.slice(0, 40)}" cannot be used with "${operator}"`,
      span,
      parseTimespan(text) ? `write ${text} without quotes` : 'a constant to calculate with is written without quotes',
    )
  }
}

export function negate(value: Value, context: Context, span: Span): Value {
  if (value.kind === 'string' && !isNumeric(value))
    throw mismatch('a text has no negative', span, 'sort is descending unless asc is written, and project-away takes fields away')
  const literal = value.literal && negated(value.literal)
  if (literal) return context.literal(literal)
  if (value.kind === 'null') return NULL
  if (value.kind === 'integer' || value.kind === 'timespan')
    return typed(value.kind, fitted(`negate(toInt128(${value.as('plain')}))`))
  return overNumbers(
    value,
    (x) => fitted(`negate(toInt128(${x}))`),
    (x) => `negate(${x})`,
  )
}

function integers(operator: ArithmeticOperator, a: string, b: string): string {
  return operator === '/' ? `intDivOrNull(${a}, ${b})` : operator === '%' ? leftOver(a, b) : wide(a, operator, b)
}

/** Never negative. The engine gives it a type without a sign, beside which another number would lose its own. */
const leftOver = (a: string, b: string) => `toInt64(positiveModuloOrNull(${a}, ${b}))`

/** In 128 bits, where nothing can wrap around. */
const wide = (a: string, operator: ArithmeticOperator, b: string) => fitted(`toInt128(${a}) ${operator} ${b}`)

const asNs = (value: Value) => (value.kind === 'datetime' ? `toUnixTimestamp64Nano(${value.as('plain')})` : value.as('span'))

function shiftTime({ operator, left, right, span }: Arithmetic): Value {
  const both = left.kind === 'datetime' && right.kind === 'datetime'
  if (both && operator === '-') return typed('timespan', wide(asNs(left), operator, asNs(right)))
  for (const { literal } of [left, right]) {
    const amount = literalNumber(literal) ?? 0
    // The number would count nanoseconds, and so few of them are never meant.
    if (Number(amount) !== 0 && Math.abs(Number(amount)) < 1e6)
      throw mismatch(
        'a point in time is moved by a timespan, not by a number',
        span,
        `write ${amount}s, ${amount}m or ${amount}h`,
      )
  }
  if (!both && (operator === '+' || (operator === '-' && left.kind === 'datetime')))
    return typed('datetime', timeOfNs(`toInt128(${asNs(left)}) ${operator} ${asNs(right)}`))
  throw mismatch(`a point in time cannot be used with "${operator}" here`, span)
}

function scaleSpan({ operator, left, right, span }: Arithmetic): Value {
  const both = left.kind === 'timespan' && right.kind === 'timespan'
  if (operator === '+' || operator === '-') return typed('timespan', wide(left.as('span'), operator, right.as('span')))
  if (operator === '/' && right.kind === 'timespan')
    return typed('real', `divideOrNull(toFloat64(${left.as('number')}), toFloat64(${right.as('span')}))`)
  if (operator === '%' && right.kind === 'timespan') return typed('timespan', leftOver(left.as('span'), right.as('span')))
  if (both || operator === '%') throw mismatch(`timespans cannot be used with "${operator}" here`, span)
  const amount = floats(operator, realOf(left), realOf(right))
  return typed('timespan', `accurateCastOrNull(trunc(${amount}), 'Int64')`)
}

/** The result over constants, where it is simple and exact. */
function fold({ operator, span }: Arithmetic, a: LiteralValue, b: LiteralValue): LiteralValue | undefined {
  const inRange = (type: 'integer' | 'timespan', value: bigint | undefined): LiteralValue | undefined => {
    if (value === undefined) return undefined
    if (value > INTEGER_MAX || value < INTEGER_MIN)
      throw mismatch('the result does not fit 64 bits', span, 'calculate with toreal(x)')
    return type === 'integer' ? { type, value } : { type, ns: value }
  }
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
  if (operator === '/') return b === 0n ? undefined : a / b
  if (operator === '%') return b === 0n ? undefined : ((a % b) + absolute(b)) % absolute(b)
  return operator === '+' ? a + b : operator === '-' ? a - b : a * b
}

const absolute = (value: bigint) => (value < 0n ? -value : value)
