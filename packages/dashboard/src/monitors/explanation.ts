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
