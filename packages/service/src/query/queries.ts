/**
 * A query from end to end: request → plan → rows → answer. One engine, two doors: a query text, or a legacy body.
 */
import { type CompileOptions, compile } from '@deployment-annotations/apl/compile'
import { compileLegacy } from '@deployment-annotations/apl/legacy'
import type { Plan } from '@deployment-annotations/apl/plan'
import type { LegacyAnswer, QueryFormat, TabularAnswer } from '@deployment-annotations/contract/query'
import type { EventStore } from '../events/event-store.ts'
import type { Asker, Reader } from '../store/reading/reader.ts'
import type { JsonText } from './answer-text.ts'
import { readCatalogue } from './catalogue.ts'
import { execute } from './execute.ts'
import { legacyAnswer } from './legacy-answer.ts'
import { MatchCounts } from './match-counts.ts'
import { answeringQueryErrors } from './query-errors.ts'
import { type QueryRequest, readAplRequest, readQueryRequest } from './query-request.ts'
import { statusOf } from './status.ts'
import { tabularAnswer } from './tabular-answer.ts'

interface QueryParts {
  events: Pick<EventStore, 'datasets' | 'settle'>
  reader: Reader
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
  /** Whose share of the engine it takes. */
  caller: Asker
  /** Ends when the caller goes away. */
  signal: AbortSignal
}

/** An answer in either format, as text. */
export type AnswerText = JsonText<TabularAnswer> | JsonText<LegacyAnswer>

/** Both throw ServiceError. */
export interface Queries {
  apl(asked: Asked, format: QueryFormat): Promise<AnswerText>
  legacy(asked: Asked, dataset: string): Promise<JsonText<LegacyAnswer>>
}

export function createQueries({ events, reader, rowsMax, clock }: QueryParts): Queries {
  const optionsOf = ({ range, nowNs, cursor }: QueryRequest): CompileOptions => ({
    datasets: readCatalogue(events.datasets),
    range,
    nowNs,
    cursor,
    limitMax: rowsMax,
    countsMatched: true,
  })

  const counts = new MatchCounts(reader)

  async function run(request: QueryRequest, compiled: () => Plan, { signal, caller }: Asked) {
    const from = performance.now()
    const plan = answeringQueryErrors(compiled)
    await events.settle(plan.datasets)
    const tables = plan.datasets.flatMap((name) => events.datasets.find(name)?.table ?? [])
    const counter = request.countMatches ? counts.of(plan.count, tables) : undefined
    const executed = await execute(plan, { reader, caller, hasCursor: request.cursor !== undefined, counter, signal })
    return [request, plan, executed, statusOf(request, plan, executed, performance.now() - from)] as const
  }

  return {
    async apl(asked, format) {
      const request = readAplRequest(asked, clock())
      const { apl, defaultLimit, variables } = request
      const compiled = () => compile(apl, { ...optionsOf(request), defaultLimit, variables })
      const answered = await run(request, compiled, asked)
      return format === 'tabular' ? tabularAnswer(...answered) : legacyAnswer(...answered)
    },
    async legacy(asked, dataset) {
      const request = readQueryRequest(asked, clock())
      return legacyAnswer(...(await run(request, () => compileLegacy(request.members, dataset, optionsOf(request)), asked)))
    },
  }
}
