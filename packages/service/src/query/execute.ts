/**
 * Runs a plan: its rows, how many rows matched, and for time bins the totals, side by side.
 */

import type { Plan } from '@deployment-annotations/apl/plan'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Reader } from '../store/reading/reader.ts'
import { type Rows, readRows } from './rows.ts'

export interface Executed {
  rows: Rows
  /** Rows of the table `_totals`, where the plan has one. */
  totals: Rows | undefined
  /** All rows that the query matches, whatever the cursor. */
  rowsMatched: number
  /** Rows that the engine looked at, over all statements. */
  rowsExamined: number
  /** Groups that came out, time bins aside. */
  groups: number
}

/**
 * @param hasCursor whether the rows are only those behind a cursor
 * @throws what the reader throws
 */
export async function execute(plan: Plan, reader: Reader, hasCursor: boolean, signal: AbortSignal): Promise<Executed> {
  // One that fails ends the others: nobody will ask for their rows.
  const failed = new AbortController()
  const both = AbortSignal.any([signal, failed.signal])
  let rowsExamined = 0
  const run = async (statement: Parameters<Reader['read']>[0]) => {
    try {
      const result = await reader.read(statement, both)
      rowsExamined += result.rowsExamined
      return result.text
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }
  const [text = '', totalsText = '', counted] = await settled([
    run(plan),
    plan.totals && run(plan.totals),
    plan.cells.matched === undefined ? run(plan.count) : undefined,
  ])
  const rows = await readRows(text, plan)
  if (plan.buckets && plan.order.length === 0) sortByTime(rows, plan)
  const totals = plan.totals && (await readRows(totalsText, plan.totals))
  // A short first page holds all there is; the count may already have seen rows that were stored after it.
  const isWhole = plan.kind === 'rows' && !hasCursor && rows.values.length < plan.limit
  const rowsMatched = isWhole
    ? rows.values.length
    : counted === undefined
      ? (rows.matched ?? 0)
      : Number(/\[(\d+)\]/.exec(counted)?.[1])
  const groups = plan.kind === 'rows' || plan.groups.length === 0 ? 0 : (totals ?? rows).values.length
  return { rows, totals, rowsMatched, rowsExamined, groups }
}

/** All results, or the first error once none is under way any more. */
async function settled<T>(tasks: readonly (Promise<T> | undefined)[]): Promise<(T | undefined)[]> {
  const results = await Promise.allSettled(tasks)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

/** Bins come oldest first where the query says nothing else; a chart can then be drawn from them as they are. */
function sortByTime({ values }: Rows, { columns, buckets }: Plan): void {
  const at = columns.findIndex(({ name }) => name === buckets?.field)
  if (at === -1) return
  const keyed = values.map((row) => ({ row, timeNs: parseTimestamp(row[at]?.slice(1, -1) ?? '') ?? 0n }))
  keyed.sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0))
  for (const [index, { row }] of keyed.entries()) values[index] = row
}
