/** Who a token belongs to, as the page asks. */
import { USER_PATH, type User } from '@deployment-annotations/contract/user'
import { request } from './request.ts'

/** @param secret the token to ask about, before it is signed in with; by default the one that is signed in */
export function readUser(secret?: string): Promise<User> {
  return request<User>(USER_PATH, secret === undefined ? {} : { secret })
}
