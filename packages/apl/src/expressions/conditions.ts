/**
 * Conditions and calculations that run, and are seldom meant as they are written: a constant between `or`s, small letters compared with
 * capitals, a quotient of counts, a sum of texts.
 * Deliberately not here: bounds and times (`bounds.ts`), patterns (`patterns.ts`), arrays (`arrays.ts`).
 */
import { type Advice, around, before, mismatch } from '../error.ts'
import { partOf } from '../sql/mixed.ts'
import { isWhole, type Value } from '../sql/value.ts'
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

/** What a message calls an operand. */
const shown = (node: Expression) => dottedName(node) ?? (node.kind === 'call' ? `${node.name}(…)` : '…')

/** `countif(status >= 500) / count()`, which is mostly 0, and `100 * errors / requests > 0.5`, which is cut before it is compared. */
export function warnOfQuotient({ operator, left, right, node, context }: WrittenOperation): void {
  if (operator === '/' ? !isCut(left, right, node) : left.whole !== 'quotient' || !isFraction(right)) return
  const dividend = operator === '/' ? node.left : node.left.kind === 'binary' ? node.left.left : undefined
  const hint = `for a decimal, write todouble(${dividend ? shown(dividend) : '…'})`
  const text = `counts and other whole numbers divide to a whole number (7 / 8 is 0): ${hint}`
  context.warn('likely_mistake', text, dividend && around(dividend.span, 'todouble(', ')'))
}

const isFraction = ({ literal }: Value) => literal?.type === 'real' && !Number.isInteger(literal.value)

/** Whether a quotient is 0, or mostly is. Percents are multiplied first. */
function isCut(left: Value, right: Value, { left: dividend }: WrittenOperation['node']): boolean {
  if (!isWhole(left) || !isWhole(right)) return false
  const [a, b] = [left.literal, right.literal]
  if (a?.type === 'integer' && b?.type === 'integer') return a.value !== 0n && a.value / (b.value || 1n) === 0n
  return b === undefined && !(dividend.kind === 'binary' && dividend.operator === '*')
}

/** `finished - started`, of texts or of values without a type: what to say where every row lacks it. */
export function doubtTexts({ operator, left, right, node, context }: WrittenOperation): void {
  if (!/^[-+]$/.test(operator) || ![left, right].some((value) => !value.literal && partOf(value, 'string'))) return
  const what = `in ${shown(node.left)} ${operator} ${shown(node.right)} a text is read as a point in time, or as a number beside one`
  const text = `${what}; where it spells none the result is missing: todatetime(x), totimespan(x) or toreal(x) say what it is`
  // Of nothing a count and a sum are 0.
  context.doubt(text, (cells) => cells.every((cell) => cell === 'null' || (cell === '0' && cells.length === 1)))
}
