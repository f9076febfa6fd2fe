/**
 * A query from end to end: request → plan → rows → answer. One engine, two doors: a query text, or a legacy body.
 */
import { type CompileOptions, compile, datasetsOf } from '@deployment-annotations/apl/compile'
import { compileLegacy } from '@deployment-annotations/apl/legacy'
import type { Plan, Statement } from '@deployment-annotations/apl/sql/plan'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { LegacyAnswer, QueryFormat, QueryStatus, TabularAnswer } from '@deployment-annotations/contract/query'
import { endOfMillisecond } from '@deployment-annotations/contract/relative-time'
import type { EventStore } from '@deployment-annotations/event-store/event-store'
import type { Reader } from '@deployment-annotations/event-store/reading/reader'
import { TableSpans } from '@deployment-annotations/event-store/reading/table-spans'
import type { Caller } from '@deployment-annotations/runtime/caller'
import { COMPILATIONS } from '@deployment-annotations/runtime/concurrency/bounds'
import { Gate } from '@deployment-annotations/runtime/concurrency/gate'
import { takeTurn } from '@deployment-annotations/runtime/concurrency/turns'
import type { JsonAnswer, JsonPieces } from './answer-body.ts'
import { requireAnswerSize } from './answer-size.ts'
import {
  findUnindexed,
  type QuerySpans,
  readCatalog,
  type Spans,
  settleOrTell,
  spansWithin,
  tablesOf,
  withAbsentFields,
  withDoubts,
  withNotices,
} from './catalog.ts'
import { type AnsweredQuery, execute, MatchCounts } from './execute.ts'
import { HeldQueries } from './held-queries.ts'
import { legacyAnswer } from './legacy-answer.ts'
import { answeringQueryErrors, type QueryRequest, readAplRequest, readQueryRequest, type SentQuery } from './query-request.ts'
import { type RecordSource, requireReadable, withRecords } from './record-sources.ts'
import { readCellsOf } from './rows.ts'
import { statusOf } from './status.ts'
import { readTable, type TableOfValues, tabularAnswer } from './tabular-answer.ts'

interface QueryParts {
  events: Pick<EventStore, 'damaged' | 'datasets' | 'settle' | 'stored'> & {
    tables: Pick<EventStore['tables'], 'writes' | 'rollups' | 'isShared'>
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

export function createQueries(parts: QueryParts): Queries {
  const { events, clock, ending } = parts
  const run = createRun(parts)
  const held = new HeldQueries({ ...events, ending })

  const runApl = (asked: QueryInput, areBinsEnough = false) => {
    const request = readAplRequest(asked, clock())
    const { apl, defaultLimit, variables } = request
    const language: QueryLanguage = {
      datasetsOf: (options) => datasetsOf(apl, { ...options, variables }),
      compile: (options) => compile(apl, { ...options, defaultLimit, variables, areBinsEnough }),
    }
    return run(request, language, asked)
  }

  return {
    async apl(asked, { format, bare = false }) {
      const answered = await runApl(asked)
      if (format === 'legacy') return await answerOf(legacyAnswer(answered), answered, { columns: false, named: true })
      const named = answered.plan.kind === 'rows' && !bare
      return await answerOf<TabularAnswer | LegacyAnswer>(
        tabularAnswer(answered, { bare, wantsAll: asked.wantsAll ?? false }),
        answered,
        { columns: true, named },
      )
    },
    async readTable(asked) {
      const { request, plan, executed, status } = await runApl(asked, true)
      await using _rows = executed
      await requireAnswerSize(plan, executed, { columns: true, named: false })
      return { table: await readTable(request, plan, executed), status }
    },
    async legacy(asked, dataset, heldMs = 0) {
      const first = readQueryRequest(asked, clock())
      let looks = 0
      const look = async () => {
        const request = upToNow(first, heldMs, clock())
        const language: QueryLanguage = {
          datasetsOf: () => [dataset],
          compile: (options) => compileLegacy(request.members, dataset, options),
        }
        // A later look waits for a place of its own.
        const sinceMs = looks++ === 0 ? asked.caller.sinceMs : performance.now()
        const answered = await run(request, language, { ...asked, caller: { ...asked.caller, sinceMs } })
        const { executed } = answered
        return { answered, rows: executed.rows, [Symbol.asyncDispose]: () => executed[Symbol.asyncDispose]() }
      }
      const wait = { dataset, durationMs: heldMs, signal: asked.signal }
      const { answered } = heldMs > 0 ? await held.untilRows(look, wait) : await look()
      return await answerOf(legacyAnswer(answered), answered, { columns: false, named: true })
    },
  }
}

/** How a query is read: as a text, or as a legacy body. */
interface QueryLanguage {
  /** The datasets that it names, which are known before it is compiled. */
  datasetsOf(options: CompileOptions): readonly string[]
  compile(options: CompileOptions): Plan
}

/** @returns what runs a query, knowing what others before it have seen */
function createRun({ events, reader, sources, rowsMax }: Pick<QueryParts, 'events' | 'reader' | 'sources' | 'rowsMax'>) {
  const { datasets, tables } = events
  const { rollups } = tables
  const counts = new MatchCounts(reader)
  const compilations = new Gate(COMPILATIONS)
  const spans = new TableSpans(events.tables.writes)

  return async (request: QueryRequest, language: QueryLanguage, asked: QueryInput): Promise<AnsweredQuery> => {
    const from = performance.now()
    const { signal, caller, wantsAll = false } = asked
    const { range, nowNs, cursor } = request
    const readFirst = (statement: Statement) => readCellsOf(reader.read(statement, signal, caller))
    const mayRead = (name: string) => caller.may('query|read', name)
    const read = <T>(by: (options: CompileOptions) => T, known: Spans): T => {
      const catalog = readCatalog({ datasets, sources, mayRead, spans: known })
      const options = { datasets: catalog, range, nowNs, cursor, limitMax: rowsMax, countsMatched: true }
      return forCaller(() => by(options), caller)
    }
    const prepare = async () => {
      const names = read(language.datasetsOf, spans)
      requireReadable(sources, names, caller)
      return { tables: tablesOf(names, datasets), missing: await settleOrTell(events, names) }
    }
    const { prepared, permit } = await reader.admit(prepare, signal, caller)
    using _permit = permit
    const { tables, missing } = prepared
    await spans.refresh(tables, readFirst)

    const executeBy = async (known: QuerySpans) => {
      await takeTurn(compilations, { caller: caller.id, signal })
      const compiled = withNotices(read(language.compile, known), events)
      const plan = await withRecords(compiled, sources, { range, limit: caller.limit, mayQuery: mayRead })
      const run = (one: Plan) =>
        execute(one, {
          reader,
          caller,
          hasCursor: cursor !== undefined,
          counter: request.countMatches ? counts.of(plan, tables) : undefined,
          // Rows of records are in no table.
          rowsThere: plan.constants === undefined ? sumOf(tables.map((table) => known.of(table)?.rows)) : undefined,
          signal,
        })
      const executed = await (rollups ? rollups.execute(plan, range, run) : run(plan))
      return { plan: { ...plan, ...executed.layout }, executed }
    }
    const known = spansWithin(range, spans)
    // It goes by the times of the tables that are known; if one was written to meanwhile, it is compiled again without them.
    let { plan, executed } = await executeBy(known)
    if (!known.areCurrent()) {
      await executed[Symbol.asyncDispose]()
      ;({ plan, executed } = await executeBy(spansWithin(range)))
    }
    const told = await withAbsentFields(plan, executed, async (statement) => Number((await readFirst(statement))[0]))
    const elapsedMs = performance.now() - from
    const unindexed = findUnindexed(plan, elapsedMs, executed.rowsExamined, datasets)
    const status = statusOf(request, await withDoubts(told, executed.rows), executed, { elapsedMs, missing, wantsAll, unindexed })
    return { request, plan, executed, status }
  }
}

/** Whether a dataset is there is told to nobody who may not read it. @throws as {@link answeringQueryErrors} */
function forCaller<T>(compile: () => T, caller: QueryInput['caller']): T {
  return answeringQueryErrors(compile, (dataset) => caller.require('query|read', '', dataset))
}

/** @returns nothing where one of them is not known */
function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0)
}

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
  { plan, executed }: AnsweredQuery,
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
