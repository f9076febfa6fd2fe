/**
 * Monitors as they are answered: definition and state side by side, times as text.
 */
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import type { Alert, Monitor, MonitorState } from '@deployment-annotations/contract/monitor'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import type { StoredAlert } from '@deployment-annotations/records/automations/alert-records'
import type {
  MonitorDefinition,
  StoredMonitor,
  StoredMonitorState,
} from '@deployment-annotations/records/automations/monitor-records'

export function toWire({ id, createdAtMs, createdBy, definition, state }: StoredMonitor): Monitor {
  const { reach: _, knowsDecimals: __, disabledUntilMs, ...shown } = definition
  return {
    id,
    ...shown,
    ...(disabledUntilMs !== undefined && { disabledUntil: formatMillis(disabledUntilMs) }),
    notifierIds: definition.notifierIds ?? [],
    createdAt: formatMillis(createdAtMs),
    createdBy,
    state: showState(state, definition),
  }
}

export function toWireAlert({ atMs, ...alert }: StoredAlert): Alert {
  return { ...alert, timestamp: formatMillis(atMs) }
}

function showState(state: StoredMonitorState, { disabled }: MonitorDefinition): MonitorState {
  const { status, sinceMs, lastRunMs, nextRunMs, lastValue, error, annotationId, messages, groups = {} } = state
  const open = Object.entries(groups).flatMap(([group, track]) =>
    track.annotationId === undefined ? [] : [{ group, annotationId: track.annotationId }],
  )
  return dropUndefined({
    status,
    since: formatMillis(sinceMs),
    lastRun: lastRunMs === undefined ? undefined : formatMillis(lastRunMs),
    nextRun: disabled ? undefined : formatMillis(nextRunMs),
    ...{ lastValue, error, annotationId, messages: messages && [...messages] },
    groups: open.length > 0 ? open : undefined,
  })
}
