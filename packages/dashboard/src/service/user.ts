/** Who a token belongs to, as the page asks. */
import type { User } from '../session.ts'
import { request } from './request.ts'

/** @param secret of somebody who is about to sign in; by default of who is */
export function readUser(secret?: string): Promise<User> {
  return request<User>('/v2/user', secret === undefined ? {} : { secret })
}
