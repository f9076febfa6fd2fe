/**
 * `status` of an answer: figures about the query, each of them measured.
 */

import type { Plan } from '@deployment-annotations/apl/plan'
import { formatRowId } from '@deployment-annotations/apl/row-id'
import type { QueryMessage, QueryStatus } from '@deployment-annotations/contract/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { Executed } from './execute.ts'
import type { QueryRequest } from './query-request.ts'
import type { Rows } from './rows.ts'

/** @param elapsedMs since the request arrived */
export function statusOf(request: QueryRequest, plan: Plan, executed: Executed, elapsedMs: number): QueryStatus {
  const { range, cursor } = request
  const { rows, groups } = executed
  return {
    elapsedTime: Math.round(elapsedMs * 1_000),
    ...cursorsOf(rows, cursor?.text ?? ''),
    // The engine has no blocks in this sense.
    blocksExamined: 0,
    rowsExamined: executed.rowsExamined,
    ...(executed.rowsMatched !== undefined && { rowsMatched: executed.rowsMatched }),
    numGroups: groups,
    // A query is answered whole or not at all.
    isPartial: false,
    cacheStatus: 0,
    minBlockTime: formatTimestamp(range.startNs),
    maxBlockTime: formatTimestamp(range.endNs),
    messages: messagesOf(plan, range.warning),
  }
}

/**
 * The oldest and the newest row of the page, whatever its order: paging down continues from the one, paging up from the other.
 * An empty page repeats the cursor that was sent, so that a caller that compares the two stops.
 */
function cursorsOf({ oldest, newest }: Rows, sent: string): { minCursor: string; maxCursor: string } {
  return { minCursor: oldest ? formatRowId(oldest) : sent, maxCursor: newest ? formatRowId(newest) : sent }
}

function messagesOf(plan: Plan, warning: string | undefined): QueryMessage[] {
  const all = plan.messages.map(({ code, text }) => ({ code, text }) as { code: string; text: string })
  if (warning !== undefined) all.push({ code: 'missing_time_range', text: warning })
  return all.map(({ code, text }) => ({ priority: 'warn', count: 1, code, msg: text }))
}
