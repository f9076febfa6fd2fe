/** Who a token belongs to, as the page asks. */
import { request } from './request.ts'
import type { User } from './session.ts'

/** @param secret the token to ask about, before it is signed in with; by default the one that is signed in */
export function readUser(secret?: string): Promise<User> {
  return request<User>('/v2/user', secret === undefined ? {} : { secret })
}
