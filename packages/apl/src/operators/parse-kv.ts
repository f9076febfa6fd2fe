/**
 * `parse-kv`: columns out of a text of keys and values, such as `a=1; b="x y"`. Of a key that occurs twice the first is taken.
 * Deliberately not here: finding out which keys there are.
 */

import { CompileError } from '../error.ts'
import { typed, withName } from '../sql/value.ts'
import { checkRegex } from '../text/regex.ts'
import { describeToken } from '../text/token.ts'
import type { ParseKv } from '../tree/ast.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import { readAs, typedName } from '../tree/typed-names.ts'
import type { Context } from '../values/context.ts'
import { quoteRegex } from '../values/text-match.ts'
import type { OperatorDefinition } from './definition.ts'

const OPTIONS = ['pair_delimiter', 'kv_delimiter', 'quote', 'escape', 'greedy', 'regex'] as const

type Options = ParseKv['options']

/** options = "with" "(" option "=" (string | "true" | "false") { "," … } ")" */
function options(parser: ExpressionParser): Options {
  const given: Record<string, string[]> = {}
  if (!parser.acceptWord('with')) return given
  parser.expectSymbol('(', 'after with')
  parser.list(() => {
    const option = parser.expectOneOf(OPTIONS, 'option of parse-kv')
    parser.expectSymbol('=', 'after the option')
    const value = parser.next()
    const { kind, text, span } = value
    const [wanted, isFit] =
      option === 'greedy' ? ['true or false', /^(?:true|false)$/.test(text)] : ['a text', kind === 'string' && text !== '']
    if (!isFit) throw new CompileError('syntax', `expected ${wanted} for ${option}, found ${describeToken(value)}`, span)
    if (option === 'regex' && checkRegex(text, span).groups !== 2)
      throw new CompileError('syntax', 'the regular expression of parse-kv has two groups: a key, and its value', span)
    given[option] = [...(given[option] ?? []), text]
  })
  parser.expectSymbol(')', 'after the options')
  return given
}

const BLANKS = '[ \\t]*'
/** Where the query names none. After `=` a blank ends the pair, unless one stands before it, too. */
const ANY_DELIMITERS = ['[\\s,;&|]', `(?:[ \\t]+=${BLANKS}|=|${BLANKS}:${BLANKS})`] as const

/** Finds a key, which may be in quotes: its value is in a group for each kind of quotes, or in the last one. */
function patternOf(name: string, { pair_delimiter: pairs, kv_delimiter: keys, quote = ['"'], greedy, ...more }: Options): string {
  // Blanks around a delimiter belong to it, unless it is one itself.
  const after = pairs?.[0] === ' ' ? '' : BLANKS
  const named = `${BLANKS}${quoteRegex(keys?.[0] ?? '=')}${after}`
  const [pair, between] = pairs || keys ? [quoteRegex(pairs?.[0] ?? ' '), named] : ANY_DELIMITERS
  const marks = quote.map((text) => ([...text].length === 2 ? [...text] : [text, text]).map(quoteRegex))
  const escapes = more.escape?.map(quoteRegex).join('')
  const inside = escapes === undefined ? '.*?' : `(?:[${escapes}].|[^${escapes}])*?`
  const quoted = marks.map(([open, close]) => `${open}(${inside})${close}|`).join('')
  const [begin, end] = [0, 1].map((side) => `(?:${marks.map((both) => both[side]).join('|')})?`)
  const key = (text: string) => `${BLANKS}${begin}${text}${end}${between}`
  // A value without quotes ends at the next pair, or at the next that has a key.
  const next = greedy?.[0] === 'true' ? `${pair}${key('\\S+?')}` : pair
  return `(?s)(?:^|${pair})${key(quoteRegex(name))}(?:${quoted}(.*?))${BLANKS}(?:${next}|$)`
}

/** SQL of the value of a key, the first if it occurs twice; empty where there is none. */
function found(name: string, text: string, options: Options, { binder }: Context): string {
  const [regex] = options.regex ?? []
  if (regex !== undefined)
    return `trim(arrayFirst(g -> trim(g[1]) = ${binder.text(name)}, extractAllGroupsVertical(${text}, ${binder.text(regex)}))[2])`
  const groups = `extractGroups(${text}, ${binder.text(patternOf(name, options))})`
  const quoted = `arrayStringConcat(arrayPopBack(${groups}))`
  const escapes = options.escape && binder.text(`[${options.escape.map(quoteRegex).join('')}](.)`)
  return `concat(${escapes ? `replaceRegexpAll(${quoted}, ${escapes}, '\\\\1')` : quoted}, ${groups}[-1])`
}

export const parseKv: OperatorDefinition<'parse-kv'> = {
  keywords: ['parse-kv'],
  syntax:
    "expression as (key[:type], …) [with (pair_delimiter = ' ', kv_delimiter = '=', quote = '\"', escape = '\\\\', greedy = true | regex = '(…)(…)')]",
  parse: (parser) => {
    const expression = parser.expression()
    parser.expectWord('as', 'before the keys')
    parser.expectSymbol('(', 'before the keys')
    const keys = parser.list(() => typedName(parser))
    parser.expectSymbol(')', 'after the keys')
    return { expression, keys, options: options(parser) }
  },
  compile: (operator, input, context: Context) => {
    const text = `ifNull(${context.expression(operator.expression, input).as('text')}, '')`
    const columns = operator.keys.map(({ name, type = 'string' }) => {
      const value = typed('string', `nullIf(${found(name, text, operator.options, context)}, '')`)
      return [name, withName(name, readAs(value, type))] as const
    })
    return input.extended(new Map(columns))
  },
}
