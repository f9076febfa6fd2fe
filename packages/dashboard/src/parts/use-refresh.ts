/** A number that grows at an interval while the page is visible, when it becomes visible again, and on demand. */
import { useEffect, useState } from 'preact/hooks'

/** @returns the number, which may be an input of `useLoad`, and the function that increments it */
export function useRefresh(intervalMs: number): [version: number, refresh: () => void] {
  const [version, setVersion] = useState(0)
  const refresh = () => setVersion((before) => before + 1)
  useEffect(() => {
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
