/**
 * Reads a `Retry-After` header: seconds, or a date, which is taken against the reply's own `Date`
 * because the two clocks may differ.
 * @param nowMs what the date is taken against where the reply has none
 * @returns milliseconds to wait, 0 for a date in the past, `undefined` where there is none or it cannot be read
 */
export function parseRetryAfter(value: string | undefined, date?: string, nowMs = Date.now()): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000
  // An HTTP date begins with the day of the week; Date.parse alone takes "1.5" for a date as well.
  const at = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return undefined
  const now = Date.parse(date ?? '')
  return Math.max(0, at - (Number.isNaN(now) ? nowMs : now))
}
