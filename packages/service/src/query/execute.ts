/**
 * Runs a plan: its rows, the totals of time bins, and how many rows matched. Counting reads everything that a filter reads, which is
 * more than a page does, so counts are remembered while the tables do not change.
 */
import { hash } from 'node:crypto'
import { ANSWER_CELLS_MAX } from '@deployment-annotations/apl/limits'
import type { Plan, Statement, Together } from '@deployment-annotations/apl/sql/plan'
import type { QueryStatus } from '@deployment-annotations/contract/query'
import type { QueryCaller, Reader, ReadResult } from '@deployment-annotations/event-store/reading/reader'
import { rowsOfState } from '@deployment-annotations/event-store/reading/table-spans'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { LRUCache } from 'lru-cache'
import type { QueryRequest } from './query-request.ts'
import { openRows, orderByTime, type Rows, readCellsOf, readNumber } from './rows.ts'

/** The caller disposes of it: its rows are read when they are wanted. */
export interface ExecutedQuery extends Found, AsyncDisposable {
  /** Of the rows, where it is not the engine's. */
  order?: Uint32Array | undefined
  /** Groups that came out, time bins aside. */
  groups: number
}

/** A query that was run: the caller disposes of what was executed. */
export interface AnsweredQuery {
  request: QueryRequest
  /** As its rows are to be read. */
  plan: Plan
  executed: ExecutedQuery
  status: QueryStatus
}

interface Found {
  rows: Rows
  /** Rows of the table `_totals`, where the plan has one. */
  totals?: Rows | undefined
  /** All rows that the query matches, whatever the cursor; `undefined` where nobody wanted to know, and it was not to be had for nothing. */
  rowsMatched: number | undefined
  /** Rows that the engine looked at for the rows of the answer; what counts and totals looked at beside that are the same ones. */
  rowsExamined: number
  /** How they are to be read. */
  layout: Pick<Plan, 'columns' | 'cells' | 'totals'>
}

interface ExecuteOptions {
  reader: Reader
  caller: QueryCaller
  /** Whether the rows are only those behind a cursor. */
  hasCursor: boolean
  /** Absent where the matches are not to be counted. */
  counter: MatchCounter | undefined
  /** Rows of the tables that are read, where it is known. */
  rowsThere: number | undefined
  signal: AbortSignal
}

/** Runs a statement of the plan, until the signal aborts. */
type Run = (statement: Statement, signal?: AbortSignal) => Promise<ReadResult>

/** @throws what the reader throws */
export async function execute(plan: Plan, options: ExecuteOptions): Promise<ExecutedQuery> {
  const { reader, caller, hasCursor, counter, rowsThere, signal } = options
  const results: ReadResult[] = []
  const look: Run = (statement, until = signal) => reader.read(statement, until, caller)
  const run: Run = async (statement, until) => {
    const result = await look(statement, until)
    results.push(result)
    return result
  }
  const dispose = async () => {
    for (const result of results) await result[Symbol.asyncDispose]()
  }
  try {
    const found =
      plan.kind === 'rows'
        ? await runRows(plan, { run, look, signal, hasCursor, counter, rowsThere })
        : await runGroups(plan, { run, look, signal, counter })
    const { rows, totals, layout } = found
    return {
      ...found,
      order: await orderOf(rows, { ...plan, ...layout }),
      groups: plan.kind === 'rows' || isGroupedByTimeAlone(plan) ? 0 : (totals ?? rows).count,
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

interface Running {
  run: Run
  /** Runs what is no part of the query. */
  look: Run
  signal: AbortSignal
  counter: MatchCounter | undefined
}

/**
 * A first page that comes back short holds all there is. Where pages of the same query were full, their matches are counted while
 * this one is read, and it is given up should this one be short; where they were not, or none was seen, they are counted after it.
 */
async function runRows(
  plan: Plan,
  { run, look, signal, hasCursor, counter, rowsThere }: Running & Pick<ExecuteOptions, 'hasCursor' | 'rowsThere'>,
): Promise<Found> {
  const end = new AbortController()
  const until = AbortSignal.any([signal, end.signal])
  const lookUntil: Run = (statement) => look(statement, until)
  const count = () => counter?.count((statement) => run(statement, until), lookUntil)
  const beside = hasCursor || counter?.wasFull ? count() : undefined
  const looked = rowsThere === undefined ? counter?.look(lookUntil) : undefined
  // They are awaited where they are needed; elsewhere nobody wants to know.
  for (const task of [beside, looked]) task?.catch((error) => end.abort(error))
  try {
    const found = await run(plan, until)
    const rows = await openRows(found, plan)
    checkCells(rows, plan)
    const isFull = rows.count >= plan.limit
    counter?.note(isFull)
    const rowsMatched = hasCursor || isFull ? await (beside ?? count()) : rows.count
    // A page reads the rows that it shows a second time, whole.
    const rowsExamined = Math.min(found.rowsExamined, rowsThere ?? (await looked) ?? Number.POSITIVE_INFINITY)
    return { rows, rowsMatched, rowsExamined, layout: plan }
  } finally {
    end.abort(new Error('the page is there'))
  }
}

async function runGroups(plan: Plan, { run, look, signal, counter }: Running): Promise<Found> {
  // One that fails ends the others: nobody will ask for their rows.
  const failed = new AbortController()
  const until = AbortSignal.any([signal, failed.signal])
  const runUntil = async (statement: Statement) => {
    try {
      return await run(statement, until)
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }
  const { together } = plan
  const [tables, counted] = await settled([
    together ? runTogether(plan, together, runUntil) : runApart(plan, runUntil),
    plan.cells.matched === undefined ? counter?.count(runUntil, look) : undefined,
  ] as const)
  const { rows } = tables
  checkCells(rows, plan)
  // No row says it where there is none, and then nothing matched.
  return { ...tables, rowsMatched: plan.cells.matched === undefined ? counted : (rows.matched ?? 0) }
}

type Tables = Omit<Found, 'rowsMatched'>

async function runApart(plan: Plan, run: Run): Promise<Tables> {
  const { totals } = plan
  const [found, ofTotals] = await settled([run(plan), totals && run(totals)] as const)
  const { rowsExamined } = found
  return {
    rows: await openRows(found, plan),
    totals: ofTotals && (await openRows(ofTotals, totals as Plan)),
    rowsExamined,
    layout: plan,
  }
}

async function runTogether(plan: Plan, together: Together, run: Run): Promise<Tables> {
  const found = await run(together)
  // A group of everything is there even of nothing.
  if (found.count === 0 && together.hasOneTotal) return runApart(plan, run)
  const [bins, ofTotals] = found.split()
  const { columns, cells } = together
  const totals = { ...(plan.totals as Statement), columns: together.totals }
  const { rowsExamined } = found
  return {
    rows: await openRows(bins, together),
    totals: await openRows(ofTotals, totals),
    rowsExamined,
    layout: { columns, cells, totals },
  }
}

function isGroupedByTimeAlone({ groups, buckets }: Plan): boolean {
  return groups.every(({ name }) => name === buckets?.field)
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

/** Runs a statement that counts. */
type RunCount = (statement: Statement) => Promise<ReadResult>

/** Counts the matches of one query. */
type MatchCounter = ReturnType<MatchCounts['of']>

/** Each is some 200 bytes. */
const COUNTS_MAX = 1_000

export class MatchCounts {
  readonly #reader: Reader
  readonly #known = new LRUCache<string, number>({ max: COUNTS_MAX })
  readonly #wasFull = new LRUCache<string, boolean>({ max: COUNTS_MAX })

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** @param tables that the plan reads */
  of({ sql, count, kind, constants }: Plan, tables: readonly string[]) {
    const shape = hash('sha256', sql)
    // Only pages are asked for again, and rows of the records come with the statement, and have no parts.
    const isRemembered = kind === 'rows' && constants === undefined
    let looked: Promise<string | undefined> | undefined
    const stateBy = (look: RunCount) => {
      looked ??= isRemembered ? this.#stateOf(tables, look) : Promise.resolve(undefined)
      return looked
    }
    return {
      /** @returns how many rows the tables have, where that can be seen */
      look: async (look: RunCount): Promise<number | undefined> => {
        const state = await stateBy(look)
        return state === undefined ? undefined : rowsOfState(state)
      },
      /** @param look runs what is no part of the query */
      count: async (run: RunCount, look: RunCount): Promise<number> => {
        // Before the rows are counted, so that a count is never taken for one of an earlier state.
        const state = await stateBy(look)
        const key = state === undefined ? '' : hash('sha256', JSON.stringify([count, tables, state]))
        const known = this.#known.get(key)
        if (known !== undefined) return known
        await using result = await run(count)
        const matched = await readNumber(result)
        if (state !== undefined) this.#known.set(key, matched)
        return matched
      },
      /** Whether the last page of such a query was full, whatever its values. */
      wasFull: this.#wasFull.get(shape) ?? false,
      /** Tells how full a page was. */
      note: (isFull: boolean) => this.#wasFull.set(shape, isFull),
    }
  }

  async #stateOf(tables: readonly string[], look: RunCount): Promise<string | undefined> {
    const statement = this.#reader.stateOf(tables)
    if (!statement) return undefined
    return (await readCellsOf(look(statement)))[0]
  }
}
