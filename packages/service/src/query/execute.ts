/**
 * Runs a plan: its rows, how many rows matched, and for time bins the totals, side by side.
 */

import type { Plan } from '@deployment-annotations/apl/plan'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Asker, Reader, ReadResult } from '../store/reading/reader.ts'
import type { MatchCounter } from './match-counts.ts'
import { type Rows, readRows } from './rows.ts'

export interface Executed {
  rows: Rows
  /** Rows of the table `_totals`, where the plan has one. */
  totals: Rows | undefined
  /** All rows that the query matches, whatever the cursor; `undefined` where nobody wanted to know, and it was not to be had for nothing. */
  rowsMatched: number | undefined
  /** Rows that the engine looked at, over all statements. */
  rowsExamined: number
  /** Groups that came out, time bins aside. */
  groups: number
}

interface ExecuteOptions {
  reader: Reader
  caller: Asker
  /** Whether the rows are only those behind a cursor. */
  hasCursor: boolean
  /** Absent where the matches are not to be counted. */
  counter: MatchCounter | undefined
  signal: AbortSignal
}

/** @throws what the reader throws */
export async function execute(plan: Plan, { reader, caller, hasCursor, counter, signal }: ExecuteOptions): Promise<Executed> {
  // One that fails ends the others: nobody will ask for their rows.
  const failed = new AbortController()
  const both = AbortSignal.any([signal, failed.signal])
  let rowsExamined = 0
  const run = async (statement: Parameters<Reader['read']>[0]): Promise<ReadResult> => {
    try {
      const result = await reader.read(statement, both, caller)
      rowsExamined += result.rowsExamined
      return result
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }
  const isOfRows = plan.kind === 'rows'
  const needsCount = counter !== undefined && plan.cells.matched === undefined
  const [page, totalsPage, countedBeside] = await settled([
    run(plan),
    plan.totals && run(plan.totals),
    needsCount && !isOfRows ? counter.count(run) : undefined,
    // Before the rows are counted, so that a count is never taken for one of an earlier state.
    needsCount && isOfRows ? counter.look((statement) => reader.read(statement, both, caller)) : undefined,
  ] as const)
  const rows = await readRows(page?.text ?? '', plan)
  if (plan.buckets && plan.order.length === 0) sortByTime(rows, plan)
  const totals = plan.totals && (await readRows(totalsPage?.text ?? '', plan.totals))
  // A short first page holds all there is, and reading it took as long as counting would.
  const isWhole = isOfRows && !hasCursor && rows.values.length < plan.limit
  const counted = needsCount && isOfRows && !isWhole ? await counter.count(run) : countedBeside
  const groups = isOfRows || plan.groups.length === 0 ? 0 : (totals ?? rows).values.length
  return { rows, totals, rowsMatched: isWhole ? rows.values.length : matchedOf(plan, rows, counted), rowsExamined, groups }
}

/** No row says it where there is none, and then nothing matched. */
function matchedOf({ cells }: Plan, rows: Rows, counted: number | undefined): number | undefined {
  return cells.matched === undefined ? counted : (rows.matched ?? 0)
}

/** All results, or the first error once none is under way any more. */
async function settled<T extends readonly unknown[]>(tasks: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(tasks)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  }) as { -readonly [K in keyof T]: Awaited<T[K]> }
}

/** Bins come oldest first where the query says nothing else; a chart can then be drawn from them as they are. */
function sortByTime({ values }: Rows, { columns, buckets }: Plan): void {
  const at = columns.findIndex(({ name }) => name === buckets?.field)
  if (at === -1) return
  const keyed = values.map((row) => ({ row, timeNs: parseTimestamp(row[at]?.slice(1, -1) ?? '') ?? 0n }))
  keyed.sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0))
  for (const [index, { row }] of keyed.entries()) values[index] = row
}
