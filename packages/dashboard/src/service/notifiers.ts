/** Requests to the endpoints of notifiers. */
import { NOTIFIER_CALLS, type NOTIFIERS } from '@deployment-annotations/contract/notifier'
import { createCalls, type RequestsOf } from './request.ts'

export const notifierRequests = createCalls<RequestsOf<typeof NOTIFIER_CALLS, typeof NOTIFIERS>>(NOTIFIER_CALLS)
