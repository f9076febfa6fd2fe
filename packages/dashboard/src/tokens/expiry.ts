/** The lifetime of a token as people choose it. Pure. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { fromInputText } from '../address/zone.ts'
import type { FieldOf, Options } from '../resources/fields.ts'

interface ExpiryChoice {
  /** A number of days, or `never`, `before` (as the token before), `time` (at `typed`). */
  after: string
  /** The text of the input, in the zone that is shown. */
  typed: string
}

export const DAYS: Options = [
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
]

/** @returns the fields of an expiry, which start with the first option unless `initial` says otherwise */
export function expiryFields(label: string, options: Options, initial = options[0]?.[0] ?? ''): FieldOf[] {
  return [
    { name: 'expires', label, kind: 'choice', options: [...options, ['time', 'at a time']], initial },
    { name: 'expiresAt', label: 'Expires at', kind: 'time', required: true, isShown: ({ texts }) => texts.expires === 'time' },
  ]
}

/** @returns RFC 3339; `undefined` if no expiry is to be sent */
export function expiryOf({ after, typed }: ExpiryChoice, nowMs: number, zone: string): string | undefined {
  if (after === 'time') return fromInputText(typed, zone)
  const days = Number(after)
  return Number.isNaN(days) ? undefined : new Date(nowMs + days * UNIT_MS.d).toISOString()
}

export function hasExpired({ expiresAt }: { expiresAt?: string }, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs
}
