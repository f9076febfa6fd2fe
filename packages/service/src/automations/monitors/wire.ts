/**
 * Monitors as they are answered: definition and state side by side, times as text.
 */
import { MONITOR_TYPE, type Monitor, type MonitorState } from '@deployment-annotations/contract/monitor'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'
import type { StoredMonitor, StoredMonitorState } from '../../records/monitor-records.ts'

const timeOf = (ms: number) => formatTimestamp(BigInt(ms) * 1_000_000n)

export function toWire({ id, createdAtMs, createdBy, definition, state }: StoredMonitor): Monitor {
  const { reach: _, ...shown } = definition
  return { id, type: MONITOR_TYPE, ...shown, createdAt: timeOf(createdAtMs), createdBy, state: showState(state) }
}

function showState({ status, sinceMs, lastRunMs, nextRunMs, lastValue, error, annotationId }: StoredMonitorState): MonitorState {
  return {
    status,
    since: timeOf(sinceMs),
    ...(lastRunMs !== undefined && { lastRun: timeOf(lastRunMs) }),
    ...(status !== 'disabled' && { nextRun: timeOf(nextRunMs) }),
    ...(lastValue !== undefined && { lastValue }),
    ...(error !== undefined && { error }),
    ...(annotationId !== undefined && { annotationId }),
  }
}
