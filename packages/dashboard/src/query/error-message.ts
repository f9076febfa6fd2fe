/** The service's message about a mistake in a query, in parts: what is wrong, the line with carets below it, a hint. Pure. */

interface ErrorMessage {
  message: string
  /** Two lines, to be shown in a monospaced font; absent where the service points at no place. */
  excerpt?: string
  /** What the service advises; empty if it does not. */
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
