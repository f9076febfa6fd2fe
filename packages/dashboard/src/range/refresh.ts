/** The interval at which the page refreshes itself while its tab is in view. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'

/** The choices; the first is never. */
export const INTERVALS: readonly [refresh: string, words: string, ms: number | undefined][] = [
  ['', 'off', undefined],
  ['10s', '10 s', 10 * UNIT_MS.s],
  ['30s', '30 s', 30 * UNIT_MS.s],
  ['1m', '1 min', UNIT_MS.m],
  ['5m', '5 min', 5 * UNIT_MS.m],
]

/** @returns milliseconds; `undefined` for never */
export function intervalMs(refresh: string): number | undefined {
  return INTERVALS.find(([value]) => value === refresh)?.[2]
}
