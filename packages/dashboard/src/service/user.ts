/** Who a token belongs to, as the page asks. */
import { USER_PATH, type User } from '@deployment-annotations/contract/user'
import { request } from './request.ts'

/** @param secret of somebody who is about to sign in; by default of who is */
export function readUser(secret?: string): Promise<User> {
  return request<User>(USER_PATH, secret === undefined ? {} : { secret })
}
