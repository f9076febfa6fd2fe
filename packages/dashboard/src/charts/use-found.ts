/** Loads the rows of a query that are shown like annotations. */
import { formatRange, type Range } from '../address/range.ts'
import type { Found } from '../chart/found.ts'
import { useLoad } from '../parts/use-load.ts'
import { writeCell } from '../query/cell.ts'
import { queryTables, type TabularAnswer } from '../service/query.ts'
import { type ReportFailure, useReportFailure } from './failures.tsx'

/** More of them would add nothing. */
const FOUND_MAX = 5_000
const TITLE_FIELDS = ['title', 'message', 'name']

/**
 * @returns the `_time` of each row with its `title`, or else its message, name or first text; ascending by time
 * @throws Error for an answer whose rows have no time
 */
function readFound({ tables: [table] }: TabularAnswer): Found[] {
  const timeAt = table?.fields.findIndex(({ name, type }) => name === '_time' && type === 'datetime') ?? -1
  if (!table || timeAt === -1)
    throw new Error('the query for annotations has rows without _time: let it return events, or `project _time, title = …`')
  const named = TITLE_FIELDS.map((wanted) => table.fields.findIndex(({ name }) => name === wanted)).find((at) => at >= 0)
  const text = table.fields.findIndex(({ type }) => type === 'string')
  const titleAt = named ?? (text >= 0 ? text : undefined)
  const found = (table.columns[timeAt] ?? []).slice(0, FOUND_MAX).map((time, row) => ({
    ms: Date.parse(String(time)),
    title: (titleAt === undefined ? '' : writeCell(table.columns[titleAt]?.[row])) || 'a row without a title',
  }))
  return found.filter(({ ms }) => !Number.isNaN(ms)).sort((one, other) => one.ms - other.ms)
}

const NONE: readonly Found[] = []

/** @param apl the query; empty for none */
export function useFound(apl: string, range: Range | undefined, onFailure: ReportFailure): readonly Found[] {
  const load = async (of: Range, signal: AbortSignal) => readFound(await queryTables({ apl, ...formatRange(of) }, signal))
  const { data, error } = useLoad(apl !== '' && range ? (signal) => load(range, signal) : undefined, [apl, range], apl)
  useReportFailure(onFailure, 'annotations from a query', error)
  return data ?? NONE
}
