/**
 * Set operators: `in`, `in~`, `has_any`, `has_all` and their negations.
 * Deliberately not here: lists that come from another query.
 */

import { parseExact, stringifyExact } from '@deployment-annotations/contract/exact-json'
import { CompileError, type Span } from '../error.ts'
import { CONSTANTS_MAX } from '../limits.ts'
import { isMixed } from '../sql/mixed.ts'
import { boolean, folded, foldedText, JSON_TEXT, joined, overItems, type Value } from '../sql/value.ts'
import { type ListOperator, withoutNegation } from '../text/infix.ts'
import { literalNumber, literalOf } from '../text/literal.ts'
import { overTexts } from './anywhere.ts'
import { compare } from './comparison.ts'
import type { Context } from './context.ts'
import { matchText } from './text-match.ts'

/** The most items that each become a condition of their own. */
const CONDITIONS_MAX = 500

/** A list operator with its operands, compiled. */
interface Membership {
  readonly operator: ListOperator
  readonly value: Value
  readonly list: readonly Value[]
  readonly context: Context
  readonly span: Span
}

export function membership(operation: Membership): Value {
  const { operator, list, context, span } = operation
  const base = withoutNegation(operator)
  const items = list.flatMap((item) => spread(item, context))
  if (items.length > CONSTANTS_MAX) throw new CompileError('limit', `a list holds at most ${CONSTANTS_MAX} items`, span)
  const found = base === 'in' || base === 'in~' ? isIn(base, items, operation) : matchesTerms(base, items, operation)
  return base !== operator ? boolean(`(NOT ${found.as('truth')})`) : found
}

function isIn(base: 'in' | 'in~', items: readonly Value[], { value, context, span }: Membership): Value {
  if (items.length === 0) return boolean('false')
  const [only] = items
  if (items.length === 1 && only?.kind === 'dynamic' && !only.literal) return inComputed(base, value, only)
  const literals = items.map((item) => item.literal)
  const { binder } = context
  if (literals.every((literal) => literal?.type === 'string') && value.kind !== 'datetime' && value.kind !== 'timespan') {
    const texts = (literals as { value: string }[]).map((literal) => (base === 'in~' ? foldedText(literal.value) : literal.value))
    const text = base === 'in~' ? folded(value.as('text')) : value.as('text')
    return has(binder.texts(texts), text)
  }
  if (literals.every((literal) => literal?.type === 'integer') && value.kind === 'integer') {
    return has(
      binder.numbers(
        'Array(Int64)',
        (literals as { value: bigint }[]).map((literal) => literal.value),
      ),
      value.as('plain'),
    )
  }
  const numbers = literals.map(literalNumber)
  // As floats these are exact.
  if (isMixed(value) && numbers.every((number) => number !== undefined && Math.abs(Number(number)) < 2 ** 53))
    return has(binder.numbers('Array(Float64)', numbers as (bigint | number)[]), `toFloat64(${value.as('number')})`)
  if (items.length > CONDITIONS_MAX)
    throw new CompileError('limit', `a list of mixed or computed items holds at most ${CONDITIONS_MAX}`, span)
  const equal = base === 'in' ? '==' : '=~'
  return joined(
    items.map((item) => compare({ operator: equal, left: value, right: item, context, span })),
    'OR',
  )
}

/** The items of an array, or one value, as texts. */
function textsOf(sql: string, text = (item: string) => item): string {
  const array = `if(startsWith(ifNull(${sql}, ''), '['), ${sql}, concat('[', ifNull(${sql}, 'null'), ']'))`
  return `arrayMap(i -> ${text(JSON_TEXT('i'))}, JSONExtractArrayRaw(ifNull(${array}, '')))`
}

/** An array of the row itself, or one value. */
function inComputed(base: 'in' | 'in~', value: Value, list: Value): Value {
  const text = (sql: string) => (base === 'in~' ? folded(sql) : sql)
  const wanted = text(value.as('text'))
  const isIn = overItems(
    list,
    (items) => `has(${base === 'in~' ? `arrayMap(i -> ${text('i')}, ${items})` : items}, ${wanted})`,
    (sql) => `has(${textsOf(sql, text)}, ${wanted})`,
  )
  const isThere = value.literal ? '' : ` AND isNotNull(${value.as('text')})`
  return boolean(`ifNull(${isIn}${isThere}, false)`)
}

function has(list: string, sql: string): Value {
  return boolean(`ifNull(${sql} IN ${list}, false)`, `${sql} IN ${list}`)
}

function matchesTerms(base: string, items: readonly Value[], { value, context, span }: Membership): Value {
  if (items.length === 0) return boolean(base === 'has_all' ? 'true' : 'false')
  if (items.length > CONDITIONS_MAX) throw new CompileError('limit', `${base} takes at most ${CONDITIONS_MAX} items`, span)
  const operator = base === 'has_any_cs' ? 'has_cs' : 'has'
  const test = (right: Value) => matchText({ operator, left: value, right, context, span })
  const how = base === 'has_all' ? 'arrayAll' : 'arrayExists'
  const tests = items.map((item) =>
    item.kind === 'dynamic' && !item.literal ? overTexts(textsOf(item.as('json')), test, how) : test(item),
  )
  return base === 'has_all' ? boolean(`(${tests.map((test) => test.as('truth')).join(' AND ')})`) : joined(tests, 'OR')
}

/** A constant array stands for its items. */
function spread(item: Value, context: Context): readonly Value[] {
  const parsed = item.literal?.type === 'dynamic' ? parseExact(item.literal.json) : undefined
  if (!Array.isArray(parsed)) return [item]
  return parsed.map((value) => {
    const isInner = typeof value === 'object' && value !== null
    return context.literal(isInner ? { type: 'dynamic', json: stringifyExact(value) } : literalOf(value))
  })
}
