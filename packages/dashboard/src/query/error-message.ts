/** Splits the service's message about an error in a query: the error, the line with carets below it, and a hint. Pure. */

interface ErrorMessage {
  message: string
  /** Two lines for a monospaced font; absent if the error has no position. */
  excerpt?: string
  /** The service's hint; empty if there is none. */
  hint: string
}

export function parseErrorMessage(text: string): ErrorMessage {
  const lines = text.split('\n')
  const carets = lines.findLastIndex((line) => /^ *\^+$/.test(line))
  if (carets < 2) return { message: text, hint: '' }
  return {
    message: lines.slice(0, carets - 1).join('\n'),
    excerpt: lines.slice(carets - 1, carets + 1).join('\n'),
    hint: lines.slice(carets + 1).join('\n'),
  }
}
