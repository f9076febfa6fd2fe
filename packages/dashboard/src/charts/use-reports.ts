/** Collects what the parts of a page report. */
import { useCallback, useState } from 'preact/hooks'

/** @returns the last report of each part, and the function that a part reports with; `undefined` takes its report back */
export function useReports<Report>() {
  const [reports, setReports] = useState<ReadonlyMap<string, Report>>(new Map())
  const report = useCallback((part: string, now: Report | undefined) => {
    setReports((before) => {
      if (before.get(part) === now) return before
      const after = new Map(before)
      if (now === undefined) after.delete(part)
      else after.set(part, now)
      return after
    })
  }, [])
  return [reports, report] as const
}
