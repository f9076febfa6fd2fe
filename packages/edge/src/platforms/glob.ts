/**
 * Patterns in which `*` stands for any characters, whatever their case. They are no regular expressions, because one of many stars
 * may take forever.
 */

/** @returns what each `*` stands for, an earlier one for as much as it can; `undefined` if the text is not as the pattern says */
export function matchGlob(pattern: string, text: string): string[] | undefined {
  const lower = text.toLowerCase()
  // A few letters are longer when they are small: a place in one text is then no place in the other.
  const shown = lower.length === text.length ? text : lower
  const [first = '', ...others] = pattern.toLowerCase().split('*')
  const last = others.pop()
  if (last === undefined) return lower === first ? [] : undefined
  if (!lower.startsWith(first) || !lower.endsWith(last)) return undefined
  const stars: string[] = []
  let end = lower.length - last.length
  for (const piece of others.reverse()) {
    const at = lower.lastIndexOf(piece, end - piece.length)
    if (at < first.length || at + piece.length > end) return undefined
    stars.unshift(shown.slice(at + piece.length, end))
    end = at
  }
  return end < first.length ? undefined : [shown.slice(first.length, end), ...stars]
}
