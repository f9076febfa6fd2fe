/**
 * The answer in the format `legacy`: `matches` for queries of rows, `buckets` for the others, and the request as understood.
 */

import type { Plan } from '@deployment-annotations/apl/plan'
import { stringifyExact } from '@deployment-annotations/contract/exact-json'
import type { LegacyAnswer, QueryStatus } from '@deployment-annotations/contract/schemas/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { asJson, type JsonPieces, type JsonText, objectOf, toJson } from './answer-text.ts'
import type { Executed } from './execute.ts'
import { bucketsOf } from './legacy-buckets.ts'
import { matchesOf } from './matches.ts'
import type { QueryRequest } from './query-request.ts'
import { namesOf } from './tabular-answer.ts'

export function legacyAnswer(
  request: QueryRequest,
  plan: Plan,
  executed: Executed,
  status: QueryStatus,
): JsonPieces<LegacyAnswer> {
  const ofRows = plan.kind === 'rows'
  return objectOf<LegacyAnswer>({
    format: toJson('legacy'),
    status: toJson(status),
    matches: ofRows ? matchesOf(plan, executed.rows) : toJson([]),
    buckets: ofRows ? toJson({ series: [], totals: [] }) : bucketsOf(plan, executed),
    request: requestOf(request),
    ...namesOf(plan),
  })
}

function requestOf({ members, range }: QueryRequest): JsonText<object> {
  return asJson(stringifyExact({ ...members, startTime: formatTimestamp(range.startNs), endTime: formatTimestamp(range.endNs) }))
}
