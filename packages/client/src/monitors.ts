/**
 * Monitors: queries that run at an interval on the service and mark charts while their value is beyond a threshold.
 */
import { MONITORS_PATH, monitorHistoryPath, monitorPath } from '@deployment-annotations/contract/monitor'
import type { Alert, Monitor, MonitorChange, NewMonitor } from '@deployment-annotations/contract/schemas/monitor'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { pathWith } from './request.ts'
import { createAsk, createResourceClient, listWith, type ResourceClient } from './resources.ts'

/**
 * A new monitor first runs at once, and the list has the oldest first. A delete ends the span of the monitor if one is open; its
 * annotations stay.
 */
export interface MonitorsClient extends ResourceClient<Monitor, NewMonitor, MonitorChange> {
  /** When it triggered and recovered in a time: RFC 3339, both ends included, the oldest first. */
  history(id: string, range: { startTime: string; endTime: string }, options?: CallOptions): Promise<Alert[]>
}

export function createMonitorsClient(connection: Connection): MonitorsClient {
  const ask = createAsk(connection)
  return {
    ...createResourceClient(connection, MONITORS_PATH, monitorPath),
    history: (id, range, options) =>
      ask('GET', pathWith(monitorHistoryPath(id), range), { read: listWith<Alert>('checkId'), options }),
  }
}
