/**
 * @returns one line of printable text, cut to so many characters with `…`: control and format characters
 *   (line breaks, terminal escapes, text direction) become blanks
 */
export function toLine(text: string, charsMax: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length > charsMax ? `${line.slice(0, charsMax - 1)}…` : line
}
