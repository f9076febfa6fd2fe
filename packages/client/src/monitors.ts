/**
 * Monitors: queries that run at an interval on the service and mark charts while their value is beyond a threshold.
 */
import { MONITORS_PATH, monitorHistoryPath, monitorPath } from '@deployment-annotations/contract/monitor'
import type { Alert, Monitor, MonitorChange, NewMonitor } from '@deployment-annotations/contract/schemas/monitor'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseNothing } from './reply.ts'
import { createAsk, listWith, oneWith } from './resources.ts'

export interface MonitorsClient {
  /**
   * It first runs at once. A create whose answer is lost is not sent again, because that could make a second monitor: the
   * error's `mayHaveTakenEffect` is then true, and the list shows whether there is one.
   */
  create(monitor: NewMonitor, options?: CallOptions): Promise<Monitor>
  /** The oldest first. */
  list(options?: CallOptions): Promise<Monitor[]>
  get(id: string, options?: CallOptions): Promise<Monitor>
  /** When it triggered and recovered in a time: RFC 3339, both ends included, the oldest first. */
  history(id: string, range: { startTime: string; endTime: string }, options?: CallOptions): Promise<Alert[]>
  /** Members that are not sent keep their values. */
  change(id: string, change: MonitorChange, options?: CallOptions): Promise<Monitor>
  /** Ends its span if one is open; its annotations stay. */
  delete(id: string, options?: CallOptions): Promise<void>
}

const parseMonitor = oneWith<Monitor>('id')

export function createMonitorsClient(connection: Connection): MonitorsClient {
  const ask = createAsk(connection)
  return {
    create: (body, options) => ask('POST', MONITORS_PATH, { body, read: parseMonitor, options, isSentOnce: true }),
    list: (options) => ask('GET', MONITORS_PATH, { read: listWith<Monitor>('id'), options }),
    get: (id, options) => ask('GET', monitorPath(id), { read: parseMonitor, options }),
    history(id, { startTime, endTime }, options) {
      const path = `${monitorHistoryPath(id)}?${new URLSearchParams({ startTime, endTime })}`
      return ask('GET', path, { read: listWith<Alert>('checkId'), options })
    },
    change: (id, body, options) => ask('PUT', monitorPath(id), { body, read: parseMonitor, options }),
    delete: (id, options) => ask('DELETE', monitorPath(id), { read: parseNothing, options }),
  }
}
