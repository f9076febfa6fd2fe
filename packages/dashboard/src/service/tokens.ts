/** Requests to the token endpoints, which answer personal tokens only. */
import type { MadeToken, NewToken, Token, TokenRegeneration } from '@deployment-annotations/contract/schemas/token'
import { TOKENS_PATH, tokenPath } from '@deployment-annotations/contract/token'
import { request } from './request.ts'

export type { MadeToken, Token }

/** @returns the operator's token first, if there is one, then the oldest first */
export function listTokens(signal: AbortSignal): Promise<Token[]> {
  return request<Token[]>(TOKENS_PATH, { signal })
}

export function createToken(token: NewToken): Promise<MadeToken> {
  return request<MadeToken>(TOKENS_PATH, { method: 'POST', body: token })
}

/** @returns a new token that replaces this one, which expires at the given time */
export function regenerateToken(id: string, how: TokenRegeneration): Promise<MadeToken> {
  return request<MadeToken>(`${tokenPath(id)}/regenerate`, { method: 'POST', body: how })
}

export function revokeToken(id: string): Promise<void> {
  return request<void>(tokenPath(id), { method: 'DELETE' })
}
