/**
 * Expressions: a Pratt parser over the tokens. One function per production, its grammar in the comment.
 * Deliberately not here: operators of the pipeline, and single values; see `primary-parser.ts`.
 */
import type { Expression, Named, Pipeline, SortKey } from './ast.ts'
import { CompileError, type Edit } from './error.ts'
import { dottedName } from './expression-name.ts'
import { BINDING, type BinaryOperator, COMPARISONS, LIST_OPERATORS, type ListOperator, TEXT_OPERATORS } from './infix.ts'
import { COLUMNS_WRITTEN_MAX, CONSTANTS_MAX, OPERANDS_MAX } from './limits.ts'
import { mistakenPair } from './mistakes/pairs.ts'
import { writeName } from './nearest.ts'
import { PrimaryParser } from './primary-parser.ts'
import { spanning } from './source.ts'

export interface UnionMembers {
  readonly members: readonly Pipeline[]
  /** Only columns that each of them has. */
  readonly common?: true
  readonly withSource?: string
}

/** Reads expressions; the pipeline parser extends it. */
export abstract class ExpressionParser extends PrimaryParser {
  #columnsWritten = 0

  /** The other side of a union or a join: a dataset, or a pipeline in brackets. */
  abstract branch(): Pipeline
  /** The members of a union: those, or patterns of datasets; and the column for their names. */
  abstract unionMembers(): UnionMembers

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
    const pair = mistakenPair((ahead) => this.peek(ahead))
    if (pair) throw pair
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
      if (operands.length > OPERANDS_MAX)
        throw new CompileError(
          'limit',
          `more than ${OPERANDS_MAX} conditions are joined by "${operator}", of which this is the next`,
          operand.span,
          'for many values of one field write field in (…)',
        )
    }
    return { kind: 'logical', operator, operands, span: spanning(left.span, (operands.at(-1) as Expression).span) }
  }

  /** comparison = expression ("==" | "contains" | "matches" "regex" | …) expression */
  private comparison(left: Expression): Expression {
    this.refuseChain(left)
    let operator = this.next().text
    if (operator === 'matches') operator = `matches ${this.next().text}`
    if (operator === '<>') operator = '!='
    return binary(operator as BinaryOperator, left, this.expression(BINDING.comparison))
  }

  /** `1 < x < 5`: what is in brackets ends behind its own end. */
  private refuseChain(left: Expression): void {
    if (left.kind !== 'binary' || !COMPARISONS.has(left.operator) || left.span.end !== this.previousSpan().end) return
    const { end } = left.span
    const hint = 'write a < b and b < c, or b between (a .. c)'
    const mend =
      left.right.kind === 'name' ? [{ span: { start: end, end }, text: ` and ${writeName(left.right.name)}` }] : undefined
    throw new CompileError('syntax', 'comparisons cannot be chained', this.peek().span, mend ? { hint, mend } : hint)
  }

  /** listOperation = expression ("in" | "has_any" | …) ( "(" [expression {"," expression}] ")" | primary ) */
  private listOperation(value: Expression, operator: ListOperator): Expression {
    this.next()
    let list: Expression[] = []
    if (this.acceptSymbol('(')) {
      if (!this.isSymbol(')')) list = this.list(() => this.tabular() ?? this.expression(), CONSTANTS_MAX)
      this.expectSymbol(')', 'after the list')
    } else {
      this.refuseOpenList()
      list = [this.expression(BINDING.comparison)]
    }
    return { kind: 'in-list', operator, value, list, span: spanning(value.span, this.previousSpan()) }
  }

  /** `in [1, 2]` and `in 1, 2`. */
  private refuseOpenList(): void {
    const isSquare = this.isSymbol('[') && !(this.peek(1).kind === 'string' && this.isSymbol(']', 2))
    const isLiteral = (ahead: number) => this.peek(ahead).kind === 'string' || this.peek(ahead).kind === 'number'
    if (!isSquare && !(isLiteral(0) && this.isSymbol(',', 1) && isLiteral(2))) return
    let last = 0
    if (isSquare) last = this.closing()
    else while (this.isSymbol(',', last + 1) && isLiteral(last + 2)) last += 2
    const [first, end] = [this.peek().span, this.peek(last).span]
    const mend: Edit[] = isSquare
      ? [
          { span: first, text: '(' },
          { span: end, text: ')' },
        ]
      : [
          { span: { start: first.start, end: first.start }, text: '(' },
          { span: { start: end.end, end: end.end }, text: ')' },
        ]
    throw new CompileError('syntax', 'a list is in round brackets', spanning(first, end), { hint: 'write in (1, 2)', mend })
  }

  /** between = expression ["!"] "between" "(" expression ".." expression ")" */
  private between(value: Expression, negated: boolean): Expression {
    this.next()
    if (!this.isSymbol('(')) this.refuseRange(this.expression(BINDING.comparison), ['(', ')'])
    this.expectSymbol('(', 'after between')
    const low = this.expression()
    if (low.kind === 'logical' || this.isSymbol(',')) this.refuseRange(low)
    this.expectSymbol('..', 'between the two ends')
    const high = this.expression()
    this.expectSymbol(')', 'after the range')
    return { kind: 'between', negated, value, low, high, span: spanning(value.span, this.previousSpan()) }
  }

  /** `between 1 and 5`, `between (1, 5)`: what stands between the ends is to be `..`. */
  private refuseRange(low: Expression, [open, close] = ['', '']): never {
    const message = 'a range is written (low .. high)'
    const mend: Edit[] = []
    if (low.kind === 'logical' && low.operands.length === 2) {
      const [first, second] = low.operands as [Expression, Expression]
      mend.push({ span: { start: first.span.end, end: second.span.start }, text: ' .. ' })
    } else if (this.isSymbol(',') || this.isWord('and') || this.isWord('AND') || this.isSymbol('..')) {
      const { span } = this.next()
      const { end } = this.expression(BINDING.comparison).span
      const { start } = low.span
      mend.push({ span: { start, end: start }, text: open }, { span: { start: low.span.end, end: span.end }, text: ' ..' })
      mend.push({ span: { start: end, end }, text: close })
    }
    const hint = 'write between (low .. high)'
    throw new CompileError('syntax', message, low.span, mend.length > 0 ? { hint, mend } : hint)
  }

  /** named = [ (name | string) "=" ] expression — the name may be dotted */
  override named(): Named {
    const { start } = this.peek().span
    const first = this.expression()
    this.#columnsWritten += 1
    if (this.#columnsWritten > COLUMNS_WRITTEN_MAX)
      throw new CompileError(
        'limit',
        `the query writes more than ${COLUMNS_WRITTEN_MAX} columns, of which this is the next`,
        first.span,
      )
    this.refuseAs(start)
    const name = first.kind === 'literal' && first.value.type === 'string' ? first.value.value : dottedName(first)
    if (name === undefined || !this.acceptSymbol('=')) return { expression: first, span: first.span }
    const expression = this.expression()
    return { name, expression, span: spanning(first.span, expression.span) }
  }

  /** `expression as name`, from where the expression began. */
  private refuseAs(start: number): void {
    const [word, name] = [this.peek(), this.peek(1)]
    if (word.kind !== 'word' || word.text.toLowerCase() !== 'as' || name.kind !== 'word') return
    throw new CompileError('syntax', 'a column is named before its value', word.span, {
      hint: 'write name = expression',
      mend: [
        { span: { start, end: start }, text: `${name.text} = ` },
        { span: { start: this.previousSpan().end, end: name.span.end }, text: '' },
      ],
    })
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
