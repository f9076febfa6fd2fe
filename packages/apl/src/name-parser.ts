/**
 * Names of fields and datasets, and patterns of them.
 * Deliberately not here: values.
 */
import type { Pattern } from './ast.ts'
import { CompileError } from './error.ts'
import { spanning } from './source.ts'
import { describeToken } from './token.ts'
import { TokenReader } from './token-reader.ts'

/** Reads names; the parsers of what has names in it extend it. */
export abstract class NameParser extends TokenReader {
  /** quotedName = "[" string "]" */
  quotedName(): string {
    this.expectSymbol('[', 'before a quoted name')
    const token = this.next()
    if (token.kind !== 'string') {
      const hint = "a name is quoted as ['name']"
      const mend = [{ span: token.span, text: `'${token.text}'` }]
      const isName = token.kind === 'word' && this.isSymbol(']')
      throw new CompileError(
        'syntax',
        `expected a string, found ${describeToken(token)}`,
        token.span,
        isName ? { hint, mend } : hint,
      )
    }
    this.expectSymbol(']', 'after the quoted name')
    return token.text
  }

  /** pattern = quotedName ["*"] | string | (word | "*") { ("." | "-" | "*" | word) without blanks between } */
  pattern(): Pattern {
    const first = this.peek()
    if (this.isSymbol('[')) {
      const name = this.quotedName()
      const isOpen = this.isSymbol('*') && this.peek().span.start === this.previousSpan().end
      if (isOpen) this.next()
      const span = spanning(first.span, this.previousSpan())
      return isOpen ? { pattern: `${name}*`, span } : { pattern: name, exact: true, span }
    }
    if (first.kind === 'string') return { pattern: this.next().text, exact: true, span: first.span }
    if (first.kind !== 'word' && !this.isSymbol('*')) this.fail('a field name')
    let pattern = this.next().text
    while (
      this.peek().span.start === this.previousSpan().end &&
      (this.peek().kind === 'word' || this.isSymbol('*') || this.isSymbol('.'))
    ) {
      pattern += this.next().text
    }
    return { pattern, span: spanning(first.span, this.previousSpan()) }
  }

  /** columnName = quotedName | word { "." word } */
  columnName(): string {
    const { pattern, exact, span } = this.pattern()
    if (pattern.includes('*') && !exact) throw new CompileError('syntax', 'a name is needed here, not a pattern', span)
    return pattern
  }
}
