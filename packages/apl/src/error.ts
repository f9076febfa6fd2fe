/**
 * The errors of a query: a closed list of codes, the place in the query text, and a hint.
 */
import type { QueryErrorType } from '@deployment-annotations/contract/error-body'

/** A stretch of the text, in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The span of things that no text stands for, such as nodes built from a legacy query body. */
export const NOWHERE: Span = { start: 0, end: 0 }

/** Longest part of a line that an excerpt shows; queries written on one line can be very long. */
const EXCERPT_LENGTH_MAX = 120

/** Where a span starts, as a person counts. */
function locate(text: string, span: Span): Pick<QueryError, 'line' | 'column' | 'excerpt'> {
  const start = Math.min(span.start, text.length)
  const before = text.slice(0, start).split('\n')
  const line = before.length
  const column = (before.at(-1)?.length ?? 0) + 1
  const whole = (text.split('\n', line)[line - 1] ?? '').replaceAll('\t', ' ').replaceAll('\r', ' ')
  const from = whole.length <= EXCERPT_LENGTH_MAX ? 0 : Math.max(0, column - 1 - EXCERPT_LENGTH_MAX / 2)
  const shown = whole.slice(from, from + EXCERPT_LENGTH_MAX)
  const room = Math.max(1, shown.length - (column - 1 - from))
  const carets = '^'.repeat(Math.max(1, Math.min(span.end - span.start, room)))
  return { line, column, excerpt: `${shown}\n${' '.repeat(column - 1 - from)}${carets}` }
}

/** The span from the start of one to the end of another. */
export function spanning(first: Span, last: Span): Span {
  return { start: first.start, end: Math.max(first.end, last.end) }
}

/** What the caller gets: the query is wrong, never the service. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  /** By what the author of the query would do next: correct the writing, a name, a type; leave something out; make it smaller. */
  readonly code: QueryErrorType
  readonly span: Span
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** The line of the query, and a caret below the place. */
  readonly excerpt: string
  /** What to do, for example the nearest name that exists. */
  readonly hint: string | undefined
  /** The dataset that does not exist, where that is what is wrong: its answer is another status. */
  readonly dataset: string | undefined
  /** The whole text with the mistake corrected, where it is known what was meant. */
  readonly suggestion: string | undefined

  constructor(error: CompileError, text: string) {
    super(error.message)
    const { line, column, excerpt } = locate(text, error.span)
    this.code = error.code
    this.span = error.span
    this.line = line
    this.column = column
    this.excerpt = excerpt
    this.hint = error.hint
    this.dataset = error.dataset
    this.suggestion = error.fix && applyEdits(text, error.fix)
  }

  /** Everything a person needs, over several lines. */
  explain(): string {
    const where = this.excerpt.trim() === '^' ? '' : `\n${this.excerpt}`
    return `${this.code} error at line ${this.line}, column ${this.column}: ${this.message}${where}${this.hint ? `\n${this.hint}` : ''}`
  }
}

/** What to put into the place of a stretch of the query, of an empty one before it: a text, or another stretch of the query. */
export interface Edit {
  readonly span: Span
  readonly text: string | Span
}

/** Puts a text right before a stretch of the query. */
export const before = ({ start }: Span, text: Edit['text']): Edit => ({ span: { start, end: start }, text })

/** Puts a text right behind a stretch of the query. */
export const behind = ({ end }: Span, text: Edit['text']): Edit => ({ span: { start: end, end }, text })

/** Puts a stretch of the query between two texts. */
export const around = (span: Span, open: string, close: string): Edit[] => [before(span, open), behind(span, close)]

/** The stretch from the end of one to the start of another. */
export const between = (first: Span, last: Span): Span => ({ start: first.end, end: last.start })

/** What to do about a mistake: for people, and where it is certain what was meant, as edits of the text. */
export interface Advice {
  readonly hint: string
  readonly fix?: readonly Edit[]
}

/** The text with all edits made; of edits at one place, in the order in which they are given. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { span, text: piece } of [...edits].sort((a, b) => a.span.start - b.span.start)) {
    pieces.push(text.slice(at, span.start), typeof piece === 'string' ? piece : text.slice(piece.start, piece.end))
    at = span.end
  }
  return pieces.join('') + text.slice(at)
}

/** A name that may be meant: for people, and as it is written in a query. */
export interface Guess {
  readonly hint: string
  readonly written: string
}

/** What a stage throws: an error with its place, and without the text that the place is in. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
  readonly code: QueryErrorType
  readonly span: Span
  readonly hint: string | undefined
  readonly dataset: string | undefined
  readonly fix: readonly Edit[] | undefined

  constructor(code: QueryErrorType, message: string, span: Span, hint?: string | Guess | Advice, dataset?: string) {
    super(message)
    this.dataset = dataset
    this.code = code
    this.span = span
    const advice = typeof hint === 'object' ? hint : undefined
    this.hint = advice?.hint ?? (hint as string | undefined)
    this.fix = advice && ('written' in advice ? [{ span, text: advice.written }] : advice.fix)
  }
}

/** What is of another type than its place needs. @param hint as that of {@link CompileError} */
export const mismatch = (message: string, span: Span, hint?: string | Guess | Advice): CompileError =>
  new CompileError('type_mismatch', message, span, hint)

/** Runs a stage, and turns its errors into those of the caller, with their place in the text. */
export function attachSource<T>(text: string, stage: () => T): T {
  try {
    return stage()
  } catch (error) {
    if (error instanceof CompileError) throw new QueryError(error, text)
    throw error
  }
}
