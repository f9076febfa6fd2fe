/**
 * Arrays that are compared as a whole with what is meant as one of their items, such as `tags == 'a'`.
 * Deliberately not here: what such a comparison means.
 */
import { behind, type Edit, type Span } from '../error.ts'
import type { Value } from '../sql/value.ts'
import { withoutNegation } from '../text/infix.ts'
import { writeName } from '../text/nearest.ts'
import type { Expression, InList } from '../tree/ast.ts'
import { dottedName } from '../tree/expression-name.ts'
import type { Context, WrittenOperation } from '../values/context.ts'

const EQUALITIES = new Set(['==', '!=', '=~', '!~'])
const ITEMS = new Set(['string', 'integer', 'real', 'boolean'])
const holdsArrays = ({ type, literal }: Value) => !literal && type.split('|').includes('array')

/** `tags == 'a'`. */
export function warnOfArray({ operator, left, right, node, context }: WrittenOperation): void {
  const [array, item, value] = holdsArrays(left) ? [node.left, node.right, right] : [node.right, node.left, left]
  if (!EQUALITIES.has(operator) || !(holdsArrays(left) || holdsArrays(right)) || !ITEMS.has(value.kind)) return
  const word = `${operator.startsWith('!') ? '!in' : 'in'}${operator.endsWith('~') ? '~' : ''}`
  warn({ array, operator, word, context }, written(node.span, item.span, ` ${word} (`, array.span, ')'))
}

/** `tags in ('a', 'b')`. */
export function warnOfList(
  { operator, value: array, list, span }: InList,
  value: Value,
  items: readonly Value[],
  context: Context,
): void {
  const areItems = items.length > 0 && items.every(({ kind, literal }) => literal && ITEMS.has(kind))
  if (!/^!?in~?$/.test(operator) || !holdsArrays(value) || !areItems) return
  const joint = withoutNegation(operator) === operator ? ' or ' : ' and '
  const tests = list.flatMap((item, at) => [at === 0 ? '(' : joint, item.span, ` ${operator} (`, array.span, ')'])
  warn({ array, operator, word: operator, context }, written(span, ...tests, ')'))
}

/** A stretch of the query, written anew of texts and of other stretches. */
const written = (span: Span, ...pieces: readonly (string | Span)[]): Edit[] => [
  { span, text: '' },
  ...pieces.map((piece) => behind(span, piece)),
]

interface ArrayTest {
  readonly array: Expression
  readonly operator: string
  /** The operator that finds an item. */
  readonly word: string
  readonly context: Context
}

function warn({ array, operator, word, context }: ArrayTest, fix: readonly Edit[]): void {
  const name = dottedName(array)
  const [what, shown] = name === undefined ? ['an array', 'array'] : [`the array "${name}"`, writeName(name)]
  const text = `${operator} compares all of ${what}, and no item of it: write 'item' ${word} (${shown})`
  context.warn('likely_mistake', text, fix)
}
