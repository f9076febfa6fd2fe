/**
 * The words of a text that is still being written: split as the compiler splits it, but nothing is refused. Where the compiler's lexer
 * stops, one piece is taken in its simplest form and the lexer goes on behind it. A string in quotes ends with its line at the latest,
 * so that a quote that was just typed does not swallow the lines below. Comments are pieces too.
 * Deliberately not here: the rules of the words (lexer.ts), and what they mean.
 */
import { lexAt, skipBlank } from './lexer.ts'
import type { Token } from './token.ts'

export interface Piece {
  kind: Exclude<Token['kind'], 'end'> | 'comment'
  /** As it is written, quotes included. */
  text: string
  start: number
  /** Exclusive. */
  end: number
  /** What a string stands for that the compiler takes. */
  value?: string
  /** Whether the second quote of a string is missing, so that it ends with its line. */
  isOpen?: true
}

/** Never fails; text without blanks and comments is what all pieces together have. */
export function lexUnfinished(text: string): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < text.length; ) {
    const next = skipBlank(text, at)
    for (const { 0: comment, index } of text.slice(at, next).matchAll(/\/\/[^\n]*/g)) {
      pieces.push({ kind: 'comment', text: comment, start: at + index, end: at + index + comment.length })
    }
    if (next >= text.length) break
    pieces.push(...readPieces(text, next))
    at = (pieces.at(-1) as Piece).end
  }
  return pieces
}

function readPieces(text: string, start: number): Piece[] {
  let tokens: Token[]
  try {
    tokens = lexAt(text, start)
  } catch {
    return [readRefused(text, start)]
  }
  // A string over several lines is, while it is being typed, one whose closing quote is missing.
  if (tokens[0]?.kind === 'string' && /^['"][^\n]*\n/.test(text.slice(start, tokens[0].span.end)))
    return [readRefused(text, start)]
  return tokens.map(({ kind, text: value, span }) => ({
    kind: kind as Piece['kind'],
    text: text.slice(span.start, span.end),
    ...span,
    ...(kind === 'string' && { value }),
  }))
}

/** What the lexer refuses: a string without an end or with a wrong escape, a number with a wrong unit, half a symbol. */
const REFUSED = [
  ['string', /@?(['"])(?:(?!\1)[^\\\n]|\\[^\n])*(\1)?/y],
  ['number', /\d+(?:\.\d+)?[A-Za-z_]*/y],
  ['symbol', /![a-z_]*~?|./suy],
] as const

function readRefused(text: string, start: number): Piece {
  for (const [kind, pattern] of REFUSED) {
    pattern.lastIndex = start
    const found = pattern.exec(text)
    if (!found) continue
    const piece: Piece = { kind, text: found[0], start, end: start + found[0].length }
    return kind === 'string' && found[2] === undefined ? { ...piece, isOpen: true } : piece
  }
  throw new Error(`nothing was read at ${start}`)
}

/** @returns what a string stands for, as far as it is written */
export function readWritten({ text, value, isOpen }: Pick<Piece, 'text' | 'value' | 'isOpen'>): string {
  return value ?? text.slice(1, isOpen ? undefined : -1).replaceAll(/\\(.)/gs, '$1')
}
