/** What the charts of a view show, as each of them tells it once it is answered. */
import { useCallback, useState } from 'preact/hooks'
import type { Charted } from '../annotations/compare-around.ts'

/** @param part of the view; its chart shows nothing that can be compared where the list is empty */
export type ReportCharted = (part: string, charted: readonly Charted[]) => void

/** @returns what was told, by chart, and what the charts tell it with */
export function useCharted(): [charted: ReadonlyMap<string, readonly Charted[]>, report: ReportCharted] {
  const [charted, setCharted] = useState<ReadonlyMap<string, readonly Charted[]>>(new Map())
  const report = useCallback((part: string, now: readonly Charted[]) => {
    setCharted((before) => new Map(before).set(part, now))
  }, [])
  return [charted, report]
}
