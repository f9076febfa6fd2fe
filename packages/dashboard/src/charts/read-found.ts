/** The rows of a query as marks on a chart. Pure. */
import type { Found } from '../chart/found.ts'
import { writeCell } from '../query/cell.ts'
import type { TabularAnswer } from '../service/query.ts'

/** More marks say no more. */
const FOUND_MAX = 5_000
const TITLE_FIELDS = ['title', 'message', 'name']

/**
 * @returns each row's `_time` with its `title`, or else its message, its name or its first text; ascending by time
 * @throws Error for an answer whose rows have no time
 */
export function readFound({ tables: [table] }: TabularAnswer): Found[] {
  const timeAt = table?.fields.findIndex(({ name, type }) => name === '_time' && type === 'datetime') ?? -1
  if (!table || timeAt === -1)
    throw new Error('the query of marks has rows without _time: let it answer events, or `project _time, title = …`')
  const named = TITLE_FIELDS.map((wanted) => table.fields.findIndex(({ name }) => name === wanted)).find((at) => at >= 0)
  const text = table.fields.findIndex(({ type }) => type === 'string')
  const titleAt = named ?? (text >= 0 ? text : undefined)
  const found = (table.columns[timeAt] ?? []).slice(0, FOUND_MAX).map((time, row) => ({
    ms: Date.parse(String(time)),
    title: (titleAt === undefined ? '' : writeCell(table.columns[titleAt]?.[row])) || 'a row without a title',
  }))
  return found.filter(({ ms }) => !Number.isNaN(ms)).sort((one, other) => one.ms - other.ms)
}
