/**
 * Whose token it is: what clients ask to find out whether their credentials work.
 */
import type { Static } from 'typebox'
import type { OwnPermissionsSchema, UserSchema } from './schemas/user.ts'

/** The token's owner: the token itself, as there are no accounts. */
export type User = Static<typeof UserSchema>

/** What the token that asks may do. */
export type OwnPermissions = Static<typeof OwnPermissionsSchema>

export const USER_PATH = '/v2/user'
export const OWN_PERMISSIONS_PATH = `${USER_PATH}/permissions`
