/**
 * Runs a plan: its rows, how many rows matched, and for time bins the totals, side by side.
 */
import { ANSWER_CELLS_MAX } from '@deployment-annotations/apl/limits'
import type { Plan, Statement } from '@deployment-annotations/apl/plan'
import { ServiceError } from '../errors.ts'
import type { Asker, Reader, ReadResult } from '../store/reading/reader.ts'
import type { MatchCounter } from './match-counts.ts'
import { openRows, orderByTime, type Rows } from './rows.ts'

/** Whoever gets it disposes of it: its rows are read when they are wanted. */
export interface Executed extends AsyncDisposable {
  rows: Rows
  /** Of the rows, where it is not the engine's. */
  order?: Uint32Array | undefined
  /** Rows of the table `_totals`, where the plan has one. */
  totals: Rows | undefined
  /** All rows that the query matches, whatever the cursor; `undefined` where nobody wanted to know, and it was not to be had for nothing. */
  rowsMatched: number | undefined
  /** Rows that the engine looked at for the rows of the answer; what counts and totals looked at beside that are the same ones. */
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
  const results: ReadResult[] = []
  const run = async (statement: Statement) => {
    try {
      const result = await reader.read(statement, both, caller)
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
  const isOfRows = plan.kind === 'rows'
  const needsCount = counter !== undefined && plan.cells.matched === undefined
  try {
    const [found, totalsFound, countedBeside, rowsThere = Number.POSITIVE_INFINITY] = await settled([
      run(plan),
      plan.totals && run(plan.totals),
      needsCount && !isOfRows ? counter.count(run) : undefined,
      // Before the rows are counted, so that a count is never taken for one of an earlier state.
      needsCount && isOfRows ? counter.look((statement) => reader.read(statement, both, caller)) : undefined,
    ] as const)
    const rows = await openRows(found, plan)
    checkCells(rows, plan)
    const totals = plan.totals && (await openRows(totalsFound as ReadResult, plan.totals))
    // A short first page holds all there is, and reading it took as long as counting would.
    const isWhole = isOfRows && !hasCursor && rows.count < plan.limit
    const counted = needsCount && isOfRows && !isWhole ? await counter.count(run) : countedBeside
    return {
      rows,
      order: await orderOf(rows, plan),
      totals,
      rowsMatched: isWhole ? rows.count : matchedOf(plan, rows, counted),
      // A page reads the rows that it shows a second time, whole.
      rowsExamined: Math.min(found.rowsExamined, rowsThere),
      groups: isOfRows || isGroupedByTimeAlone(plan) ? 0 : (totals ?? rows).count,
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

function isGroupedByTimeAlone({ groups, buckets }: Plan): boolean {
  return groups.every(({ name }) => name === buckets?.field)
}

/** No row says it where there is none, and then nothing matched. */
function matchedOf({ cells }: Plan, rows: Rows, counted: number | undefined): number | undefined {
  return cells.matched === undefined ? counted : (rows.matched ?? 0)
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

/** Bins come oldest first where the query says nothing else; a chart can then be drawn from them as they are. */
async function orderOf(rows: Rows, plan: Plan): Promise<Uint32Array | undefined> {
  const { columns, buckets, order } = plan
  const column = buckets && order.length === 0 ? columns.findIndex(({ name }) => name === buckets.field) : -1
  return column === -1 ? undefined : orderByTime(rows, plan, column)
}

/** All results, or the first error once none is under way any more. */
async function settled<T extends readonly unknown[]>(tasks: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(tasks)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  }) as { -readonly [K in keyof T]: Awaited<T[K]> }
}
