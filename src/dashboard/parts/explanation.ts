/** The service's words about a mistake in a query, taken apart: what is wrong, the line with carets below it, and a hint. Pure. */

export interface Explanation {
  message: string
  /** Two lines of letters of one width; absent where the service points at no place. */
  excerpt?: string
  hint: string
}

export function parseExplanation(text: string): Explanation {
  const lines = text.split('\n')
  const carets = lines.findLastIndex((line) => /^ *\^+$/.test(line))
  if (carets < 2) return { message: text, hint: '' }
  return {
    message: lines.slice(0, carets - 1).join('\n'),
    excerpt: lines.slice(carets - 1, carets + 1).join('\n'),
    hint: lines.slice(carets + 1).join('\n'),
  }
}

/** @returns the place of a line and column, which count from 1, in the text; its end if it has no such place */
export function findOffset(text: string, { line, column }: { line: number; column: number }): number {
  const before = text.split('\n').slice(0, line - 1)
  return Math.min(before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1, text.length)
}
