/** The position of an error in a query, and the part of the line to show. Pure. */
import type { QueryErrorDetail } from '../service/request.ts'

export interface ErrorPlace {
  /** The line before the position. */
  before: string
  /** The line from the position on. */
  behind: string
  /** The offset in the whole text. */
  offset: number
}

/** The part of a long line that is shown on either side. */
const SIDE_UNITS_MAX = 80

/** @returns the position; `undefined` if the text has no such line */
export function findErrorPlace(
  text: string,
  { line, column }: Pick<QueryErrorDetail, 'line' | 'column'>,
): ErrorPlace | undefined {
  const lines = text.split('\n')
  const whole = lines[line - 1]
  if (whole === undefined) return undefined
  const at = Math.min(Math.max(column - 1, 0), whole.length)
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  const from = Math.max(0, at - SIDE_UNITS_MAX)
  const to = Math.min(whole.length, at + SIDE_UNITS_MAX)
  const before = whole.slice(from, at).replace(/^[\uDC00-\uDFFF]/, '')
  const behind = whole.slice(at, to).replace(/[\uD800-\uDBFF]$/, '')
  return { before: (from > 0 ? '…' : '') + before, behind: behind + (to < whole.length ? '…' : ''), offset: start + at }
}
