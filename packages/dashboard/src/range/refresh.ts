/** How often the page is refreshed by itself, as the address says it. Pure. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'

/** What people choose from; the first is never. */
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
