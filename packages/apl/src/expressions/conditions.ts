/**
 * Conditions and calculations that run, and are seldom meant as they are written: a constant between `or`s, small letters compared with
 * capitals, a quotient of what may be a decimal.
 * Deliberately not here: bounds and times (`bounds.ts`), patterns (`patterns.ts`), arrays (`arrays.ts`).
 */
import { type Advice, around, before, mismatch } from '../error.ts'
import { partOf, wholeOf } from '../sql/mixed.ts'
import type { Value } from '../sql/value.ts'
import { writeText } from '../text/nearest.ts'
import type { Binary, Expression } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import type { Context, Scope, WrittenOperation } from '../values/context.ts'

/**
 * `status == 500 or 503`, `where "timeout"`: each side of `or` is a condition of its own.
 * @param previous the condition before it
 */
export function refuseConstant(node: Expression, previous?: Expression): void {
  if (node.kind !== 'literal') return
  const { type } = node.value
  if (type !== 'string' && type !== 'integer' && type !== 'real') return
  const what = `the ${type === 'string' ? 'text' : 'number'} alone is no condition`
  throw mismatch(what, node.span, adviceOnConstant(node, type, previous))
}

function adviceOnConstant({ span }: Expression, type: string, previous: Expression | undefined): Advice {
  const last = previous?.kind === 'logical' ? previous.operands.at(-1) : previous
  if (last?.kind === 'binary' && last.right.kind === 'literal' && last.right.value.type === type) {
    const comparing = { start: last.span.start, end: last.right.span.start }
    return { hint: 'each condition names its field: a == 1 or a == 2, or a in (1, 2)', fix: [before(span, comparing)] }
  }
  if (type !== 'string') return { hint: 'compare it with a field' }
  return { hint: "a text in any field is found by * contains 'text'", fix: [before(span, '* contains ')] }
}

/** `"status" == '500'` compares two constants: it is never what was meant where there is such a field. */
export function refuseQuotedField({ left, right, operator }: Binary, scope: Scope): void {
  if (left.kind !== 'literal' || right.kind !== 'literal' || left.value.type !== 'string') return
  const name = left.value.value
  if (!scope.find(name)) return
  const written = /^[A-Za-z_][\w.]*$/.test(name) ? name : `['${name}']`
  const what = `'${name}' in quotes is a text, not the field`
  throw mismatch(what, left.span, `write ${written} ${operator} …`)
}

const FOLDED: Readonly<Record<string, (text: string) => string>> = {
  tolower: (text) => text.toLowerCase(),
  toupper: (text) => text.toUpperCase(),
}

/** `tolower(name) == 'Oslo'`. */
export function warnOfCase({ left, right, operator }: Binary, { literal }: Value, context: Context): void {
  if (literal?.type !== 'string' || left.kind !== 'call' || !/^[=!]=$/.test(operator)) return
  const text = FOLDED[left.name]?.(literal.value)
  if (text === undefined || text === literal.value) return
  const what = `what ${left.name}() gives is never ${writeText(literal.value)}: write ${writeText(text)}`
  context.warn('never_true', what, [{ span: right.span, text: writeText(text) }])
}

/** `latency / 1000`, where the latency is a decimal in some events and a whole number in others, which divides as one. */
export function warnOfQuotient({ operator, left, right, node, context }: WrittenOperation): void {
  if (operator !== '/' || wholeOf(left) === undefined || wholeOf(right) === undefined) return
  const decimal = partOf(left, 'real') ? node.left : partOf(right, 'real') ? node.right : undefined
  if (!decimal) return
  const name = dottedName(decimal)
  const what = name === undefined ? 'a value' : `"${name}"`
  const hint = `for decimals, write todouble(${name ?? '…'})`
  context.warn(
    'likely_mistake',
    `${what} may be a decimal or a whole number, and whole numbers divide to whole numbers (7 / 2 is 3): ${hint}`,
    around(decimal.span, 'todouble(', ')'),
  )
}
