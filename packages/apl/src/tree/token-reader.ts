/**
 * Reading through tokens: peek, accept, expect, and the names that tokens make. Where a query begins inside brackets, as in `in (users |
 * project id)`, is found once for the whole text, because looking ahead at every bracket would cost the square of the text's length.
 */

import { CompileError, type Span, spanning } from '../error.ts'
import { LIST_ITEMS_MAX } from '../limits.ts'
import { guessStart, guessWord } from '../text/nearest.ts'
import { describeToken, nesting, type Token } from '../text/token.ts'
import type { Pattern } from './ast.ts'

interface Bracket {
  /** The first token of the item that is being read. */
  begin: number
  hasPipe: boolean
  isMistake: boolean
}

/** Their first words are a list by themselves. */
const LISTS = new Set(['union', 'search'])

/** The tokens at which a query begins that ends with a bracket. A bracket that is never closed holds none: it is a mistake of its own. */
export function findBracketed(tokens: readonly Token[]): ReadonlySet<Token> {
  const found = new Set<Token>()
  const open: Bracket[] = []
  tokens.forEach((token, at) => {
    const { kind, text } = token
    const top = open.at(-1)
    if (nesting(token) > 0) open.push({ begin: at + 1, hasPipe: false, isMistake: false })
    else if (nesting(token) < 0) {
      const { begin, hasPipe, isMistake } = open.pop() ?? { begin: 0, hasPipe: false, isMistake: true }
      const first = tokens[begin] as Token
      const isPrint = first.kind === 'word' && first.text === 'print' && tokens[begin + 1]?.kind === 'word'
      if ((hasPipe || isPrint) && !isMistake) found.add(first)
    } else if (!top || kind !== 'symbol') return
    else if (text === '|') {
      // `||` is another language's "or".
      top.isMistake ||= tokens[at + 1]?.text === '|'
      top.hasPipe = true
    } else if (text === ',' && !top.hasPipe && !LISTS.has(tokens[top.begin]?.text ?? '')) top.begin = at + 1
  })
  return found
}

/** Reads tokens, and the names made of them. The parser of expressions extends it. */
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

  /** Reads `name =`, if that is what comes next. */
  acceptOption(name: string): boolean {
    if (!this.isWord(name) || !this.isSymbol('=', 1)) return false
    this.#at += 2
    return true
  }

  expectSymbol(text: string, context: string): Token {
    if (!this.isSymbol(text)) this.fail(`"${text}" ${context}`)
    return this.next()
  }

  expectWord(text: string, context: string): Token {
    if (!this.isWord(text)) this.fail(`"${text}" ${context}`)
    return this.next()
  }

  /** Whether a word and its bracket come next. */
  isWordBefore(text: string): boolean {
    return this.isWord(text) && this.isSymbol('(', 1)
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

  /** quotedName = "[" string "]" */
  quotedName(): string {
    this.expectSymbol('[', 'before a quoted name')
    const token = this.next()
    if (token.kind !== 'string') {
      const hint = "a name is quoted as ['name']"
      const isName = token.kind === 'word' && this.isSymbol(']')
      throw new CompileError(
        'syntax',
        `expected a string, found ${describeToken(token)}`,
        token.span,
        isName ? { hint, written: `'${token.text}'` } : hint,
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
