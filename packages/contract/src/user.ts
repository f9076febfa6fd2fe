/**
 * Whose token it is: what clients ask to find out whether their credentials work.
 */
import type { Static } from 'typebox'
import type { UserSchema } from './schemas/user.ts'

/** The token's owner: the token itself, as there are no accounts. */
export type User = Static<typeof UserSchema>

export const USER_PATH = '/v2/user'
