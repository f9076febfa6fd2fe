/** The lifetime of a token as people choose it. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Options } from '../resources/fields.ts'

export const DAYS: Options = [
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
]

/** @returns RFC 3339 */
export function afterDays(days: string): string {
  return new Date(Date.now() + Number(days) * UNIT_MS.d).toISOString()
}

export function hasExpired({ expiresAt }: { expiresAt?: string }): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
}
