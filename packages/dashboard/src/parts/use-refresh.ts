/** A number that grows on demand, and if wanted at an interval. */
import { useEffect, useState } from 'preact/hooks'
import { isLoadUnderWay } from './use-load.ts'

/** The interval of the check whether a refresh is due. */
const CHECK_MS = 250

/**
 * @param everyMs the interval; the number grows while the tab is visible, and once when it becomes visible again later, but not while
 *   something is loading
 * @returns the number, which may be an input of `useLoad`, and the function that increments it
 */
export function useRefresh(everyMs?: number): [version: number, refresh: () => void] {
  const [version, setVersion] = useState(0)
  const refresh = () => setVersion((before) => before + 1)
  useEffect(() => {
    if (everyMs === undefined) return
    let lastMs = performance.now()
    const refreshIfDue = () => {
      // The interval starts when loading ends, so that a slow service is not asked without a pause.
      if (isLoadUnderWay()) lastMs = performance.now()
      if (document.hidden || performance.now() - lastMs < everyMs) return
      lastMs = performance.now()
      refresh()
    }
    const timer = setInterval(refreshIfDue, CHECK_MS)
    document.addEventListener('visibilitychange', refreshIfDue)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refreshIfDue)
    }
  }, [everyMs])
  return [version, refresh]
}
