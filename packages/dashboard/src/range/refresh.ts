/** The interval at which the page refreshes itself while its tab is in view. */
import { parseStep } from '../address/range.ts'

/** An address that asks for others would make the page ask all the time. */
export const INTERVALS: readonly string[] = ['10s', '30s', '1m', '5m']

/** @returns milliseconds; `undefined` for never */
export function intervalMs(refresh: string): number | undefined {
  return INTERVALS.includes(refresh) ? parseStep(refresh) : undefined
}
