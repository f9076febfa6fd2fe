/** Requests to the token endpoints, which answer personal tokens only. The operator's token is listed first, if there is one. */
import { withAllMembers } from '@deployment-annotations/contract/header'
import type { MadeToken, NewToken, Token, TokenRegeneration } from '@deployment-annotations/contract/schemas/token'
import { TOKENS_PATH, tokenPath } from '@deployment-annotations/contract/token'
import { createRequests, request } from './request.ts'

export type { MadeToken, Token }

export const tokenRequests = createRequests<Token, NewToken, never, MadeToken>(withAllMembers(TOKENS_PATH), (id) =>
  withAllMembers(tokenPath(id)),
)

/** @returns a new token that replaces this one, which expires at the given time */
export function regenerateToken(id: string, how: TokenRegeneration): Promise<MadeToken> {
  return request<MadeToken>(withAllMembers(`${tokenPath(id)}/regenerate`), { method: 'POST', body: how })
}
