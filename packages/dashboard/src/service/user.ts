/** Requests the owner of a token and its permissions. */
import { USER_CALLS, type USER_OPERATIONS } from '@deployment-annotations/contract/user'
import { createCalls, type RequestsOf } from './request.ts'
import type { User } from './session.ts'

const userRequests = createCalls<RequestsOf<typeof USER_CALLS, typeof USER_OPERATIONS>>(USER_CALLS)

/** @param secret the token, before it is signed in with; by default the one that is signed in */
export async function readUser(secret?: string): Promise<User> {
  const options = secret === undefined ? {} : { secret }
  const user = await userRequests.get(options)
  return { ...user, ...(await userRequests.permissions(options)) }
}
