/**
 * What became of rows that were sent to a table, where nobody knows: all of a request's rows stay, a part of them goes.
 */
import type { RequestExtent } from '../rows/tally.ts'
import type { EventTables } from '../tables/event-tables.ts'

/** @returns whether all rows of the request are there; otherwise none is, when it resolves */
export async function settleRows(
  tables: Pick<EventTables, 'count' | 'removeRequest'>,
  table: string,
  request: RequestExtent,
): Promise<boolean> {
  const found = request.rows === 0 ? 0 : await tables.count(table, request)
  if (found === request.rows) return true
  if (found > 0) await tables.removeRequest(table, request)
  return false
}
