/** Requests to the endpoints of integrations. */
import { INTEGRATION_CALLS, type INTEGRATIONS } from '@deployment-annotations/contract/integration'
import { createCalls, type RequestsOf } from './request.ts'

export const integrationRequests = createCalls<RequestsOf<typeof INTEGRATION_CALLS, typeof INTEGRATIONS>>(INTEGRATION_CALLS)
