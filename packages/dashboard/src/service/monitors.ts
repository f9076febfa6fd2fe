/** Requests to the monitor endpoints. */
import { MONITOR_CALLS, type MONITORS } from '@deployment-annotations/contract/monitor'
import { createCalls, type RequestsOf } from './request.ts'

export const monitorRequests = createCalls<RequestsOf<typeof MONITOR_CALLS, typeof MONITORS>>(MONITOR_CALLS)
