/** Who a token belongs to and what it may do, as the page asks. */
import { OWN_PERMISSIONS_PATH, type User as Owner, type OwnPermissions, USER_PATH } from '@deployment-annotations/contract/user'
import { request } from './request.ts'
import type { User } from './session.ts'

/** @param secret the token to ask about, before it is signed in with; by default the one that is signed in */
export async function readUser(secret?: string): Promise<User> {
  const options = secret === undefined ? {} : { secret }
  const user = await request<Owner>(USER_PATH, options)
  return { ...user, ...(await request<OwnPermissions>(OWN_PERMISSIONS_PATH, options)) }
}
