/**
 * Expressions: a Pratt parser over the tokens. One function per production, its grammar in the comment.
 * Deliberately not here: operators of the pipeline, and single values; see `primary-parser.ts`.
 */
import type { Expression, Named, Pipeline, SortKey } from './ast.ts'
import { dottedName } from './expression-name.ts'
import { BINDING, type BinaryOperator, COMPARISONS, LIST_OPERATORS, type ListOperator, TEXT_OPERATORS } from './infix.ts'
import { PrimaryParser } from './primary-parser.ts'
import { spanning } from './source.ts'

/** Reads expressions; the pipeline parser extends it. */
export abstract class ExpressionParser extends PrimaryParser {
  /** The other side of a union or a join: a dataset, or a pipeline in brackets. */
  abstract branch(): Pipeline
  /** The members of a union: those, or patterns of datasets; and the column for their names. */
  abstract unionMembers(): { readonly members: readonly Pipeline[]; readonly withSource?: string }

  /** expression = prefix { infix } — infix operators that bind tighter than `binding`. */
  override expression(binding = 0): Expression {
    return this.nested(() => {
      let left = this.prefix()
      while (true) {
        const more = this.infix(left, binding)
        if (!more) return left
        left = more
      }
    })
  }

  /** infix = ("or"|"and") expression | comparison | ("+"|"-"|"*"|"/"|"%") expression */
  private infix(left: Expression, binding: number): Expression | undefined {
    const { kind, text } = this.peek()
    if (kind === 'word' && (text === 'or' || text === 'and') && binding < BINDING[text]) return this.logical(left, text)
    if (kind !== 'word' && kind !== 'symbol') return undefined
    if (
      binding < BINDING.comparison &&
      (COMPARISONS.has(text) || TEXT_OPERATORS.has(text) || (text === 'matches' && this.isWord('regex', 1)))
    ) {
      return this.comparison(left)
    }
    if (binding < BINDING.comparison && LIST_OPERATORS.has(text)) return this.listOperation(left, text as ListOperator)
    if (binding < BINDING.comparison && (text === 'between' || text === '!between')) return this.between(left, text !== 'between')
    const level =
      text === '+' || text === '-' ? BINDING.additive : text === '*' || text === '/' || text === '%' ? BINDING.multiplicative : 0
    if (kind !== 'symbol' || level <= binding) return undefined
    this.next()
    return binary(text as BinaryOperator, left, this.expression(level))
  }

  /** logical = expression { "and" expression } — one node for the whole run */
  private logical(left: Expression, operator: 'and' | 'or'): Expression {
    const operands = left.kind === 'logical' && left.operator === operator ? [...left.operands] : [left]
    while (this.acceptWord(operator)) {
      const operand = this.expression(BINDING[operator])
      operands.push(...(operand.kind === 'logical' && operand.operator === operator ? operand.operands : [operand]))
    }
    return { kind: 'logical', operator, operands, span: spanning(left.span, (operands.at(-1) as Expression).span) }
  }

  /** comparison = expression ("==" | "contains" | "matches" "regex" | …) expression */
  private comparison(left: Expression): Expression {
    let operator = this.next().text
    if (operator === 'matches') operator = `matches ${this.next().text}`
    if (operator === '<>') operator = '!='
    return binary(operator as BinaryOperator, left, this.expression(BINDING.comparison))
  }

  /** listOperation = expression ("in" | "has_any" | …) ( "(" [expression {"," expression}] ")" | primary ) */
  private listOperation(value: Expression, operator: ListOperator): Expression {
    this.next()
    let list: Expression[] = []
    if (this.acceptSymbol('(')) {
      if (!this.isSymbol(')')) list = this.list(() => this.tabular() ?? this.expression())
      this.expectSymbol(')', 'after the list')
    } else {
      list = [this.expression(BINDING.comparison)]
    }
    return { kind: 'in-list', operator, value, list, span: spanning(value.span, this.previousSpan()) }
  }

  /** between = expression ["!"] "between" "(" expression ".." expression ")" */
  private between(value: Expression, negated: boolean): Expression {
    this.next()
    this.expectSymbol('(', 'after between')
    const low = this.expression()
    this.expectSymbol('..', 'between the two ends')
    const high = this.expression()
    this.expectSymbol(')', 'after the range')
    return { kind: 'between', negated, value, low, high, span: spanning(value.span, this.previousSpan()) }
  }

  /** named = [ (name | string) "=" ] expression — the name may be dotted */
  override named(): Named {
    const first = this.expression()
    const name = first.kind === 'literal' && first.value.type === 'string' ? first.value.value : dottedName(first)
    if (name === undefined || !this.acceptSymbol('=')) return { expression: first, span: first.span }
    const expression = this.expression()
    return { name, expression, span: spanning(first.span, expression.span) }
  }

  /** sortKey = expression [ "asc" | "desc" ] [ "nulls" ("first"|"last") ] */
  sortKey(): SortKey {
    const expression = this.expression()
    const descending = this.acceptWord('asc', 'desc') !== 'asc'
    const nulls = this.acceptWord('nulls') ? this.expectOneOf(['first', 'last'] as const, 'place for nulls') : undefined
    return { expression, descending, ...(nulls && { nulls }), span: spanning(expression.span, this.previousSpan()) }
  }
}

function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, span: spanning(left.span, right.span) }
}
