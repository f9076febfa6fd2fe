/** Requests the owner of a token and its permissions. */
import type { User as Owner, OwnPermissions } from '@deployment-annotations/contract/schemas/token'
import { OWN_PERMISSIONS_PATH, USER_PATH } from '@deployment-annotations/contract/token'
import { request } from './request.ts'
import type { User } from './session.ts'

/** @param secret the token, before it is signed in with; by default the one that is signed in */
export async function readUser(secret?: string): Promise<User> {
  const options = secret === undefined ? {} : { secret }
  const user = await request<Owner>(USER_PATH, options)
  return { ...user, ...(await request<OwnPermissions>(OWN_PERMISSIONS_PATH, options)) }
}
