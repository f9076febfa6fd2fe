/**
 * `range()`: an array of evenly spaced numbers, points in time or timespans, known before the query runs.
 * Deliberately not here: ranges whose ends differ from row to row.
 */

import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { CompileError } from '../error.ts'
import type { LiteralValue } from '../literal.ts'
import { type FunctionDefinition, special } from './definition.ts'

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
  const numbers = [from, to, by].map((literal) =>
    literal.type === 'integer' || literal.type === 'real' ? Number(literal.value) : Number.NaN,
  )
  const [first, last, size] = numbers as [number, number, number]
  return numbers.some(Number.isNaN) ? undefined : { first, last, by: size, write: String }
}

/** How many steps there are; of reals one more where the last is missed by rounding alone. */
function countOf({ first, last, by }: Steps): number {
  if (typeof first === 'number') return Math.max(Math.floor((Number(last) - first) / Number(by) + 1e-9) + 1, 0)
  const isAhead = by > 0 ? first <= last : first >= last
  return isAhead ? Number((BigInt(last) - first) / BigInt(by)) + 1 : 0
}

export const range: FunctionDefinition = special(
  'start:any stop:any step:any?',
  ({ arguments: [from, to, step], context, call }) => {
    const literals = [from?.literal, to?.literal, step?.literal] as const
    const steps =
      literals[0] && literals[1] && (!step || literals[2]) ? stepsOf(literals[0], literals[1], literals[2]) : undefined
    if (!steps || Number(steps.by) === 0)
      throw new CompileError(
        'unsupported',
        'range() takes constants here: numbers, points in time or timespans, and a step that is not 0',
        call.span,
        'write range(1, 10, 2) or range(datetime(2026-01-01), datetime(2026-01-02), 1h)',
      )
    const count = countOf(steps)
    if (count > ITEMS_MAX) throw new CompileError('limit', `range() makes at most ${ITEMS_MAX} items`, call.span)
    const items = Array.from({ length: count }, (_, at) =>
      steps.write(
        typeof steps.first === 'bigint' ? steps.first + BigInt(at) * BigInt(steps.by) : steps.first + at * Number(steps.by),
      ),
    )
    return context.literal({ type: 'dynamic', json: `[${items.join(',')}]` })
  },
)
