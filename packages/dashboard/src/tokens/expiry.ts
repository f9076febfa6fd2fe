/** How long a token works, as people choose it. Pure. */
import { fromInputText } from '../annotations/draft.ts'

const DAY_MS = 86_400_000

export interface ExpiryChoice {
  /** Days, or `never`, `before` (as the one before), `time` (at `typed`). */
  after: string
  /** As an input holds it, in the zone that is shown. */
  typed: string
}

export const DAYS: readonly [days: string, words: string][] = [
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
]

/** @returns RFC 3339; `undefined` where nothing is to be said about it */
export function expiryOf({ after, typed }: ExpiryChoice, nowMs: number, utc: boolean): string | undefined {
  if (after === 'time') return fromInputText(typed, utc)
  const days = Number(after)
  return Number.isNaN(days) ? undefined : new Date(nowMs + days * DAY_MS).toISOString()
}

export function hasExpired({ expiresAt }: { expiresAt?: string }, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs
}
