/** The look of the list of events. The object stays the same while nothing changes, so that rows are not rendered again. */
import { useMemo } from 'preact/hooks'
import type { View } from '../address/view.ts'

export interface ListLook {
  zone: string
  /** The fields that are columns; without any, each event shows its first fields. */
  columns: readonly string[]
  /** Where the events are from; empty where each says it itself, or nobody knows. */
  dataset: string
  /** Whether an event takes as many lines as its text needs. */
  isWrapped: boolean
}

/** @param datasets those whose events are listed */
export function useListLook({ zone, columns, wrap }: View, datasets: readonly string[]): ListLook {
  const dataset = datasets.length === 1 ? (datasets[0] ?? '') : ''
  return useMemo(() => ({ zone, columns, dataset, isWrapped: wrap }), [zone, JSON.stringify(columns), dataset, wrap])
}
