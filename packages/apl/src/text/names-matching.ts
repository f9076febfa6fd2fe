/**
 * Patterns of names with `*` for anything.
 * Deliberately not here: what the names are of.
 */

/** Whether a name fits a pattern; without a regular expression, so that no pattern is slow. */
export function matchesPattern(name: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] as string
  const last = parts.at(-1) as string
  if (parts.length === 1) return name === pattern
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > name.length - last.length) return false
    at = found + part.length
  }
  return true
}

/** The names that are written like one, but for the backslash before a dot or a backslash inside of a key. */
export function spelledLike(name: string, names: readonly string[]): string[] {
  return names.filter((one) => one !== name && one.includes('\\') && one.replace(/\\([.\\])/g, '$1') === name)
}
