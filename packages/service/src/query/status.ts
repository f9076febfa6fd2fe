/**
 * `status` of an answer: statistics of the query, each of them measured, the cursors of its page, and its messages.
 */
import type { Plan } from '@deployment-annotations/apl/plan'
import { formatRowId } from '@deployment-annotations/apl/row-id'
import type { QueryMessage, QueryStatus } from '@deployment-annotations/contract/schemas/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { ExecutedQuery } from './execute.ts'
import type { QueryRequest } from './query-request.ts'
import type { Rows } from './rows.ts'

interface Course {
  /** Since the request arrived. */
  elapsedMs: number
  /** Why events may be missing, where they may. */
  missing: string | undefined
}

export function statusOf(
  request: QueryRequest,
  plan: Plan,
  executed: ExecutedQuery,
  { elapsedMs, missing }: Course,
): QueryStatus {
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
    isPartial: missing !== undefined,
    cacheStatus: 0,
    minBlockTime: formatTimestamp(range.startNs),
    maxBlockTime: formatTimestamp(range.endNs),
    messages: messagesOf(plan, { missing_time_range: range.warning, missing_events: missing }),
  }
}

/**
 * The oldest and the newest row of the page, whatever its order: paging down continues from the one, paging up from the other.
 * An empty page repeats the cursor that was sent, so that a caller that compares the two stops.
 */
function cursorsOf({ oldest, newest }: Rows, sent: string): { minCursor: string; maxCursor: string } {
  return { minCursor: oldest ? formatRowId(oldest) : sent, maxCursor: newest ? formatRowId(newest) : sent }
}

function messagesOf(plan: Plan, warnings: Readonly<Record<string, string | undefined>>): QueryMessage[] {
  const all = plan.messages.map(({ code, text }) => ({ code, text }) as { code: string; text: string })
  for (const [code, text] of Object.entries(warnings)) if (text !== undefined) all.push({ code, text })
  return all.map(({ code, text }) => ({ priority: 'warn', count: 1, code, msg: text }))
}
