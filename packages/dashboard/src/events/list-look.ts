/** The look of the list of events. The object stays the same while nothing changes, so that rows are not rendered again. */
import { useMemo } from 'preact/hooks'
import type { View } from '../address/view.ts'

export type ListLook = ReturnType<typeof useListLook>

/**
 * @param datasets those whose events are listed
 * @returns the zone, the fields that are columns, the dataset that the events are from, empty where each says it itself, or nobody knows,
 *   and whether an event takes as many lines as its text needs
 */
export function useListLook({ zone, columns, wrap }: View, datasets: readonly string[]) {
  const dataset = datasets.length === 1 ? (datasets[0] ?? '') : ''
  return useMemo(() => ({ zone, columns, dataset, isWrapped: wrap }), [zone, JSON.stringify(columns), dataset, wrap])
}
