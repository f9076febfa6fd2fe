/** What the query of marks found in the range of the page. */
import { useEffect } from 'preact/hooks'
import { formatRange, type Range } from '../address/range.ts'
import type { Found } from '../chart/found.ts'
import { useLoad } from '../parts/use-load.ts'
import { queryTables } from '../service/query.ts'
import type { ReportFailure } from './failures.tsx'
import { readFound } from './read-found.ts'

const NONE: readonly Found[] = []

/** @param apl empty without such a query */
export function useFound(apl: string, range: Range | undefined, onFailure: ReportFailure): readonly Found[] {
  const load = async (of: Range, signal: AbortSignal) => readFound(await queryTables({ apl, ...formatRange(of) }, signal))
  const { data, error } = useLoad(apl !== '' && range ? (signal) => load(range, signal) : undefined, [apl, range], apl)
  useEffect(() => {
    onFailure('marks from a query', error)
    return () => onFailure('marks from a query', undefined)
  }, [error])
  return data ?? NONE
}
