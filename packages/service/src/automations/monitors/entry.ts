/**
 * A monitor as the log shows it. Deliberately not here: its query, which is never logged.
 */

import type { StoredMonitor } from '@deployment-annotations/records/monitor-records'
import type { LogLine } from '@deployment-annotations/runtime/log'

export function entryOf({ id, definition, state }: StoredMonitor, more: Readonly<Record<string, unknown>> = {}): LogLine {
  const { status, lastValue } = state
  return {
    event: 'monitor',
    monitorId: id,
    name: definition.name,
    status,
    ...(lastValue !== undefined && { value: lastValue }),
    ...more,
  }
}

/** @param annotationId of the span that should have ended */
export function entryOfDeletedSpan({ id, definition }: StoredMonitor, annotationId: string): LogLine {
  const message = `${annotationId} was deleted, so its span is not closed`
  return { event: 'monitor', monitorId: id, name: definition.name, message }
}
