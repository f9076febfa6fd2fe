/**
 * `range()`: an array of evenly spaced numbers, points in time or timespans. Of constants it is made here, otherwise in each row.
 * Deliberately not here: rows made of a range; `mv-expand` makes them.
 */

import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { CompileError, mismatch } from '../error.ts'
import { json, realOf, typed, type Value } from '../sql/value.ts'
import { type LiteralValue, literalAmount, literalNumber } from '../text/literal.ts'
import { type FunctionTable, type Invocation, special } from './definition.ts'
import { arrayOf } from './json.ts'

const ITEMS_MAX = 10_000

/** `[-][days.]hh:mm:ss.nnnnnnnnn`, as a timespan is written as text. */
function timespanText(ns: bigint): string {
  const size = ns < 0n ? -ns : ns
  const two = (value: bigint) => String(value).padStart(2, '0')
  const days = size / UNIT_NS.d
  const clock = [(size / UNIT_NS.h) % 24n, (size / UNIT_NS.m) % 60n, (size / UNIT_NS.s) % 60n].map(two).join(':')
  return `${ns < 0n ? '-' : ''}${days > 0n ? `${days}.` : ''}${clock}.${String(size % UNIT_NS.s).padStart(9, '0')}`
}

interface Steps {
  readonly first: bigint | number
  readonly last: bigint | number
  readonly by: bigint | number
  readonly write: (value: bigint | number) => string
}

/** What to count in, for ends and a step that go together. */
function stepsOf(from: LiteralValue, to: LiteralValue, step: LiteralValue | undefined): Steps | undefined {
  if (from.type === 'datetime' || from.type === 'timespan') {
    const by = step ?? { type: 'timespan', ns: UNIT_NS.h }
    if (to.type !== from.type || by.type !== 'timespan') return undefined
    const text = from.type === 'datetime' ? formatTimestamp : timespanText
    return { first: from.ns, last: to.ns, by: by.ns, write: (ns) => JSON.stringify(text(ns as bigint)) }
  }
  const by = step ?? { type: 'integer', value: 1n }
  if (from.type === 'integer' && to.type === 'integer' && by.type === 'integer')
    return { first: from.value, last: to.value, by: by.value, write: String }
  const numbers = [from, to, by].map((literal) => Number(literalNumber(literal)))
  const [first, last, size] = numbers as [number, number, number]
  return numbers.some(Number.isNaN) ? undefined : { first, last, by: size, write: String }
}

/** How many steps there are; of reals one more where the last is missed by rounding alone. */
function countOf({ first, last, by }: Steps): number {
  if (typeof first === 'number') return Math.max(Math.floor((Number(last) - first) / Number(by) + 1e-9) + 1, 0)
  const isAhead = by > 0 ? first <= last : first >= last
  return isAhead ? Number((BigInt(last) - first) / BigInt(by)) + 1 : 0
}

/** The range of each row: as many items as fit, at most so many; missing where an end is, or the step is 0. */
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

/** Whether ends and a step go together where some of them are not known before the query runs. */
function belongTogether(from: Value, to: Value, step: Value | undefined): boolean {
  if (from.kind === 'datetime' || from.kind === 'timespan')
    return to.kind === from.kind && (step === undefined || step.kind === 'timespan')
  const isNumber = ({ kind }: Value) => kind === 'integer' || kind === 'real' || kind === 'dynamic'
  return [from, to, ...(step ? [step] : [])].every(isNumber)
}

const range = special('start:any stop:any step:any?', (invocation) => {
  const [from, to, step] = invocation.arguments as [Value, Value, Value | undefined]
  if (from.literal && to.literal && (!step || step.literal))
    return ofConstants(invocation, from.literal, to.literal, step?.literal)
  if (!belongTogether(from, to, step) || Number(literalAmount(step?.literal)) === 0) throw notOneKind(invocation)
  return inRows(from, to, step)
})

function ofConstants({ context, call }: Invocation, from: LiteralValue, to: LiteralValue, step: LiteralValue | undefined): Value {
  const steps = stepsOf(from, to, step)
  if (!steps || Number(steps.by) === 0) throw notOneKind({ call })
  const count = countOf(steps)
  if (count > ITEMS_MAX) throw new CompileError('limit', `range() makes at most ${ITEMS_MAX} items`, call.span)
  const items = Array.from({ length: count }, (_, at) =>
    steps.write(
      typeof steps.first === 'bigint' ? steps.first + BigInt(at) * BigInt(steps.by) : steps.first + at * Number(steps.by),
    ),
  )
  return context.literal({ type: 'dynamic', json: `[${items.join(',')}]` })
}

const notOneKind = ({ call }: Pick<Invocation, 'call'>) =>
  mismatch(
    'range() takes two numbers, points in time or timespans, and a step of their kind that is not 0',
    call.span,
    'write range(1, 10, 2) or range(datetime(2026-01-01), datetime(2026-01-02), 1h)',
  )

export const RANGE_FUNCTIONS: FunctionTable = { range: range.shows('range(1, 10, 3)', [1, 4, 7, 10]) }
