/** Requests the owner of a token and its permissions. */
import { USER_CALLS, type USER_OPERATIONS } from '@deployment-annotations/contract/user'
import { createCalls, type RequestsOf } from './request.ts'
import type { User } from './session.ts'

const userRequests = createCalls<RequestsOf<typeof USER_CALLS, typeof USER_OPERATIONS>>(USER_CALLS)

/** @param options the token, before it is signed in with; by default the one that is signed in */
export async function readUser(options: { secret?: string } = {}): Promise<User> {
  const [user, permissions] = await Promise.all([userRequests.get(options), userRequests.permissions(options)])
  return { ...user, ...permissions }
}
