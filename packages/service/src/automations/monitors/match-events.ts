/**
 * MatchEvent: each event that the query finds is marked at its time, once, in however many ranges it is. Pure.
 */
import type { MonitorDefinition, StoredMonitorState } from '@deployment-annotations/records/monitor-records'
import { openMark } from './mark-texts.ts'
import type { SpanOperation } from './span-operation.ts'

/** An event that the query found. */
export interface FoundEvent {
  /** Its id as a row, which no other event has. */
  place: string
  atMs: number
  /** As JSON. */
  text: string
}

/** Events that one run marks: the oldest of those that are not marked; more would hide a chart. */
const MARKS_MAX = 10

/** @param events the newest of the range, the newest first */
export function markEvents(
  definition: MonitorDefinition,
  events: readonly FoundEvent[],
  { marked, newId }: { marked: readonly string[]; newId: string },
): Pick<StoredMonitorState, 'marked'> & { operations: SpanOperation[] } {
  const before = new Set(marked)
  const fresh = events
    .filter(({ place }) => !before.has(place))
    .slice(-MARKS_MAX)
    .reverse()
  const operations = fresh.map(({ atMs, text }, at) =>
    openMark(definition, { id: at === 0 ? newId : `${newId}-${at}`, atMs, found: 'An event that matches', code: text }),
  )
  // Those that left the range do not come back.
  const known = [...events.filter(({ place }) => before.has(place)), ...fresh].map(({ place }) => place)
  return { ...(known.length > 0 && { marked: known }), operations }
}
