/**
 * Reading through tokens: look, accept, expect.
 * Deliberately not here: grammar.
 */
import { CompileError } from './error.ts'
import { LIST_ITEMS_MAX } from './limits.ts'
import { guessStart, guessWord } from './nearest.ts'
import type { Span } from './source.ts'
import { describeToken, type Token } from './token.ts'

export class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** The token `ahead` places on, or back; past the end it stays at `end`, and before the first at that. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.max(0, Math.min(this.#at + ahead, this.#tokens.length - 1))] as Token
  }

  next(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.#at += 1
    return token
  }

  /** The span of the token last read. */
  previousSpan(): Span {
    return this.previous().span
  }

  /** The token last read; before any, the first. */
  protected previous(): Token {
    return this.#tokens[Math.max(0, this.#at - 1)] as Token
  }

  isSymbol(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'symbol' && token.text === text
  }

  isWord(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'word' && token.text === text
  }

  acceptSymbol(text: string): boolean {
    const found = this.isSymbol(text)
    if (found) this.#at += 1
    return found
  }

  acceptWord(...texts: string[]): string | undefined {
    const token = this.peek()
    if (token.kind !== 'word' || !texts.includes(token.text)) return undefined
    this.#at += 1
    return token.text
  }

  expectSymbol(text: string, context: string): Token {
    if (!this.isSymbol(text)) this.fail(`"${text}" ${context}`)
    return this.next()
  }

  expectWord(text: string, context: string): Token {
    if (!this.isWord(text)) this.fail(`"${text}" ${context}`)
    return this.next()
  }

  /** One of a closed set of words. */
  expectOneOf<T extends string>(words: readonly T[], what: string): T {
    const token = this.peek()
    if (token.kind === 'word' && (words as readonly string[]).includes(token.text)) return this.next().text as T
    throw new CompileError(
      'syntax',
      `unknown ${what} ${describeToken(token)}`,
      token.span,
      guessStart(token.text, words) ?? guessWord(token.text, words) ?? `one of ${words.join(', ')}`,
    )
  }

  /** A name made of words joined by `-` without blanks, such as `project-away` or a dataset `web-logs`. */
  hyphenated(): { text: string; span: Span } | undefined {
    const first = this.peek()
    if (first.kind !== 'word') return undefined
    this.next()
    let { text, span } = first
    while (this.isSymbol('-') && this.peek().span.start === span.end) {
      const after = this.peek(1)
      if ((after.kind !== 'word' && after.kind !== 'number') || after.span.start !== span.end + 1) break
      this.next()
      this.next()
      text += `-${after.text}`
      span = { start: span.start, end: after.span.end }
    }
    return { text, span }
  }

  /** One or more things, separated by commas. */
  list<T>(read: () => T, itemsMax = LIST_ITEMS_MAX): T[] {
    const items = [read()]
    while (this.acceptSymbol(',')) {
      if (items.length === itemsMax)
        throw new CompileError(
          'limit',
          `the list has more than ${itemsMax} items, of which this is the next`,
          this.peek().span,
          'take it apart, or keep what is in it in a dataset and look it up',
        )
      items.push(read())
    }
    return items
  }

  fail(expected: string): never {
    const token = this.peek()
    throw new CompileError('syntax', `expected ${expected}, found ${describeToken(token)}`, token.span)
  }
}
