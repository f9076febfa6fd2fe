/** The token endpoints, as the page uses them. They answer personal tokens only. */
import { request } from './request.ts'

export interface Token {
  id: string
  name: string
  kind: 'personal' | 'api'
  /** Such as `annotations|create`; of a personal token all there are. */
  permissions: readonly string[]
  /** RFC 3339; of the token given at start, when that was. */
  createdAt: string
}

/** The one answer with the secret. */
export interface MadeToken extends Token {
  token: string
}

export type NewToken = { name: string; kind: 'personal' } | { name: string; permissions: readonly string[] }

const PATH = '/v2/tokens'

/** @returns that of the operator first, if there is one, then the oldest first */
export function listTokens(signal: AbortSignal): Promise<Token[]> {
  return request<Token[]>(PATH, { signal })
}

export function createToken(token: NewToken): Promise<MadeToken> {
  return request<MadeToken>(PATH, { method: 'POST', body: token })
}

export function revokeToken(id: string): Promise<void> {
  return request<void>(`${PATH}/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
