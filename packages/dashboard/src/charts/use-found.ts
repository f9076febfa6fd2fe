/** Loads the rows of a query that are shown like annotations. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatRange, type Range } from '../address/range.ts'
import { type Mark, toMarks } from '../chart/marks.ts'
import { useLoad } from '../parts/use-load.ts'
import { writeCell } from '../query/cell.ts'
import { queryTables, type TabularAnswer } from '../service/query.ts'
import { type ReportFailure, useReportFailure } from './failures.tsx'

/** More of them would add nothing. */
const FOUND_MAX = 5_000

/**
 * @returns the `_time` of each row with its `title`, or else its first text; ascending by time
 * @throws Error for an answer whose rows have no time
 */
function readFound({ tables: [table] }: TabularAnswer): Mark[] {
  const timeAt = table?.fields.findIndex(({ name, type }) => name === '_time' && type === 'datetime') ?? -1
  if (!table || timeAt === -1)
    throw new Error('the query for annotations has rows without _time: let it return events, or `project _time, title = …`')
  const { fields, columns } = table
  const titles =
    columns[fields.findIndex(({ name }) => name === 'title')] ?? columns[fields.findIndex(({ type }) => type === 'string')]
  const found = (columns[timeAt] ?? []).slice(0, FOUND_MAX).map((at, row): Annotation => {
    const [time, title] = [String(at), writeCell(titles?.[row]) || 'a row without a title']
    return { id: `row ${row}`, datasets: [], type: 'query', time, title }
  })
  return toMarks(found.filter(({ time }) => !Number.isNaN(Date.parse(time))))
}

const NONE: readonly Mark[] = []

/** @param apl the query; empty for none */
export function useFound(apl: string, range: Range | undefined, onFailure: ReportFailure): readonly Mark[] {
  const load = async (of: Range, signal: AbortSignal) => readFound(await queryTables({ apl, ...formatRange(of) }, signal))
  const { data, error } = useLoad(apl !== '' && range ? (signal) => load(range, signal) : undefined, [apl, range], apl)
  useReportFailure(onFailure, 'annotations from a query', error)
  return data ?? NONE
}
