/**
 * `parse` and `parse-where`: columns out of a text, by a pattern of texts and names. The pattern covers the whole text.
 * In a regular expression named groups are columns too.
 * Deliberately not here: key-value pairs; see `parse-kv.ts`.
 */

import { CompileError } from '../error.ts'
import { type Kind, typed, type Value, withName } from '../sql/value.ts'
import { TIME_FORMS } from '../text/literal.ts'
import { capturingOnly, checkRegex } from '../text/regex.ts'
import type { Parse, ParsePart } from '../tree/ast.ts'
import type { ExpressionParser } from '../tree/expression-parser.ts'
import { kindOfType, readAs, typedName } from '../tree/typed-names.ts'
import type { Context } from '../values/context.ts'
import { extracted, quoteRegex } from '../values/text-match.ts'
import type { OperatorDefinition } from './definition.ts'

/** parts = { string | "*" | columnName [":" type] | "," } — commas, which some write between them, say nothing */
function parts(parser: ExpressionParser): ParsePart[] {
  const found: ParsePart[] = []
  while (true) {
    const token = parser.peek()
    if (token.kind === 'string') found.push({ text: parser.next().text })
    else if (parser.acceptSymbol('*')) found.push({ skip: true })
    else if (token.kind === 'word' || parser.isSymbol('[')) {
      const { name, ...type } = typedName(parser)
      found.push({ column: name, ...type })
    } else if (found.length === 0 || !parser.acceptSymbol(',')) return found
  }
}

/** What is read of a text in which anything may follow, and in a regular expression. */
const PATTERNS: Partial<Record<Kind | 'guid', string>> = {
  guid: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
  integer: '[-+]?[0-9]+',
  real: '[-+]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]+)?',
  boolean: '(?i:true|false|[01])',
  datetime: `(?i:${TIME_FORMS})`,
  timespan: '-?(?:(?:[0-9]+[.])?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?|[0-9]+(?:[.][0-9]+)? *[a-z]*)',
}

function compilePattern({ mode, flags = '', filters, parts: given, span }: Parse): {
  regex: string
  columns: { name: string; group: number; type: string | undefined }[]
} {
  const columns: { name: string; group: number; type: string | undefined }[] = []
  let groups = 0
  const pieces = given.map((part, at) => {
    // With `U` the engine takes the shortest by itself, and `?` means the longest.
    const lazy = at < given.length - 1 !== flags.includes('U') ? '?' : ''
    if (part.text !== undefined) {
      if (mode !== 'regex') return quoteRegex(part.text)
      const inside = checkRegex(part.text, span)
      for (const { name, group } of inside.named) columns.push({ name, group: groups + group, type: undefined })
      groups += inside.groups
      return flags.includes('s') ? `(?:${part.text})` : `(?-s:${part.text})`
    }
    const anything = (mode !== 'regex' && upToDelimiter(given, at)) || `.*${lazy}`
    if (part.column === undefined) return anything
    columns.push({ name: part.column, group: ++groups, type: part.type })
    const isRead = part.type && (mode === 'regex' || given[at + 1]?.skip)
    const pattern = isRead ? PATTERNS[part.type === 'guid' ? 'guid' : kindOfType(part.type)] : undefined
    // What does not fit its type is missing, and the others are kept.
    if (pattern !== undefined) return filters ? `(?-U:(${pattern}))` : `(?:(?-U:(${pattern}))|${anything})`
    return mode === 'regex' ? '(.*)' : `(${anything})`
  })
  if (columns.length === 0)
    throw new CompileError('syntax', 'parse names no column', span, "write parse field with 'text' name 'text' …")
  // One regular expression with names in it is looked for anywhere, as by other tools that take such.
  const isAnywhere = given.every(({ text }) => text !== undefined)
  // Any end will do.
  const isOpen = given.length > 1 && given.at(-1)?.skip === true
  const body = (isOpen ? pieces.slice(0, -1) : pieces).join('')
  const anchored = isAnywhere ? body : `^${body}${isOpen ? '' : '$'}`
  return { regex: `(?s${flags.replace('s', '')})${anchored}`, columns }
}

/**
 * What stands before a delimiter of one character that anything may follow: it goes to the first one. A later one could not help
 * where the first does not, and the engine is much quicker if it need not consider it.
 */
function upToDelimiter(parts: readonly ParsePart[], at: number): string | undefined {
  const [next, afterNext] = [parts[at + 1]?.text, parts[at + 2]]
  if (next === undefined || [...next].length !== 1 || afterNext === undefined || afterNext.text !== undefined) return undefined
  return `[^\\x{${(next.codePointAt(0) as number).toString(16)}}]*`
}

/** The most columns that are each extracted by themselves: that is quicker than an array of all groups, of which some may not be asked for. */
const EXTRACTS_MAX = 4

/** flags = { "i" | "m" | "s" | "U" } */
function regexFlags(parser: ExpressionParser, mode: Parse['mode']): string {
  const token = parser.next()
  const letters = token.text
  if (mode !== 'regex') throw new CompileError('syntax', 'flags need kind=regex', token.span)
  if (!/^[imsU]+$/.test(letters) || new Set(letters).size < letters.length)
    throw new CompileError('syntax', `unknown flags "${letters.slice(0, 40)}"`, token.span, 'each of i, m, s and U at most once')
  return letters
}

export const parse: OperatorDefinition<'parse'> = {
  keywords: ['parse', 'parse-where'],
  syntax: '[kind = simple | regex | relaxed [flags = imsU]] expression with ["text" | * | name[:type]] …',
  parse: (parser, _span, spelling) => {
    let mode: Parse['mode'] = 'simple'
    if (parser.acceptOption('kind')) mode = parser.expectOneOf(['simple', 'regex', 'relaxed'] as const, 'kind of parse')
    const flags = parser.acceptOption('flags') ? regexFlags(parser, mode) : undefined
    const expression = parser.expression()
    parser.expectWord('with', 'before the pattern')
    return { mode, ...(flags && { flags }), filters: spelling === 'parse-where', expression, parts: parts(parser) }
  },
  compile: (operator, input, context: Context) => {
    const { regex, columns } = compilePattern(operator)
    const { binder } = context
    const whether = binder.text(capturingOnly(regex, 0))
    const textOf = (relation: typeof input) => `ifNull(${context.expression(operator.expression, relation).as('text')}, '')`
    const whole = columns.length > EXTRACTS_MAX ? binder.text(regex) : ''
    const foundIn = (text: string, group: number): Value => {
      if (columns.length <= EXTRACTS_MAX) return extracted(text, binder.text(capturingOnly(regex, group)), whether)
      const groups = `extractGroups(${text}, ${whole})`
      return typed('string', `if(empty(${groups}), NULL, ${groups}[${binder.count(group)}])`)
    }
    const valuesOf = (text: string) => columns.map(({ group, type }) => readAs(foundIn(text, group), type ?? 'string'))
    /** Only rows whose text has the pattern, and in which each column's text is one of its type. */
    const fits = (target: typeof input) => {
      const text = textOf(target)
      const typedOnes = valuesOf(text).filter(({ kind }) => kind !== 'string')
      return [`match(${text}, ${whether})`, ...typedOnes.map((value) => `isNotNull(${value.as('plain')})`)].join(' AND ')
    }
    const relation = operator.filters ? input.filtered(fits) : input
    const values = valuesOf(textOf(relation))
    return relation.extended(new Map(columns.map(({ name }, at) => [name, withName(name, values[at] as Value)])))
  },
}
