/**
 * Text into Markdown, so that it shows as that text and as nothing else: no link, no image, no HTML, no mention.
 */

/** What means something within a line, in CommonMark and in the extensions of those who show it. */
const SPECIAL = /[\\`*_[\]()<>&!|~@#${}]/

/**
 * @param text of one line, not at the start of one
 * @returns the text escaped, or as much of it as fits into `pointsMax` code points with a sign that there was more
 */
export function fitEscaped(text: string, pointsMax: number): string {
  const points = [...text]
  let written = ''
  let count = 0
  for (const [index, point] of points.entries()) {
    const escaped = isSpecial(points, index) ? `\\${point}` : point
    count += escaped === point ? 1 : 2
    const rest = points.length - index - 1
    if (count > pointsMax - (rest > 0 ? 1 : 0)) return `${written}…`
    written += escaped
  }
  return written
}

/** A bare address becomes a link in the common extensions; what makes it one is escaped. */
function isSpecial(points: readonly string[], index: number): boolean {
  const point = points[index] as string
  if (point === ':') return points[index + 1] === '/'
  if (point === '.') return /^www$/i.test(points.slice(Math.max(0, index - 3), index).join(''))
  return SPECIAL.test(point)
}

/** @returns the text as a code span, in which only a backtick means anything */
export const codeSpan = (text: string) => `\`${text.replaceAll('`', "'")}\``
