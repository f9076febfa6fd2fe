/**
 * The operators between two values: how each is written, and how tightly it binds.
 * Deliberately not here: what they mean; see `values/`.
 */

export const TEXT_WORDS = ['contains', 'startswith', 'endswith', 'has', 'hasprefix', 'hassuffix'] as const
const LIST_WORDS = ['in', '!in', 'in~', '!in~', 'has_any', '!has_any', 'has_any_cs', '!has_any_cs', 'has_all'] as const

const COMPARISON_SIGNS = ['==', '!=', '<', '<=', '>', '>=', '=~', '!~'] as const
const ARITHMETIC_SIGNS = ['+', '-', '*', '/', '%'] as const

export type ComparisonOperator = (typeof COMPARISON_SIGNS)[number]
export type ArithmeticOperator = (typeof ARITHMETIC_SIGNS)[number]
export type TextOperator = `${'' | '!'}${(typeof TEXT_WORDS)[number]}${'' | '_cs'}` | 'matches regex' | ':'
export type BinaryOperator = ComparisonOperator | ArithmeticOperator | TextOperator
export type ListOperator = (typeof LIST_WORDS)[number]

/** How tightly each infix operator binds. */
export const BINDING = { or: 1, and: 2, comparison: 3, additive: 4, multiplicative: 5, prefix: 6, postfix: 7 } as const

export const COMPARISONS: ReadonlySet<string> = new Set([...COMPARISON_SIGNS, '<>', ':'])
export const TEXT_OPERATORS: ReadonlySet<string> = new Set(
  TEXT_WORDS.flatMap((word) => [word, `!${word}`, `${word}_cs`, `!${word}_cs`]),
)
export const LIST_OPERATORS: ReadonlySet<string> = new Set(LIST_WORDS)

export const isArithmetic = (operator: BinaryOperator): operator is ArithmeticOperator =>
  (ARITHMETIC_SIGNS as readonly string[]).includes(operator)
export const isComparison = (operator: BinaryOperator): operator is ComparisonOperator =>
  (COMPARISON_SIGNS as readonly string[]).includes(operator)

/** The operator that another one is the negation of, and itself if it is none: `==` for `!=`, `has_cs` for `!has_cs`. */
export function withoutNegation(operator: string): string {
  return operator.replace(/^!(?=\W)/, '=').replace(/^!/, '')
}
