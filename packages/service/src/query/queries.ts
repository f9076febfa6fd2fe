/**
 * A query from end to end: request → plan → rows → answer. One engine, two doors: a query text, or a legacy body.
 */
import { type CompileOptions, compile } from '@deployment-annotations/apl/compile'
import { compileLegacy } from '@deployment-annotations/apl/legacy'
import type { Plan } from '@deployment-annotations/apl/plan'
import type { LegacyAnswer, QueryFormat, TabularAnswer } from '@deployment-annotations/contract/query'
import type { EventStore } from '../events/event-store.ts'
import type { Reader } from '../store/reading/reader.ts'
import type { Caller } from '../tokens/token.ts'
import { withAbsentFields } from './absent-fields.ts'
import type { Answer } from './answer-body.ts'
import type { JsonPieces } from './answer-text.ts'
import { readCatalogue } from './catalogue.ts'
import { type Executed, execute } from './execute.ts'
import { legacyAnswer } from './legacy-answer.ts'
import { MatchCounts } from './match-counts.ts'
import { answeringQueryErrors } from './query-errors.ts'
import { type QueryRequest, readAplRequest, readQueryRequest } from './query-request.ts'
import { type RecordSource, requireReadable, withRecords } from './record-sources.ts'
import { readNumber } from './rows.ts'
import { statusOf } from './status.ts'
import { tabularAnswer } from './tabular-answer.ts'

interface QueryParts {
  events: Pick<EventStore, 'datasets' | 'settle'>
  reader: Reader
  /** What can be queried besides datasets. */
  sources: readonly RecordSource[]
  /** The database of addresses, if there is one. */
  geo?: CompileOptions['geo']
  rowsMax: number
  /** Milliseconds since the epoch. */
  clock: () => number
}

/** A request as it came. */
export interface Asked {
  body: unknown
  /** The query parameters of these names. */
  cursor: unknown
  countMatches: unknown
  /** Whose share of the engine it takes, and what it may read. */
  caller: Caller
  /** Ends when the caller goes away. */
  signal: AbortSignal
}

/** Both throw ServiceError. */
export interface Queries {
  apl(asked: Asked, format: QueryFormat): Promise<Answer<TabularAnswer | LegacyAnswer>>
  legacy(asked: Asked, dataset: string): Promise<Answer<LegacyAnswer>>
}

export function createQueries({ events, reader, sources, geo, rowsMax, clock }: QueryParts): Queries {
  const optionsOf = ({ range, nowNs, cursor }: QueryRequest, { caller }: Asked): CompileOptions => ({
    datasets: readCatalogue(events.datasets, sources, (name) => caller.may('query|read', name)),
    range,
    nowNs,
    cursor,
    geo,
    limitMax: rowsMax,
    countsMatched: true,
  })

  const counts = new MatchCounts(reader)

  async function run(request: QueryRequest, compiled: () => Plan, { signal, caller }: Asked) {
    const from = performance.now()
    const compiledPlan = answeringQueryErrors(compiled, (dataset) => caller.require('query|read', '', dataset))
    requireReadable(sources, compiledPlan.datasets, caller)
    await events.settle(compiledPlan.datasets)
    const plan = await withRecords(compiledPlan, sources, { range: request.range, limit: caller.limit })
    const tables = plan.datasets.flatMap((name) => events.datasets.find(name)?.table ?? [])
    const counter = request.countMatches ? counts.of(plan.count, tables) : undefined
    const executed = await execute(plan, { reader, caller, hasCursor: request.cursor !== undefined, counter, signal })
    const told = await withAbsentFields(plan, executed.rowsMatched, async (statement) => {
      await using result = await reader.read(statement, signal, caller)
      return await readNumber(result)
    })
    return [request, plan, executed, statusOf(request, told, executed, performance.now() - from)] as const
  }

  return {
    async apl(asked, format) {
      const request = readAplRequest(asked, clock())
      const { apl, defaultLimit, variables } = request
      const compiled = () => compile(apl, { ...optionsOf(request, asked), defaultLimit, variables })
      const answered = await run(request, compiled, asked)
      return format === 'tabular' ? answerOf(tabularAnswer(...answered), answered) : answerOf(legacyAnswer(...answered), answered)
    },
    async legacy(asked, dataset) {
      const request = readQueryRequest(asked, clock())
      const answered = await run(request, () => compileLegacy(request.members, dataset, optionsOf(request, asked)), asked)
      return answerOf(legacyAnswer(...answered), answered)
    },
  }
}

/** The rows are there until the answer is disposed of. */
function answerOf<T>(pieces: JsonPieces<T>, [, , executed]: readonly [unknown, unknown, Executed, unknown]): Answer<T> {
  return { pieces, [Symbol.asyncDispose]: () => executed[Symbol.asyncDispose]() }
}
