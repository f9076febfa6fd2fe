/**
 * Comparing two values: which type they are compared as, and two-valued logic.
 * A literal decides: the other side is read as its type. NULL equals nothing, and differs from everything.
 * Deliberately not here: text operators such as `contains`.
 */

import { mismatch } from '../error.ts'
import { chooseParts, isMixed, isOfTimes, partsOf } from '../sql/mixed.ts'
import { boolean, folded, joined, type Kind, typed, type Value, type View, WHOLE_TEXT } from '../sql/value.ts'
import type { ComparisonOperator } from '../text/infix.ts'
import { INTEGER_MAX, INTEGER_MIN, isNumberText, literalNumber, parseDatetime, parseTimespan } from '../text/literal.ts'
import type { Operation } from './context.ts'

const NUMERIC = new Set<Kind>(['integer', 'real'])

export function compare(operation: Operation<ComparisonOperator>): Value {
  const { operator, left, right } = operation
  refuseTime(operation)
  if (operator === '=~' || operator === '!~') {
    const [a, b] = [left, right].map((value) => folded(value.as('text'))) as [string, string]
    return test(operator === '=~' ? '=' : '!=', a, b, true)
  }
  if (left.kind === 'null' || right.kind === 'null') {
    const other = left.kind === 'null' ? right : left
    if (operator === '==') return isNull(other)
    if (operator === '!=') return boolean(`(NOT ${isNull(other).as('truth')})`)
    return boolean('false')
  }
  const byParts = compareParts(operation)
  if (byParts) return byParts
  const [a, b] = [adapt(left, right, operation), adapt(right, left, operation)]
  const exact = compareWhole(a, b, operator === '==' ? '=' : operator)
  if (exact) return exact
  const view = commonView(a, b)
  return test(operator === '==' ? '=' : operator, a.as(view), b.as(view), a.nullable || b.nullable || view !== 'plain')
}

/** A smaller number beside a time would be one of the first days of 1970, which is never meant. */
const EARLY_NS = 1_000_000_000_000_000n

function refuseTime({ left, right, span }: Operation<ComparisonOperator>): void {
  for (const [time, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (time.kind !== 'datetime') continue
    const { literal } = other
    const isNumber =
      (literal?.type === 'integer' && literal.value < EARLY_NS) || (literal?.type === 'real' && literal.value < Number(EARLY_NS))
    if (!isNumber && other.kind !== 'timespan') continue
    throw mismatch(
      `a point in time is compared with a ${isNumber ? 'number' : 'length of time'}`,
      span,
      isNumber ? 'write datetime(2026-01-31), or ago(1h)' : 'write ago(1h), or now() - 1h',
    )
  }
}

/** The largest number up to which a float and the digits of a text cannot be confused. */
const FLOAT_EXACT_MAX = 2n ** 53n - 1n

/**
 * An integer beside a value that is only known as text or JSON, digit by digit: as floats 2^53 and 2^53 + 1 are equal. What is
 * not a whole number is compared as a float. For a small constant the float is exact, and cheaper.
 */
function compareWhole(a: Value, b: Value, operator: string): Value | undefined {
  const [whole, other] = a.kind === 'integer' ? [a, b] : [b, a]
  if (whole.kind !== 'integer' || (other.kind !== 'string' && other.kind !== 'dynamic') || other.literal) return undefined
  const { literal } = whole
  if (literal?.type === 'integer' && literal.value <= FLOAT_EXACT_MAX && literal.value >= -FLOAT_EXACT_MAX) return undefined
  const sql = (view: (value: Value) => string) => {
    const [left, right] = [a, b].map((value) => (value === whole ? value.as('plain') : view(value)))
    return `${left} ${operator} ${right}`
  }
  const digits = sql((value) => WHOLE_TEXT(value.as('text')))
  return ofNullable(operator, `ifNull(${digits}, ${sql((value) => value.as('number'))})`)
}

/**
 * Values that are of several types, row by row: each pair of kinds by the rule of those kinds.
 * @returns `undefined` where both sides are read in one view whatever their types are
 */
function compareParts(operation: Operation<ComparisonOperator>): Value | undefined {
  const { operator, left, right, context, span } = operation
  if (!isMixed(left) && !isMixed(right)) return undefined
  if (!isReadByKind(left, right, operator) || !isReadByKind(right, left, operator)) return undefined
  if (operator === '!=') {
    const isEqual = compareParts({ ...operation, operator: '==' })
    return isEqual && boolean(`(NOT ${isEqual.as('truth')})`)
  }
  const pairs = partsOf(left).flatMap((a) => partsOf(right).map((b) => [a, b] as const))
  const tests = pairs
    .filter(([a, b]) => mayCompare(a, b) && mayCompare(b, a))
    .map(([a, b]) => compare({ operator, left: a, right: b, context, span }))
  if (tests.length === 0) return boolean('false')
  return joined(tests, 'OR')
}

/** Whether it depends on the kind of a value how it is compared with another. */
function isReadByKind(value: Value, other: Value, operator: ComparisonOperator): boolean {
  const { literal, kind } = other
  if (kind === 'datetime' || kind === 'timespan') return false
  if (!literal) return true
  // Untyped JSON that equals a text is a text; that it is above one is to be said of texts alone.
  const hasKinds = operator.startsWith('=') || operator.startsWith('!') ? value.parts !== undefined : isMixed(value)
  if (literal.type === 'string') return (hasKinds && !NUMERIC.has(value.kind)) || isNumberText(literal.value)
  const number = literalNumber(literal)
  return number !== undefined && (number > FLOAT_EXACT_MAX || number < -FLOAT_EXACT_MAX)
}

/** A constant text that spells no number has no place among numbers. */
const mayCompare = ({ literal }: Value, other: Value): boolean =>
  literal?.type !== 'string' || !NUMERIC.has(other.kind) || isNumberText(literal.value)

/** NULL, or a JSON null. */
export function isNull(value: Value): Value {
  if (value.kind === 'null') return boolean('true')
  if (!value.nullable) return boolean('false')
  return boolean(value.kind === 'dynamic' ? `ifNull(${value.as('json')} = 'null', true)` : `isNull(${value.as('plain')})`)
}

function test(operator: string, a: string, b: string, nullable: boolean): Value {
  const sql = `${a} ${operator} ${b}`
  return nullable ? ofNullable(operator, sql) : boolean(`(${sql})`)
}

function ofNullable(operator: string, sql: string): Value {
  // `x != y` is true where one is missing, so NULL may not stand for false.
  return operator === '!=' ? boolean(`ifNull(${sql}, true)`) : boolean(`ifNull(${sql}, false)`, `(${sql})`)
}

/** A text literal beside a time or a number is read as one, once, here. */
function adapt(value: Value, other: Value, { operator, context, span }: Operation<ComparisonOperator>): Value {
  if (value.literal?.type !== 'string') return value
  const text = value.literal.value
  if (NUMERIC.has(other.kind) && !isNumberText(text)) {
    const what = `a number is compared with the text "${text.slice(0, 40)}"`
    if (operator !== '==' && operator !== '!=')
      throw mismatch(what, span, `a number${parseTimespan(text) ? ', or a timespan,' : ''} is written without quotes`)
    context.warn('never_true', `${what}: that is ${operator === '==' ? 'never' : 'always'} true`)
  }
  if (other.kind === 'datetime') {
    const time = parseDatetime(text)
    if (!time) throw mismatch(`"${text.slice(0, 40)}" is not a point in time`, span, 'write datetime(2026-01-31T12:00:00Z)')
    return context.time(time.ns, span)
  }
  if (other.kind === 'timespan') {
    const timespan = parseTimespan(text)
    if (!timespan) throw mismatch(`"${text.slice(0, 40)}" is not a timespan`, span, 'write 1h, 1.5d or 00:30:00')
    return context.literal(timespan)
  }
  if (!NUMERIC.has(other.kind) || !/^-?\d{1,19}(?:\.\d+)?$/.test(text)) return value
  if (text.includes('.')) return context.literal({ type: 'real', value: Number(text) })
  const whole = BigInt(text)
  return whole > INTEGER_MAX || whole < INTEGER_MIN ? value : context.literal({ type: 'integer', value: whole })
}

/** The view both sides are read in. */
function commonView(a: Value, b: Value): View {
  const kinds = [a.kind, b.kind]
  const ofTime = timeView(a, b)
  if (ofTime) return ofTime
  const lead = a.literal && !b.literal ? a.kind : b.literal && !a.literal ? b.kind : a.kind === 'dynamic' ? b.kind : a.kind
  if (a.kind === b.kind) return a.kind === 'boolean' ? 'filter' : 'plain'
  // Beside a number true is 1, unless it is the constant that says how the other is read.
  if (kinds.includes('boolean') && kinds.some((kind) => NUMERIC.has(kind)))
    return (a.kind === 'boolean' ? a : b).literal ? 'filter' : 'number'
  // And beside a text it is a text that spells true, unless the text is the constant.
  if (kinds.includes('boolean') && !(a.kind === 'string' ? a : b).literal) return 'filter'
  if (lead === 'boolean') return 'filter'
  if (lead === 'dynamic') return 'json'
  if (lead === 'string' && (a.literal || b.literal || kinds.includes('dynamic'))) return 'text'
  return 'number'
}

/** The kind two branches of a choice have in common. */
export function commonKind(values: readonly Value[]): Kind {
  const kinds = new Set(values.map((value) => value.kind).filter((kind) => kind !== 'null'))
  if (kinds.size === 0) return 'null'
  if (kinds.size === 1 && !values.some(({ parts }) => parts)) return [...kinds][0] as Kind
  return [...kinds].every((kind) => NUMERIC.has(kind)) && !values.some(({ parts }) => parts) ? 'real' : 'dynamic'
}

/**
 * The view in which equal values of two columns are equal texts, numbers or times, so that the engine can look one up among the
 * others. Of values that are not of one type all are texts: 5 is found by 5 and by "5", and true by "true".
 */
export function keyView(a: Value, b: Value): View {
  const isOneKind = a.kind === b.kind && !isMixed(a) && !isMixed(b)
  if (isOneKind) return 'plain'
  const view = isMixed(a) || isMixed(b) ? timeView(a, b) : commonView(a, b)
  return view === undefined || view === 'number' || view === 'filter' ? 'text' : view
}

function timeView(a: Value, b: Value): View | undefined {
  const kinds = [a.kind, b.kind]
  return kinds.includes('datetime') ? 'time' : kinds.includes('timespan') ? 'span' : undefined
}

/** One of several values for each row; `choose` makes SQL of the SQL that each of them has, in one kind after another where they have several. */
export function choose(values: readonly Value[], chosen: (sqls: readonly string[]) => string): Value {
  const kind = commonKind(values)
  if (values.some(({ parts }) => parts) || (kind === 'dynamic' && values.every(isOfTimes))) return chooseParts(values, chosen)
  return typed(kind, chosen(values.map((value) => asKind(value, kind))))
}

/** SQL of a value as one kind that `commonKind` has chosen. */
export function asKind(value: Value, kind: Kind): string {
  if (value.kind === 'null') return 'NULL'
  if (kind === 'real' && value.kind === 'integer') return `toFloat64(${value.as('plain')})`
  if (kind === 'boolean') return `CAST(${value.as('plain')}, 'Nullable(Bool)')`
  return kind === 'dynamic' ? value.as('json') : value.as('plain')
}
