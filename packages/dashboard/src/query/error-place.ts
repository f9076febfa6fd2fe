/** Where in a query an error is, as the service told it: the piece of the line to show. Pure. */
import type { QueryErrorDetail } from '../service/request.ts'

export interface ErrorPlace {
  /** The line up to the place. */
  before: string
  /** The line from the place on. */
  behind: string
  /** Of the place, in the whole text. */
  offset: number
}

/** Part of a long line that is shown on either side of the place. */
const SIDE_UNITS_MAX = 80

/** @returns the place; `undefined` if the text has no such line */
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
