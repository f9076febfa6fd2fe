/**
 * The engine's answer in its format JSONCompact: rows of cells, then what the engine did. Read by places, not parsed: the rows
 * go on as text. Columns are named by the compiler, so nothing of a caller's stands before the rows.
 */
import type { ReadResult } from './reader.ts'

export const RESULT_FORMAT = 'JSONCompact'

export function openResult(text: string): ReadResult {
  const data = text.indexOf('"data":')
  const statistics = text.lastIndexOf('"statistics":')
  const rowsExamined = /"rows_read": *(\d+)/.exec(text.slice(statistics))?.[1]
  if (data === -1 || statistics < data || rowsExamined === undefined) throw new Error('the engine answered in another form')
  return { text: text.slice(text.indexOf('[', data) + 1, statistics), rowsExamined: Number(rowsExamined) }
}
