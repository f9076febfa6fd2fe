/** A number that grows on demand, and if wanted at an interval while the page is visible and when it becomes visible again. */
import { useEffect, useState } from 'preact/hooks'

/** @returns the number, which may be an input of `useLoad`, and the function that increments it */
export function useRefresh(intervalMs?: number): [version: number, refresh: () => void] {
  const [version, setVersion] = useState(0)
  const refresh = () => setVersion((before) => before + 1)
  useEffect(() => {
    if (intervalMs === undefined) return
    const refreshIfSeen = () => document.visibilityState === 'visible' && refresh()
    const timer = setInterval(refreshIfSeen, intervalMs)
    document.addEventListener('visibilitychange', refreshIfSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refreshIfSeen)
    }
  }, [intervalMs])
  return [version, refresh]
}
