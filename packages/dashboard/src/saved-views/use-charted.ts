/** Collects what the charts of a view show; each reports it when its answer arrives. */
import { useCallback, useState } from 'preact/hooks'
import type { Charted } from '../annotations/compare-around.ts'

/** @param part the chart; an empty list means that it shows nothing that can be compared */
export type ReportCharted = (part: string, charted: readonly Charted[]) => void

/** @returns what was reported, by chart, and the function that reports it */
export function useCharted(): [charted: ReadonlyMap<string, readonly Charted[]>, report: ReportCharted] {
  const [charted, setCharted] = useState<ReadonlyMap<string, readonly Charted[]>>(new Map())
  const report = useCallback((part: string, now: readonly Charted[]) => {
    setCharted((before) => new Map(before).set(part, now))
  }, [])
  return [charted, report]
}
