/**
 * Bounds that nothing is between, and times that nothing has yet, or only by chance.
 * Deliberately not here: comparisons of other kinds; see `conditions.ts`.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { Value } from '../sql/value.ts'
import { parseDatetime } from '../text/literal.ts'
import type { Binary, Expression } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import type { Context } from '../values/context.ts'

/** Calls that are written in the place of a constant time. */
const TIMES = new Set(['ago', 'now', 'datetime', 'todatetime'])

/** A constant that others are larger or smaller than. */
interface Bound {
  readonly amount: bigint | number
  readonly isTime: boolean
}

function boundOf(literal: Value['literal']): Bound | undefined {
  if (literal?.type === 'datetime') return { amount: literal.ns, isTime: true }
  return literal?.type === 'integer' || literal?.type === 'real' ? { amount: literal.value, isTime: false } : undefined
}

/** Whether nothing is both above the one and below the other. */
const isGap = (low: Bound, high: Bound) => low.isTime === high.isTime && low.amount > high.amount

/** `_time < ago(7d) and _time > ago(1d)`: nothing is both. */
export function warnOfBounds(
  operands: readonly Expression[],
  literalOf: (node: Expression) => Value['literal'],
  context: Context,
): void {
  const lowest = new Map<string, Bound & { node: Expression }>()
  const highest: typeof lowest = new Map()
  for (const node of operands) {
    if (node.kind !== 'binary' || !/^[<>]=?$/.test(node.operator)) continue
    // What is written as a constant: compiling anything else twice could double at each level.
    if (node.right.kind !== 'literal' && !(node.right.kind === 'call' && TIMES.has(node.right.name))) continue
    const name = dottedName(node.left)
    const bound = name === undefined ? undefined : boundOf(literalOf(node.right))
    const bounds = node.operator.startsWith('>') ? lowest : highest
    if (name !== undefined && bound && !bounds.has(name)) bounds.set(name, { ...bound, node: node.right })
  }
  for (const [name, low] of lowest) {
    const high = highest.get(name)
    if (!high || !isGap(low, high)) continue
    const what = `no "${name}" is above the one bound and below the other`
    if (low.isTime) warnOfGap(what, low.node, high.node, context)
    else context.warn('never_true', `${what}: join them with or`)
  }
}

/** `between (now() .. ago(1d))`. */
export function warnOfRange(node: { low: Expression; high: Expression }, low: Value, high: Value, context: Context): void {
  const [from, to] = [boundOf(low.literal), boundOf(high.literal)]
  if (from && to && isGap(from, to)) warnOfGap('the range begins after its end', node.low, node.high, context)
}

function warnOfGap(what: string, { span: low }: Expression, { span: high }: Expression, context: Context): void {
  context.warn('never_true', `${what}: write the earlier or smaller first`, [
    { span: low, text: high },
    { span: high, text: low },
  ])
}

/** A comparison of `_time` with a time that is still to come, or with a day as if it were one moment. */
export function warnOfMoment({ left, right, operator }: Binary, { literal }: Value, context: Context): void {
  if (dottedName(left) !== '_time') return
  const ns = literal?.type === 'datetime' ? literal.ns : literal?.type === 'string' ? dayOf(literal.value) : undefined
  if (ns === undefined) return
  if (/^>=?$/.test(operator) && ns > context.nowNs + UNIT_NS.m) {
    const [length] = right.kind === 'call' && right.name === 'ago' ? right.arguments : []
    const what = 'that time is still to come'
    if (length?.kind !== 'negation') context.warn('likely_mistake', what)
    else
      context.warn('likely_mistake', `${what}: ago() takes how long it is ago, without a sign`, [
        { span: length.span, text: length.operand.span },
      ])
  }
  if (operator === '==' && ns % UNIT_NS.d === 0n) {
    const hint = '_time is a moment, and that one is the first of its day: write bin(_time, 1d) == …'
    context.warn('likely_mistake', hint, [{ span: left.span, text: 'bin(_time, 1d)' }])
  }
}

const dayOf = (text: string): bigint | undefined => (/^\d{4}-\d\d-\d\d$/.test(text) ? parseDatetime(text)?.ns : undefined)
