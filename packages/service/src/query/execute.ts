/**
 * Runs a plan: its rows, how many rows matched, and for time bins the totals, side by side.
 */

import { ANSWER_CELLS_MAX } from '@deployment-annotations/apl/limits'
import type { Plan } from '@deployment-annotations/apl/plan'
import { ServiceError } from '../errors.ts'
import type { Reader, ReadResult } from '../store/reading/reader.ts'
import { openRows, orderByTime, type Rows } from './rows.ts'

/** Whoever gets it disposes of it: its rows are read when they are wanted. */
export interface Executed extends AsyncDisposable {
  rows: Rows
  /** Of the rows, where it is not the engine's. */
  order?: Uint32Array | undefined
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
  const results: ReadResult[] = []
  const run = async (statement: Parameters<Reader['read']>[0]) => {
    try {
      const result = await reader.read(statement, both)
      results.push(result)
      return result
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }
  const dispose = async () => {
    for (const result of results) await result[Symbol.asyncDispose]()
  }
  try {
    const [found, totalsFound, counted] = await settled([
      run(plan),
      plan.totals && run(plan.totals),
      plan.cells.matched === undefined ? run(plan.count) : undefined,
    ])
    const rows = await openRows(found as ReadResult, plan)
    checkCells(rows, plan)
    const totals = plan.totals && (await openRows(totalsFound as ReadResult, plan.totals))
    // A short first page holds all there is; the count may already have seen rows that were stored after it.
    const isWhole = plan.kind === 'rows' && !hasCursor && rows.count < plan.limit
    return {
      rows,
      order: await orderOf(rows, plan),
      totals,
      rowsMatched: isWhole ? rows.count : counted === undefined ? (rows.matched ?? 0) : await readNumber(counted),
      rowsExamined: results.reduce((sum, result) => sum + result.rowsExamined, 0),
      groups: plan.kind === 'rows' || plan.groups.length === 0 ? 0 : (totals ?? rows).count,
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** A limit that was asked for is low enough; how many groups there are is only known now. */
function checkCells({ count }: Rows, { columns }: Plan): void {
  if (count * columns.length <= ANSWER_CELLS_MAX) return
  const rowsMax = Math.floor(ANSWER_CELLS_MAX / columns.length)
  throw new ServiceError(
    'query_too_large',
    `the answer has ${count} rows of ${columns.length} columns, more than the ${ANSWER_CELLS_MAX} cells that one may have; use a limit of at most ${rowsMax}, or project fewer columns`,
  )
}

/** @returns the number that is all of an answer */
export async function readNumber(result: ReadResult): Promise<number> {
  return Number(/\[(\d+)\]/.exec((await result.first()) ?? '')?.[1])
}

/** Bins come oldest first where the query says nothing else; a chart can then be drawn from them as they are. */
async function orderOf(rows: Rows, plan: Plan): Promise<Uint32Array | undefined> {
  const { columns, buckets, order } = plan
  const column = buckets && order.length === 0 ? columns.findIndex(({ name }) => name === buckets.field) : -1
  return column === -1 ? undefined : orderByTime(rows, plan, column)
}

/** All results, or the first error once none is under way any more. */
async function settled<T>(tasks: readonly (Promise<T> | undefined)[]): Promise<(T | undefined)[]> {
  const results = await Promise.allSettled(tasks)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
