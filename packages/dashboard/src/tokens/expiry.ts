/** The lifetime of a token as people choose it. Pure. */
import { fromInputText } from '../annotations/draft.ts'

const DAY_MS = 86_400_000

export interface ExpiryChoice {
  /** A number of days, or `never`, `before` (as the token before), `time` (at `typed`). */
  after: string
  /** The text of the input, in the zone that is shown. */
  typed: string
}

export const DAYS: readonly [days: string, words: string][] = [
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
]

/** @returns RFC 3339; `undefined` if no expiry is to be sent */
export function expiryOf({ after, typed }: ExpiryChoice, nowMs: number, zone: string): string | undefined {
  if (after === 'time') return fromInputText(typed, zone)
  const days = Number(after)
  return Number.isNaN(days) ? undefined : new Date(nowMs + days * DAY_MS).toISOString()
}

export function hasExpired({ expiresAt }: { expiresAt?: string }, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs
}
