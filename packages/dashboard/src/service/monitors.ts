/** Requests to the monitor endpoints. */
import { MONITORS_PATH, monitorPath } from '@deployment-annotations/contract/monitor'
import type { Alert, Monitor, MonitorChange, NewMonitor } from '@deployment-annotations/contract/schemas/monitor'
import { createRequests, request } from './request.ts'

export const monitorRequests = createRequests<Monitor, NewMonitor, MonitorChange>(MONITORS_PATH, monitorPath)

/** @returns when it triggered and recovered, the oldest first */
export function readHistory(id: string, span: { startTime: string; endTime: string }, signal: AbortSignal): Promise<Alert[]> {
  return request<Alert[]>(`${monitorPath(id)}/history`, { query: span, signal })
}
