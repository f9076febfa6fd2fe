/** Between times and the texts of `<input type="datetime-local">`, in the zone of the browser or in UTC. Pure. */

/** @returns such as `2026-01-31T12:00:00.000` */
export function toInputText(ms: number, utc: boolean): string {
  const offsetMs = utc ? 0 : new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, -1)
}

/** @returns RFC 3339, or `undefined` of an empty text */
export function fromInputText(text: string, utc: boolean): string | undefined {
  if (text === '') return undefined
  const date = new Date(utc ? `${text}Z` : text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
