/** Requests to the token endpoints, which answer personal tokens only. The operator's token is listed first, if there is one. */
import type { MadeToken, NewToken, Token, TokenRegeneration } from '@deployment-annotations/contract/schemas/token'
import { TOKENS_PATH, tokenPath } from '@deployment-annotations/contract/token'
import { createRequests, request } from './request.ts'

export type { MadeToken, Token }

export const tokenRequests = createRequests<Token, NewToken, never, MadeToken>(TOKENS_PATH, tokenPath)

/** @returns a new token that replaces this one, which expires at the given time */
export function regenerateToken(id: string, how: TokenRegeneration): Promise<MadeToken> {
  return request<MadeToken>(`${tokenPath(id)}/regenerate`, { method: 'POST', body: how })
}
