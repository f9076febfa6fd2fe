/**
 * Text operators: `contains`, `startswith`, `endswith`, `has`, `hasprefix`, `hassuffix`, their negations and `_cs` forms, `matches regex`.
 * A term, for `has`, is a run of ASCII letters, digits and characters beyond ASCII, as the engine's token search sees it.
 * Deliberately not here: comparison by order or equality.
 */

import { mismatch } from '../error.ts'
import { lowered } from '../sql/field.ts'
import { boolean, overItems, typed, type Value, type View } from '../sql/value.ts'
import { type TextOperator, withoutNegation } from '../text/infix.ts'
import { checkRegex, lineWise } from '../text/regex.ts'
import type { Context, Operation } from './context.ts'

type Matcher = (text: string, wanted: string, literal: string | undefined, context: Context) => string

const isAscii = (text: string | undefined): text is string => text !== undefined && !/[^\x00-\x7f]/.test(text)
const IN_TERM = '0-9A-Za-z\\x{80}-\\x{10FFFF}'
const NOT_IN_TERM = `[^${IN_TERM}]`
/** Whether a text begins, or ends, with a sign: it ends a term by itself, so anything may stand beside it. */
const hasSignAt = { start: /^[^0-9A-Za-z\x80-\u{10ffff}]/u, end: /[^0-9A-Za-z\x80-\u{10ffff}]$/u }

/** Case folding of ASCII text is much cheaper, and enough where the text searched for is ASCII. */
const pick = (ascii: string, unicode: string) => (text: string, wanted: string, literal: string | undefined) =>
  `${isAscii(literal) ? ascii : unicode}(${text}, ${wanted})`

/** Whole terms, prefixes and suffixes of terms: the engine's token search where it can be used, else a regular expression. */
const term =
  (ignoreCase: boolean, before: boolean, after: boolean): Matcher =>
  (text, wanted, literal, { binder }) => {
    if (before && after && literal !== undefined && /^[0-9A-Za-z]+$/.test(literal)) {
      return `${ignoreCase ? 'hasTokenCaseInsensitive' : 'hasToken'}(${text}, ${wanted})`
    }
    const [first, last] = [before ? `(?:^|${NOT_IN_TERM})` : '', after ? `(?:$|${NOT_IN_TERM})` : '']
    const flags = ignoreCase ? '(?i)' : ''
    if (literal !== undefined) {
      const [head, tail] = [hasSignAt.start.test(literal) ? '' : first, hasSignAt.end.test(literal) ? '' : last]
      const found = `match(${text}, ${binder.text(flags + head + quoteRegex(literal) + tail)})`
      // Most texts do not have it at all, which is seen much quicker.
      if (ignoreCase) return isAscii(literal) ? `(positionCaseInsensitive(${text}, ${wanted}) > 0 AND ${found})` : found
      return `(position(${text}, ${wanted}) > 0 AND ${found})`
    }
    const edge = (sign: string, boundary: string) => `if(match(${wanted}, ${binder.text(sign)}), '', ${binder.text(boundary)})`
    const parts = [edge(`^${NOT_IN_TERM}`, first), `regexpQuoteMeta(${wanted})`, edge(`${NOT_IN_TERM}$`, last)]
    return `match(${text}, concat(${binder.text(flags)}, ${parts.join(', ')}))`
  }

const MATCHERS: Record<string, Matcher> = {
  contains: (text, wanted, literal) =>
    `(${pick('positionCaseInsensitive', 'positionCaseInsensitiveUTF8')(text, wanted, literal)} > 0)`,
  contains_cs: (text, wanted) => `(position(${text}, ${wanted}) > 0)`,
  startswith: pick('startsWithCaseInsensitive', 'startsWithCaseInsensitiveUTF8'),
  startswith_cs: (text, wanted) => `startsWith(${text}, ${wanted})`,
  endswith: pick('endsWithCaseInsensitive', 'endsWithCaseInsensitiveUTF8'),
  endswith_cs: (text, wanted) => `endsWith(${text}, ${wanted})`,
  has: term(true, true, true),
  has_cs: term(false, true, true),
  hasprefix: term(true, true, false),
  hasprefix_cs: term(false, true, false),
  hassuffix: term(true, false, true),
  hassuffix_cs: term(false, false, true),
  ':': term(true, true, true),
}

const TERM_OPERATORS = /^!?has(?:_cs)?$/

export function matchText(operation: Operation<TextOperator>): Value {
  const { operator, left, right, context } = operation
  if (operator === 'matches regex') return matchRegex(operation)
  const base = withoutNegation(operator)
  const matcher = MATCHERS[base] as Matcher
  const literal = right.literal?.type === 'string' ? right.literal.value : undefined
  const over = (text: string) => {
    const exact = () => matcher(text, right.as('text'), literal, context)
    const byIndex = left.indexed === 'words' && literal !== undefined ? findWords(base, text, literal, context) : undefined
    if (!byIndex) return exact()
    return byIndex.isExact ? byIndex.sql : `(${byIndex.sql} AND ${exact()})`
  }
  // A term of an array is one of an item: its JSON text need not be written for that.
  const sql = TERM_OPERATORS.test(operator)
    ? overItems(
        left,
        (items) => `arrayExists(t -> ifNull(${over('t')}, false), ${items})`,
        () => over(left.as('text')),
      )
    : over(left.as('text'))
  return base !== operator ? boolean(`(NOT ifNull(${sql}, false))`) : boolean(`ifNull(${sql}, false)`, sql)
}

/** A test that the index of words answers. */
interface WordTest {
  readonly sql: string
  /** Whether it is true of no other texts than those that are looked for. */
  readonly isExact: boolean
}

const WORD = /^[0-9A-Za-z]+$/

/** The words that a text must have, as far as the index knows them. */
function findWords(operator: string, text: string, wanted: string, { binder }: Context): WordTest | undefined {
  const [base, isCased] = operator.endsWith('_cs') ? [operator.slice(0, -3), true] : [operator, false]
  if (base === 'contains' && WORD.test(wanted)) {
    return { sql: `(${lowered(text)} LIKE ${binder.text(`%${wanted.toLowerCase()}%`)})`, isExact: !isCased }
  }
  if (base !== 'has' && base !== ':') return undefined
  const found = (word: string) => `hasToken(${lowered(text)}, ${binder.text(word.toLowerCase())})`
  if (WORD.test(wanted)) return { sql: found(wanted), isExact: !isCased }
  // Between the characters that end a term there are whole ones. Without case, a regular expression also takes the Kelvin sign
  // for a k, and the long s for an s.
  const words = wanted.split(/[^0-9A-Za-z\x80-\uffff]+/).filter((word) => WORD.test(word) && (isCased || !/[ks]/i.test(word)))
  return words.length === 0 ? undefined : { sql: words.map(found).join(' AND '), isExact: false }
}

function matchRegex({ left, right, context, span }: Operation<TextOperator>): Value {
  // The engine would refuse a bad pattern only while running, so it must be known now.
  if (right.literal?.type !== 'string') throw mismatch('the regular expression must be a constant', span)
  checkRegex(right.literal.value, span)
  const sql = `match(${left.as('text')}, ${context.binder.text(lineWise(right.literal.value))})`
  return boolean(`ifNull(${sql}, false)`, sql)
}

/**
 * What the one group of a pattern captures, or the whole match of a pattern without groups; NULL where nothing matches. The
 * engine answers '' there: only of an empty text is it asked whether the pattern matched at all.
 */
export function extracted(text: string, pattern: string, whether: string): Value {
  const found = `extract(${text}, ${pattern})`
  const value = typed('string', `if(${found} != '', ${found}, if(match(${text}, ${whether}), '', NULL))`)
  // Read as anything but a text, an empty one is missing too.
  const bare = typed('string', found)
  return { ...value, as: (view) => (BARE.has(view) ? bare.as(view) : value.as(view)) }
}

const BARE = new Set<View>(['number', 'ieee', 'integer', 'time', 'span', 'filter', 'truth'])

/** Text as a regular expression that matches just it. */
export function quoteRegex(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&').replaceAll('\0', '\\x00')
}
