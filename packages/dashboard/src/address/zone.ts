/** The zone in which times are shown and typed. It is a name such as `Europe/Berlin`; an empty one is the browser's. Pure. */

/** @returns such as `Europe/Berlin` */
export function zoneName(zone: string): string {
  return zone === '' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : zone
}

/** @returns the zone; empty for a name that the browser does not know */
export function readZone(text: string): string {
  try {
    return text === '' ? '' : new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return ''
  }
}

/** @returns the names of all zones, those that are asked for most often first */
export function listZones(): string[] {
  return [...new Set(['UTC', zoneName(''), ...Intl.supportedValuesOf('timeZone')])]
}

/** Making a format takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** @returns the format that writes these parts of a time, as the clocks of the zone show it */
export function formatIn(zone: string, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(parts)
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...parts, ...(zone !== '' && { timeZone: zone }) })
  formats.set(key, format)
  return format
}

/** A time of the day to the second. */
export const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

/** @returns how much the clocks of the zone are ahead of UTC at that time, in milliseconds */
function offsetAt(ms: number, zone: string): number {
  if (Number.isNaN(ms)) return 0
  // Such as `GMT+05:30`; UTC has none.
  const [offset = 'Z'] = /[+-]\d\d:\d\d/.exec(formatIn(zone, { timeZoneName: 'longOffset' }).format(ms)) ?? []
  return -Date.parse(`1970-01-01T00:00:00${offset}`)
}

/** @param wallMs what clocks of the zone show, as if it were UTC; what they leave out in spring is an hour later */
function fromWall(wallMs: number, zone: string): number {
  const first = wallMs - offsetAt(wallMs, zone)
  const second = wallMs - offsetAt(first, zone)
  const isRight = (ms: number) => ms + offsetAt(ms, zone) === wallMs
  return [second, first].find(isRight) ?? Math.max(first, second)
}

/** Matches a time without a zone: `2026-01-31`, `2026-01-31 12:00`, `2026-01-31T12:00:00.5`. */
const WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?$/

/** @returns a time without a zone as RFC 3339 in UTC, read in the zone that is shown; any other text is returned unchanged */
export function withZone(text: string, zone: string): string {
  const [, date, time = '00:00'] = WITHOUT_ZONE.exec(text.trim()) ?? []
  if (date === undefined) return text
  const wallMs = Date.parse(`${date}T${time}Z`)
  return Number.isNaN(wallMs) ? text : new Date(fromWall(wallMs, zone)).toISOString()
}

/** @returns a time in the form in which it is typed, `2026-01-31 12:00:00`; a text relative to now is returned unchanged */
export function withoutZone(text: string, zone: string): string {
  const ms = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms)
    ? text
    : toInputText(ms, zone)
        .replace('T', ' ')
        .replace(/\.000$/, '')
}

/** @returns such as `2026-01-31T12:00:00.000`, as the field of a time has it */
export function toInputText(ms: number, zone: string): string {
  return new Date(ms + offsetAt(ms, zone)).toISOString().slice(0, -1)
}

/** @returns RFC 3339, or `undefined` for an empty text */
export function fromInputText(text: string, zone: string): string | undefined {
  return text === '' ? undefined : withZone(text, zone)
}
