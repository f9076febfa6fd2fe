/**
 * A query from end to end: request → plan → rows → answer. One engine, two doors: a query text, or a legacy body.
 */
import { type CompileOptions, compile } from '@deployment-annotations/apl/compile'
import { compileLegacy } from '@deployment-annotations/apl/legacy'
import type { InStates, Plan, Statement } from '@deployment-annotations/apl/sql/plan'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { LegacyAnswer, QueryFormat, QueryStatus, TabularAnswer } from '@deployment-annotations/contract/query'
import { endOfMillisecond } from '@deployment-annotations/contract/relative-time'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { Reader } from '@deployment-annotations/event-store/reading/reader'
import type { Rollups } from '@deployment-annotations/event-store/reading/rollups'
import { TableSpans } from '@deployment-annotations/event-store/reading/table-spans'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { ServiceError, type ServiceErrorCode } from '@deployment-annotations/runtime/errors'
import type { JsonAnswer, JsonPieces } from './answer-body.ts'
import { requireAnswerSize } from './answer-size.ts'
import {
  type CompiledQuery,
  type CompileQuery,
  compileWith,
  readCatalog,
  type Spans,
  settleOrTell,
  withAbsentFields,
} from './catalog.ts'
import { type ExecutedQuery, execute, MatchCounts } from './execute.ts'
import { HeldQueries } from './held-queries.ts'
import { legacyAnswer } from './legacy-answer.ts'
import { type QueryRange, type QueryRequest, readAplRequest, readQueryRequest, type SentQuery } from './query-request.ts'
import { type RecordSource, requireReadable, withRecords } from './record-sources.ts'
import { readCells } from './rows.ts'
import { statusOf } from './status.ts'
import { readTable, type TableOfValues, tabularAnswer } from './tabular-answer.ts'

interface QueryParts {
  events: Pick<EventStore, 'datasets' | 'damagedTables' | 'settle' | 'notifier' | 'rollups'> & {
    tables: Pick<EventStore['tables'], 'writes'>
  }
  reader: Reader
  /** What can be queried besides datasets. */
  sources: readonly RecordSource[]
  rowsMax: number
  /** Milliseconds since the epoch. */
  clock: () => number
  /** Ends when the service closes, and with it whatever waits for rows. */
  ending: AbortSignal
}

/** A request as it came. */
export interface QueryInput extends SentQuery {
  /** Whether the caller wants the members that only this service has. */
  wantsAll?: boolean
  /** Whose share of the engine it takes, and what it may read. */
  caller: Caller
  /** Ends when the caller goes away. */
  signal: AbortSignal
}

interface AnswerShape {
  format: QueryFormat
  /** Tables alone, without the rows as events beside them: what a client of the edge decodes, some of them strictly. */
  bare?: boolean
}

export interface QueryAnswer<T> extends JsonAnswer<T> {
  /** What was asked. */
  datasets: readonly string[]
}

/** Both throw ServiceError. */
export interface Queries {
  apl(asked: QueryInput, shape: AnswerShape): Promise<QueryAnswer<TabularAnswer | LegacyAnswer>>
  /** As `apl`, for the service itself: the table is there as values. */
  readTable(asked: QueryInput): Promise<{ table: TableOfValues; status: QueryStatus }>
  /** @param heldMs how long the query may wait for rows where it finds none */
  legacy(asked: QueryInput, dataset: string, heldMs?: number): Promise<QueryAnswer<LegacyAnswer>>
}

export function createQueries({ events, reader, sources, rowsMax, clock, ending }: QueryParts): Queries {
  const optionsOf = ({ range, nowNs, cursor }: QueryRequest, { caller }: QueryInput, spans: Spans): CompileOptions => ({
    datasets: readCatalog({ datasets: events.datasets, sources, mayRead: (name) => caller.may('query|read', name), spans }),
    range,
    nowNs,
    cursor,
    limitMax: rowsMax,
    countsMatched: true,
  })

  const run = createRun({ events, reader, sources })
  const held = new HeldQueries({ ...events, ending })

  const runApl = async (asked: QueryInput) => {
    const request = readAplRequest(asked, clock())
    const { apl, defaultLimit, variables } = request
    const compiled: CompileQuery = (spans) => compile(apl, { ...optionsOf(request, asked, spans), defaultLimit, variables })
    return await run(request, compiled, asked)
  }

  return {
    async apl(asked, { format, bare = false }) {
      const answered = await runApl(asked)
      if (format === 'legacy') return await answerOf(legacyAnswer(...answered), answered, { columns: false, named: true })
      const named = answered[1].kind === 'rows' && !bare
      return await answerOf<TabularAnswer | LegacyAnswer>(
        tabularAnswer(...answered, { bare, wantsAll: asked.wantsAll ?? false }),
        answered,
        { columns: true, named },
      )
    },
    async readTable(asked) {
      const [request, plan, executed, status] = await runApl(asked)
      await using _rows = executed
      await requireAnswerSize(plan, executed, { columns: true, named: false })
      return { table: await readTable(request, plan, executed), status }
    },
    async legacy(asked, dataset, heldMs = 0) {
      const first = readQueryRequest(asked, clock())
      let looks = 0
      const look = async () => {
        const request = upToNow(first, heldMs, clock())
        // A later look waits for a place of its own.
        const sinceMs = looks++ === 0 ? asked.caller.sinceMs : performance.now()
        const looking = { ...asked, caller: { ...asked.caller, sinceMs } }
        const answered = await run(
          request,
          (spans) => compileLegacy(request.members, dataset, optionsOf(request, asked, spans)),
          looking,
        )
        const { rows } = answered[2]
        return { answered, rows, [Symbol.asyncDispose]: () => answered[2][Symbol.asyncDispose]() }
      }
      const wait = { dataset, durationMs: heldMs, signal: asked.signal }
      const { answered } = heldMs > 0 ? await held.untilRows(look, wait) : await look()
      return await answerOf(legacyAnswer(...answered), answered, { columns: false, named: true })
    },
  }
}

/** @returns what runs a query, knowing what others before it have seen */
function createRun({ events, reader, sources }: Pick<QueryParts, 'events' | 'reader' | 'sources'>) {
  const counts = new MatchCounts(reader)
  const spans = new TableSpans(events.tables.writes)

  return async (request: QueryRequest, compiled: CompileQuery, { signal, caller, wantsAll = false }: QueryInput) => {
    const from = performance.now()
    const readFirst = async (statement: Statement) => {
      await using result = await reader.read(statement, signal, caller)
      return await readCells(result)
    }
    const onAbsent = (dataset: string) => caller.require('query|read', '', dataset)
    const compileBy = (known: TableSpans | undefined) =>
      compileWith({ compile: compiled, range: request.range, events, spans: known, onAbsent })
    const once = async ({ plan: compiledPlan, tables, ...compiledOf }: CompiledQuery) => {
      const plan = await withRecords(compiledPlan, sources, {
        range: request.range,
        limit: caller.limit,
        mayQuery: (name) => caller.may('query|read', name),
      })
      // Rows of records are in no table.
      const rowsThere = plan.constants === undefined ? compiledOf.rowsThere : undefined
      const counter = request.countMatches ? counts.of(plan, tables) : undefined
      const executed = await executeByRollups(
        plan,
        {
          reader,
          caller,
          hasCursor: request.cursor !== undefined,
          counter,
          rowsThere,
          signal,
        },
        { rollups: events.rollups, range: request.range },
      )
      return { plan: { ...plan, ...executed.layout }, executed }
    }
    const prepare = async () => {
      const first = compileBy(spans)
      requireReadable(sources, first.plan.datasets, caller)
      return { first, missing: await settleOrTell(events, first.plan.datasets) }
    }
    const { first, missing } = await reader.whileWaiting(prepare, signal, caller)
    let asked = first
    if ((await spans.refresh(asked.tables, readFirst)) || !asked.isCurrent()) asked = compileBy(spans)
    let { plan, executed } = await once(asked)
    if (!asked.isCurrent()) {
      await executed[Symbol.asyncDispose]()
      ;({ plan, executed } = await once(compileBy(undefined)))
    }
    const told = await withAbsentFields(plan, executed, async (statement) => Number((await readFirst(statement))[0]))
    return [
      request,
      plan,
      executed,
      statusOf(request, told, executed, { elapsedMs: performance.now() - from, missing, wantsAll }),
    ] as const
  }
}

interface ByRollups {
  rollups: Rollups | undefined
  range: QueryRange
}

/** Runs a plan by what is held of whole parts, if anything is; and by the events where that says nothing. */
async function executeByRollups(plan: Plan, options: Parameters<typeof execute>[1], by: ByRollups): Promise<ExecutedQuery> {
  const { rollups } = by
  const { inStates } = plan
  if (!rollups || !inStates || plan.constants !== undefined) return await execute(plan, options)
  const states = rollups.hasStates ? inStates() : undefined
  const executedInStates = states && (await executeInStates(plan, states, options, { ...by, rollups }))
  if (executedInStates) return executedInStates
  const executed = await execute(plan, options)
  rollups.note(executed.rowsExamined, () => states ?? inStates())
  return executed
}

/** @returns nothing if nothing is held, if one of the parts was gone meanwhile, or if what is held cannot be read */
async function executeInStates(
  plan: Plan,
  states: InStates,
  options: Parameters<typeof execute>[1],
  { rollups, range }: ByRollups & { rollups: Rollups },
): Promise<ExecutedQuery | undefined> {
  using rolledUp = rollups.find(states, range)
  if (!rolledUp) return undefined
  let executed: ExecutedQuery | undefined
  try {
    executed = await execute({ ...plan, together: { ...states, ...rolledUp.statement } }, options)
    if (await rolledUp.stillThere()) return executed
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : 'internal'
    if (options.signal.aborted || NO_BETTER_BY_EVENTS.has(code)) {
      await executed?.[Symbol.asyncDispose]()
      throw error
    }
    if (code === 'internal' || code === 'not_found') rollups.fail(states, error)
  }
  await executed?.[Symbol.asyncDispose]()
  return undefined
}

/** The events would take longer, or stand in the same queue. */
const NO_BETTER_BY_EVENTS = new Set<ServiceErrorCode>(['query_timeout', 'overloaded', 'rate_limited', 'caller_left'])

/** A query that waits for rows, and would have seen those of the moment when it was sent, sees those of the moment when it is looked at. */
function upToNow(request: QueryRequest, heldMs: number, nowMs: number): QueryRequest {
  const { range, nowNs } = request
  if (range.endNs + BigInt(heldMs) * UNIT_NS.ms < nowNs) return request
  const now = endOfMillisecond(nowMs)
  return now > range.endNs && heldMs > 0 ? { ...request, nowNs: now, range: { ...range, endNs: now } } : request
}

/** The rows are there until the answer is disposed of. @throws as {@link requireAnswerSize} */
async function answerOf<T>(
  pieces: JsonPieces<T>,
  [, plan, executed]: readonly [unknown, Plan, ExecutedQuery, unknown],
  forms: Parameters<typeof requireAnswerSize>[2],
): Promise<QueryAnswer<T>> {
  try {
    await requireAnswerSize(plan, executed, forms)
  } catch (error) {
    await executed[Symbol.asyncDispose]()
    throw error
  }
  return { pieces, datasets: plan.datasets, [Symbol.asyncDispose]: () => executed[Symbol.asyncDispose]() }
}
