/**
 * `parse-kv`: columns out of a text of keys and values, such as `a=1; b="x y"`. Of a key that occurs twice the first is taken.
 * Deliberately not here: finding out which keys there are.
 */

import { CompileError } from '../error.ts'
import { typed, withName } from '../sql/value.ts'
import { describeToken } from '../text/token.ts'
import type { ParseKv } from '../tree/ast.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import { readAs, typedName } from '../tree/typed-names.ts'
import type { Context } from '../values/context.ts'
import { quoteRegex } from '../values/text-match.ts'
import type { OperatorDefinition } from './definition.ts'

const OPTIONS = ['pair_delimiter', 'kv_delimiter', 'quote'] as const

/** options = "with" "(" option "=" string { "," … } ")" */
function options(parser: ExpressionParser): Partial<Record<(typeof OPTIONS)[number], string>> | undefined {
  if (!parser.acceptWord('with')) return undefined
  const given: Partial<Record<(typeof OPTIONS)[number], string>> = {}
  parser.expectSymbol('(', 'after with')
  parser.list(() => {
    const option = parser.expectOneOf(OPTIONS, 'option of parse-kv')
    parser.expectSymbol('=', 'after the option')
    const value = parser.next()
    if (value.kind !== 'string' || value.text === '')
      throw new CompileError('syntax', `expected a text for ${option}, found ${describeToken(value)}`, value.span, "write ';'")
    given[option] = value.text
  })
  parser.expectSymbol(')', 'after the options')
  return given
}

/** Where the query names none. */
const ANY_DELIMITERS = ['[\\s,;&|]', '[:=]'] as const

/** Finds a key, which may be in quotes: its value is the first group where that is in quotes, and the second elsewhere. */
function patternOf(name: string, { delimiters, quote = '"' }: ParseKv): string {
  const [pair, between] = delimiters?.map(quoteRegex) ?? ANY_DELIMITERS
  const marks = [...quote]
  const [open, close] = (marks.length === 2 ? marks : [quote, quote]).map(quoteRegex) as [string, string]
  // Blanks around a delimiter belong to it, unless it is one itself.
  const blanks = '[ \\t]*'
  const key = `(?:${open})?${quoteRegex(name)}(?:${close})?`
  return `(?s)(?:^|${pair})${blanks}${key}${blanks}${between}${blanks}(?:${open}(.*?)${close}|(.*?))${blanks}(?:${pair}|$)`
}

export const parseKv: OperatorDefinition<'parse-kv'> = {
  keywords: ['parse-kv'],
  syntax: "expression as (key[:type], …) [with (pair_delimiter = ' ', kv_delimiter = '=', quote = '\"')]",
  parse: (parser) => {
    const expression = parser.expression()
    parser.expectWord('as', 'before the keys')
    parser.expectSymbol('(', 'before the keys')
    const keys = parser.list(() => typedName(parser))
    parser.expectSymbol(')', 'after the keys')
    const given = options(parser)
    if (!given) return { expression, keys }
    const { pair_delimiter: pair = ' ', kv_delimiter: between = '=', quote } = given
    return { expression, keys, delimiters: [pair, between], ...(quote !== undefined && { quote }) }
  },
  compile: (operator, input, context: Context) => {
    const text = `ifNull(${context.expression(operator.expression, input).as('text')}, '')`
    const columns = operator.keys.map(({ name, type = 'string' }) => {
      const groups = `extractGroups(${text}, ${context.binder.text(patternOf(name, operator))})`
      const found = typed('string', `nullIf(concat(${groups}[1], ${groups}[2]), '')`)
      return [name, withName(name, readAs(found, type))] as const
    })
    return input.extended(new Map(columns))
  },
}
