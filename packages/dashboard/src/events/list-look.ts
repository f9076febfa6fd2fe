/** How the list of events looks. Its object is the same for as long as nothing of it changes, so that rows need not be drawn anew. */
import { useMemo } from 'preact/hooks'
import type { View } from '../address/view.ts'

export interface ListLook {
  /** Times in UTC, not in the zone of the browser. */
  utc: boolean
  /** Fields that are columns; without any, each event shows its first fields. */
  columns: readonly string[]
  /** An event takes as many lines as its text needs. */
  isWrapped: boolean
}

export function useListLook({ utc, columns, wrap }: View): ListLook {
  return useMemo(() => ({ utc, columns, isWrapped: wrap }), [utc, JSON.stringify(columns), wrap])
}
