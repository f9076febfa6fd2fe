/** Times that many pages are opened on. */

const MORNING_MS = Date.UTC(2026, 0, 31, 10)

/** @returns the time so many minutes after the beginning of `MORNING` */
export const at = (minute: number) => new Date(MORNING_MS + minute * 60_000).toISOString()

/** Two hours, as an address has them. */
export const MORNING = `startTime=${at(0)}&endTime=${at(120)}&utc=true`

/** The first day of 2026, as an address has it. */
export const NEW_YEAR = 'startTime=2026-01-01T00:00:00Z&endTime=2026-01-02T00:00:00Z&utc=true'
