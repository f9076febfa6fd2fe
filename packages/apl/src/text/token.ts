/**
 * The words of a query text.
 * Deliberately not here: keywords. `count`, `by` or `kind` may be field names; only the parser knows by their place.
 */

import type { Span } from '../error.ts'
import type { LiteralValue } from './literal.ts'

export type Token =
  /** A name: letters, digits, `_` and `$`. */
  | { readonly kind: 'word'; readonly text: string; readonly span: Span }
  | { readonly kind: 'string'; readonly text: string; readonly span: Span }
  /** A number or a timespan. */
  | { readonly kind: 'number'; readonly text: string; readonly value: LiteralValue; readonly span: Span }
  /** What stands unquoted in `datetime(…)` and `timespan(…)`. */
  | { readonly kind: 'raw'; readonly text: string; readonly span: Span }
  /** Punctuation, and `!in`, `!contains`, `in~` and their like. */
  | { readonly kind: 'symbol'; readonly text: string; readonly span: Span }
  | { readonly kind: 'end'; readonly text: ''; readonly span: Span }

/** How an error message names a token. */
export function describeToken(token: Token): string {
  if (token.kind === 'end') return 'the end of the query'
  if (token.kind === 'string') return 'a string'
  return `"${token.text.slice(0, 40)}"`
}
