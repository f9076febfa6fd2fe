/** The interval at which the page refreshes itself while its tab is in view. */
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { useEffect, useState } from 'preact/hooks'
import { isLoadUnderWay } from '../parts/use-load.ts'

/** The interval of the check whether a refresh is due. */
const TICK_MS = 250

/**
 * @param everyMs the interval; `undefined` for none
 * @returns a number that grows at the interval while the tab is visible, and once when it becomes visible again later; it does not grow
 *   while something is loading
 */
export function useTick(everyMs: number | undefined): number {
  const [tick, setTick] = useState(0)
  useEffect(() => {
    if (everyMs === undefined) return
    let lastMs = performance.now()
    const tickIfDue = () => {
      // The interval starts when loading ends, so that a slow service is not asked without a pause.
      if (isLoadUnderWay()) lastMs = performance.now()
      if (document.hidden || performance.now() - lastMs < everyMs) return
      lastMs = performance.now()
      setTick((before) => before + 1)
    }
    const timer = setInterval(tickIfDue, TICK_MS)
    document.addEventListener('visibilitychange', tickIfDue)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tickIfDue)
    }
  }, [everyMs])
  return tick
}

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
