/** The look of the list of events. The object stays the same while nothing changes, so that rows are not rendered again. */
import { useMemo } from 'preact/hooks'
import type { View } from '../address/view.ts'

export interface ListLook {
  utc: boolean
  /** The fields that are columns; without any, each event shows its first fields. */
  columns: readonly string[]
  /** Whether an event takes as many lines as its text needs. */
  isWrapped: boolean
}

export function useListLook({ utc, columns, wrap }: View): ListLook {
  return useMemo(() => ({ utc, columns, isWrapped: wrap }), [utc, JSON.stringify(columns), wrap])
}
