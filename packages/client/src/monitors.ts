/**
 * Monitors: queries that run at an interval on the service and mark charts while their value is beyond a threshold.
 */
import {
  MONITORS_PATH,
  type Monitor,
  type MonitorChange,
  monitorPath,
  type NewMonitor,
} from '@deployment-annotations/contract/monitor'
import { type CallOptions, runCall } from './calls.ts'
import type { Connection } from './connection.ts'
import { parseJson, parseNothing, type Reply, unexpected } from './reply.ts'
import type { ApiRequest } from './request.ts'

export interface MonitorsClient {
  /**
   * It first runs at once. A create whose answer is lost is not sent again, because that could make a second monitor: the
   * error's `mayHaveTakenEffect` is then true, and the list shows whether there is one.
   */
  create(monitor: NewMonitor, options?: CallOptions): Promise<Monitor>
  /** The oldest first. */
  list(options?: CallOptions): Promise<Monitor[]>
  get(id: string, options?: CallOptions): Promise<Monitor>
  /** Members that are not sent keep their values. */
  change(id: string, change: MonitorChange, options?: CallOptions): Promise<Monitor>
  /** Ends its span if one is open; its annotations stay. */
  delete(id: string, options?: CallOptions): Promise<void>
}

export function createMonitorsClient(connection: Connection): MonitorsClient {
  const run = <T>(request: ApiRequest, read: (reply: Reply) => T, options: CallOptions = {}) =>
    runCall(connection, { request, read }, options)
  return {
    create(monitor, options = {}) {
      const request: ApiRequest = { method: 'POST', path: MONITORS_PATH, body: JSON.stringify(monitor) }
      return runCall(connection, { request, read: parseMonitor, recover: async () => 'give-up' }, options)
    },
    list: (options) => run({ method: 'GET', path: MONITORS_PATH }, parseMonitors, options),
    get: (id, options) => run({ method: 'GET', path: monitorPath(id) }, parseMonitor, options),
    change: (id, change, options) =>
      run({ method: 'PUT', path: monitorPath(id), body: JSON.stringify(change) }, parseMonitor, options),
    delete: (id, options) => run({ method: 'DELETE', path: monitorPath(id) }, parseNothing, options),
  }
}

function parseMonitor(reply: Reply): Monitor {
  const body = parseJson(reply)
  if (!isMonitor(body)) throw unexpected(reply, 'a monitor with an id')
  return body
}

function parseMonitors(reply: Reply): Monitor[] {
  const body = parseJson(reply)
  if (!Array.isArray(body) || !body.every(isMonitor)) throw unexpected(reply, 'a list of monitors with ids')
  return body
}

function isMonitor(value: unknown): value is Monitor {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
}
