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
import { type CallOptions, runCall, type Settings } from './calls.ts'
import type { ClientError } from './errors.ts'
import { parseJson, parseNothing, unexpected } from './reply.ts'
import type { Call, Reply } from './request.ts'

export interface MonitorsClient {
  /**
   * Its first run is at once. A create whose answer is lost is not sent again, because that could make a second monitor: the
   * error's `mayHaveTakenEffect` is true then, and the list tells.
   */
  create(monitor: NewMonitor, options?: CallOptions): Promise<Monitor>
  /** The oldest first. */
  list(options?: CallOptions): Promise<Monitor[]>
  get(id: string, options?: CallOptions): Promise<Monitor>
  /** Members that are not sent keep their values. */
  change(id: string, change: MonitorChange, options?: CallOptions): Promise<Monitor>
  /** Ends the span that it has open; its annotations stay. */
  delete(id: string, options?: CallOptions): Promise<void>
}

export function createMonitorsClient(settings: Settings): MonitorsClient {
  const run = <T>(method: Call['method'], path: string, read: (reply: Reply) => T, options: CallOptions = {}, body?: object) =>
    runCall(settings, { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }, read, options)
  return {
    create(monitor, options = {}) {
      const call: Call = { method: 'POST', path: MONITORS_PATH, body: JSON.stringify(monitor) }
      const recover = (error: ClientError) => Promise.reject(error)
      return runCall(settings, call, parseMonitor, options, { recover })
    },
    list: (options) => run('GET', MONITORS_PATH, parseMonitors, options),
    get: (id, options) => run('GET', monitorPath(id), parseMonitor, options),
    change: (id, change, options) => run('PUT', monitorPath(id), parseMonitor, options, change),
    delete: (id, options) => run('DELETE', monitorPath(id), parseNothing, options),
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
