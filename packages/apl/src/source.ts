/**
 * The query text and places in it.
 * Deliberately not here: what any of it means.
 */

/** A stretch of the text, in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The span of things that no text stands for, such as nodes built from a legacy query body. */
export const NOWHERE: Span = { start: 0, end: 0 }

interface Place {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** The line, and below it a caret under the place. */
  readonly excerpt: string
}

/** Longest part of a line that an excerpt shows; queries written on one line can be very long. */
const EXCERPT_LENGTH_MAX = 120

/** Where a span starts, as a person counts. */
export function placeOf(text: string, span: Span): Place {
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
