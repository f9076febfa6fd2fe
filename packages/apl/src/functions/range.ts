/**
 * `range()`: an array of evenly spaced numbers, points in time or timespans, made in each row.
 * Deliberately not here: rows made of a range; `mv-expand` makes them.
 */

import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { CompileError, mismatch } from '../error.ts'
import { json, realOf, typed, type Value } from '../sql/value.ts'
import { type LiteralValue, literalAmount } from '../text/literal.ts'
import { type FunctionTable, special } from './definition.ts'
import { arrayOf } from './json.ts'

const ITEMS_MAX = 10_000

/** As many items as fit, at most so many; missing where an end is, or the step is 0. */
function inRows(from: Value, to: Value, step: Value | undefined): Value {
  const isTime = from.kind === 'datetime' || from.kind === 'timespan'
  const isWhole = isTime || [from, to, step].every((value) => value === undefined || value.kind === 'integer')
  const numberOf = (value: Value) =>
    isTime ? value.as(value.kind === 'datetime' ? 'number' : 'span') : isWhole ? value.as('integer') : realOf(value)
  const [first, last] = [numberOf(from), numberOf(to)]
  const by = step ? numberOf(step) : isTime ? String(UNIT_NS.h) : '1'
  const steps = isWhole
    ? `if((${last} < ${first}) = (${by} < 0) OR ${last} = ${first}, intDiv(toInt128(${last}) - ${first}, nullIf(${by}, 0)), -1)`
    : `floor((${last} - ${first}) / nullIf(${by}, 0) + 1e-9)`
  const isMissing = `isNull(${first}) OR isNull(${last}) OR ifNull(${by}, 0) = 0`
  // The engine's greatest and least pass over what is missing.
  const count = `if(${isMissing}, NULL, accurateCastOrNull(least(greatest(${steps} + 1, 0), ${ITEMS_MAX}), 'UInt64'))`
  const item = `assumeNotNull(${first}) + i * assumeNotNull(${by})`
  const written = from.kind === 'datetime' ? `fromUnixTimestamp64Nano(toInt64(${item}), 'UTC')` : item
  const kind = isTime ? from.kind : isWhole ? 'integer' : 'real'
  const items = `arrayMap(i -> ${typed(kind, written).as('json')}, range(ifNull(${count}, 0)))`
  return json(`if(${isMissing}, NULL, ${arrayOf(items)})`, 'array')
}

/** Whether ends and a step go together. */
function belongTogether(from: Value, to: Value, step: Value | undefined): boolean {
  if (from.kind === 'datetime' || from.kind === 'timespan')
    return to.kind === from.kind && (step === undefined || step.kind === 'timespan')
  const isNumber = ({ kind }: Value) => kind === 'integer' || kind === 'real' || kind === 'dynamic'
  return [from, to, ...(step ? [step] : [])].every(isNumber)
}

/** The number that a constant is, of a time its nanoseconds; NaN for any other, and where it is not known now. */
const amountOf = (literal?: LiteralValue) => Number(literal?.type === 'datetime' ? literal.ns : literalAmount(literal))

const range = special('start:any stop:any step:any?', (invocation) => {
  const [from, to, step] = invocation.arguments as [Value, Value, Value | undefined]
  if (!belongTogether(from, to, step) || amountOf(step?.literal) === 0)
    throw mismatch(
      'range() takes two numbers, points in time or timespans, and a step of their kind that is not 0',
      invocation.call.span,
      'write range(1, 10, 2) or range(datetime(2026-01-01), datetime(2026-01-02), 1h)',
    )
  const by = step ? amountOf(step.literal) : from.kind === 'datetime' || from.kind === 'timespan' ? Number(UNIT_NS.h) : 1
  // Of what is not known now this is no number, and so not too many.
  if ((amountOf(to.literal) - amountOf(from.literal)) / by >= ITEMS_MAX)
    throw new CompileError('limit', `range() makes at most ${ITEMS_MAX} items`, invocation.call.span)
  return inRows(from, to, step)
})

export const RANGE_FUNCTIONS: FunctionTable = { range: range.shows('range(1, 10, 3)', [1, 4, 7, 10]) }
