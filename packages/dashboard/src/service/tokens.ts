/** Requests to the token endpoints, which answer personal tokens only. The operator's token is listed first, if there is one. */
import { type MadeToken, TOKEN_CALLS, type TOKENS, type Token } from '@deployment-annotations/contract/token'
import { createCalls, type RequestsOf } from './request.ts'

export type { MadeToken, Token }

export const tokenRequests = createCalls<RequestsOf<typeof TOKEN_CALLS, typeof TOKENS>>(TOKEN_CALLS)
