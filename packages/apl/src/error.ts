/**
 * What is wrong with a query: a closed list of codes, the place, and a hint.
 * Inside, stages throw a `Fault`, which knows only its span; the seam adds the text and makes it a `QueryError`.
 * Deliberately not here: HTTP statuses (the service's), and errors of the engine.
 */
import { placeOf, type Span } from './source.ts'

/** By what the author of the query would do next: correct the writing, a name, a type; leave something out; make it smaller. */
export type QueryErrorCode = 'syntax' | 'unknown_name' | 'type_mismatch' | 'unsupported' | 'limit'

/** The query is at fault, never the service. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  readonly code: QueryErrorCode
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

  constructor(fault: Fault, text: string) {
    super(fault.message)
    const place = placeOf(text, fault.span)
    this.code = fault.code
    this.span = fault.span
    this.line = place.line
    this.column = place.column
    this.excerpt = place.excerpt
    this.hint = fault.hint
    this.dataset = fault.dataset
  }

  /** Everything a person needs, over several lines. */
  explain(): string {
    const where = this.excerpt.trim() === '^' ? '' : `\n${this.excerpt}`
    return `${this.code} error at line ${this.line}, column ${this.column}: ${this.message}${where}${this.hint ? `\n${this.hint}` : ''}`
  }
}

/** An error on its way to the seam. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: QueryErrorCode
  readonly span: Span
  readonly hint: string | undefined
  readonly dataset: string | undefined

  constructor(code: QueryErrorCode, message: string, span: Span, hint?: string, dataset?: string) {
    super(message)
    this.dataset = dataset
    this.code = code
    this.span = span
    this.hint = hint
  }
}

/** Runs a stage, and gives its faults their place in the text. */
export function locating<T>(text: string, stage: () => T): T {
  try {
    return stage()
  } catch (error) {
    if (error instanceof Fault) throw new QueryError(error, text)
    throw error
  }
}
