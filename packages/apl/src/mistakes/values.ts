/**
 * Constants that are written as something else: a timespan in quotes, a pattern where texts are compared whole.
 * Deliberately not here: tokens and names.
 */
import type { Advice, Span } from '../error.ts'
import { type LiteralValue, parseTimespan } from '../literal.ts'

/** Advice for a timespan in quotes, as `'1h'`. A bare number would be one of days. */
export function unquoted(literal: LiteralValue | undefined, span: Span): Advice | undefined {
  if (literal?.type !== 'string' || !parseTimespan(literal.value) || !/^[\d.]+[a-z]+$/.test(literal.value)) return undefined
  return { hint: `write ${literal.value} without quotes`, mend: [{ span, text: literal.value }] }
}

/** What is to be said of a text that is compared whole and looks like a pattern. */
export function adviceOnPattern(operator: string, text: string): string | undefined {
  const wildcard = text.length > 1 ? /^[*%]|[*%]$/.exec(text)?.[0] : undefined
  if (wildcard) return `"${wildcard}" stands for itself behind ${operator}: write contains, startswith, endswith or matches regex`
  if (operator === '=~' && /\.[*+.]|\\[dws]|\[[^\]]+\]|^\^|\$$|\|/.test(text))
    return '=~ compares whole texts, whatever their case: patterns are found by matches regex'
  return undefined
}
