/**
 * The words of a query text.
 * Deliberately not here: keywords. `count`, `by` or `kind` may be field names; only the parser knows by their place.
 */

import type { Span } from '../error.ts'
import type { LiteralValue } from './literal.ts'

/**
 * A `word` is a name: letters, digits, `_` and `$`. A `number` may be a timespan. `raw` is what stands unquoted in `datetime(…)` and
 * `timespan(…)`. A `symbol` is punctuation, or `!in`, `!contains`, `in~` and their like. The text of the `end` is empty.
 */
export type Token = { readonly text: string; readonly span: Span; readonly beginsLine?: true } & (
  | { readonly kind: 'word' | 'string' | 'raw' | 'symbol' | 'end' }
  | { readonly kind: 'number'; readonly value: LiteralValue }
)

const OPENS = new Set(['(', '[', '{'])
const CLOSES = new Set([')', ']', '}'])

/** How much deeper in brackets the text behind a token is: 1 behind one that opens, -1 behind one that closes. */
export function nesting({ kind, text }: Token): 1 | 0 | -1 {
  if (kind !== 'symbol') return 0
  return OPENS.has(text) ? 1 : CLOSES.has(text) ? -1 : 0
}

/** How an error message names a token. */
export function describeToken(token: Token): string {
  if (token.kind === 'end') return 'the end of the query'
  if (token.kind === 'string') return 'a string'
  return `"${token.text.slice(0, 40)}"`
}
