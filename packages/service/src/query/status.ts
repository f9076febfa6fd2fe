/**
 * `status` of an answer: statistics of the query, each of them measured, the cursors of its page, and its messages.
 */
import type { Plan } from '@deployment-annotations/apl/sql/plan'
import { formatRowId } from '@deployment-annotations/apl/sql/row-id'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import type { QueryMessage, QueryStatus } from '@deployment-annotations/contract/query'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import { quoted } from '@deployment-annotations/runtime/errors'
import type { ExecutedQuery } from './execute.ts'
import type { QueryRequest } from './query-request.ts'
import type { Rows } from './rows.ts'

interface Course {
  /** Since the request arrived. */
  elapsedMs: number
  /** Why events may be missing, where they may. */
  missing: string | undefined
  /** Whether messages have what to write instead. */
  wantsAll: boolean
  /** Fields that are worth a column or an index. */
  unindexed: readonly NonNullable<QueryMessage['unindexed']>[]
}

export function statusOf(request: QueryRequest, plan: Plan, executed: ExecutedQuery, course: Course): QueryStatus {
  const { elapsedMs, missing } = course
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
    messages: messagesOf(plan, range.warning, course),
  }
}

/**
 * The oldest and the newest row of the page, whatever its order: paging down continues from the one, paging up from the other.
 * An empty page repeats the cursor that was sent, so that a caller that compares the two stops.
 */
function cursorsOf({ oldest, newest }: Rows, sent: string): { minCursor: string; maxCursor: string } {
  return { minCursor: oldest ? formatRowId(oldest) : sent, maxCursor: newest ? formatRowId(newest) : sent }
}

function messagesOf(plan: Plan, warning: string | undefined, course: Course): QueryMessage[] {
  const { elapsedMs, missing, wantsAll, unindexed } = course
  const messageOf = (code: string, msg: string, own: Pick<Partial<QueryMessage>, 'suggestion' | 'unindexed'> = {}) => {
    return { priority: 'warn', count: 1, code, msg, ...(wantsAll && own) }
  }
  const all = plan.messages.map(({ code, text, ...own }) => messageOf(code, text, own))
  if (warning !== undefined && !plan.boundsTime())
    all.push(messageOf('missing_time_range', warning, dropUndefined({ suggestion: wantsAll ? plan.bounded?.() : undefined })))
  if (missing !== undefined) all.push(messageOf('missing_events', missing))
  for (const one of unindexed) {
    const took = `the query took ${(elapsedMs / 1_000).toFixed(1)} s`
    const text = `${took}; it may be quicker once ${quoted(one.field)} is one of the indexedFields of the dataset ${quoted(one.dataset)}`
    all.push(messageOf('unindexed_field', text, { unindexed: one }))
  }
  return all
}
