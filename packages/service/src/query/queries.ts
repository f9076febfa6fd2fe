/**
 * A query from end to end: request → plan → rows → answer. One engine, two doors: a query text, or a legacy body.
 */
import { type CompileOptions, compile } from '@deployment-annotations/apl/compile'
import { compileLegacy } from '@deployment-annotations/apl/legacy'
import type { Plan } from '@deployment-annotations/apl/plan'
import type { Datasets } from '../events/datasets.ts'
import type { Reader } from '../store/reading/reader.ts'
import { readCatalogue } from './catalogue.ts'
import { execute } from './execute.ts'
import { legacyAnswer } from './legacy-answer.ts'
import { answeringQueryErrors } from './query-errors.ts'
import { type Format, type QueryRequest, readAplRequest, readQueryRequest } from './query-request.ts'
import { statusOf } from './status.ts'
import { tabularAnswer } from './tabular-answer.ts'

/** Rows of one answer at most; a larger limit is lowered to this, and the answer says so. */
export const ROWS_MAX = 65_000

export interface QueryParts {
  datasets: Datasets
  reader: Reader
  rowsMax: number
  /** Milliseconds since the epoch. */
  clock: () => number
}

/** A request as it came. */
export interface Asked {
  body: unknown
  /** The query parameter of that name. */
  cursor: unknown
  /** Ends when the caller goes away. */
  signal: AbortSignal
}

/** Answers are JSON text. Both throw ServiceError. */
export interface Queries {
  apl(asked: Asked, format: Format): Promise<string>
  legacy(asked: Asked, dataset: string): Promise<string>
}

export function createQueries({ datasets, reader, rowsMax, clock }: QueryParts): Queries {
  const optionsOf = ({ range, nowNs, cursor }: QueryRequest): CompileOptions => ({
    datasets: readCatalogue(datasets),
    range,
    nowNs,
    cursor,
    limitMax: rowsMax,
    countsMatched: true,
  })

  async function answer(request: QueryRequest, compiled: () => Plan, format: Format, signal: AbortSignal): Promise<string> {
    const from = performance.now()
    const plan = answeringQueryErrors(compiled)
    const executed = await execute(plan, reader, request.cursor !== undefined, signal)
    const status = statusOf(request, plan, executed, performance.now() - from)
    return format === 'tabular' ? tabularAnswer(request, plan, executed, status) : legacyAnswer(request, plan, executed, status)
  }

  return {
    async apl({ body, cursor, signal }, format) {
      const request = readAplRequest(body, cursor, clock())
      const { apl, defaultLimit, variables } = request
      return answer(request, () => compile(apl, { ...optionsOf(request), defaultLimit, variables }), format, signal)
    },
    async legacy({ body, cursor, signal }, dataset) {
      const request = readQueryRequest(body, cursor, clock())
      return answer(request, () => compileLegacy(request.members, dataset, optionsOf(request)), 'legacy', signal)
    },
  }
}
