/** Requests to the monitor endpoints. */
import { MONITORS_PATH, monitorPath } from '@deployment-annotations/contract/monitor'
import type { Alert, Monitor, MonitorChange, NewMonitor } from '@deployment-annotations/contract/schemas/monitor'
import { request } from './request.ts'

/** @returns all monitors, the oldest first */
export function listMonitors(signal: AbortSignal): Promise<Monitor[]> {
  return request<Monitor[]>(MONITORS_PATH, { signal })
}

export function createMonitor(monitor: NewMonitor): Promise<Monitor> {
  return request<Monitor>(MONITORS_PATH, { method: 'POST', body: monitor })
}

export function changeMonitor(id: string, change: MonitorChange): Promise<Monitor> {
  return request<Monitor>(monitorPath(id), { method: 'PUT', body: change })
}

export function deleteMonitor(id: string): Promise<void> {
  return request<void>(monitorPath(id), { method: 'DELETE' })
}

/** @returns when it triggered and recovered, the oldest first */
export function readHistory(id: string, span: { startTime: string; endTime: string }, signal: AbortSignal): Promise<Alert[]> {
  return request<Alert[]>(`${monitorPath(id)}/history`, { query: span, signal })
}
