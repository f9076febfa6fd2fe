/**
 * The owner of a token, and what the token may do, as schemas.
 */

import { TOKEN_KINDS } from '../rules/token.ts'
import { DatasetCapabilities, OrgCapabilities } from './capability.ts'
import { OneOf, Permission } from './parts.ts'
import Type from './type.ts'

export const UserSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.Object({ id: OneOf(TOKEN_KINDS), name: Type.String() }),
})

/** Apart from the user, because published clients refuse a user with more members than they know. */
export const OwnPermissionsSchema = Type.Object({
  permissions: Type.Array(Permission, { description: 'What it may do, with one dataset at least.' }),
  datasetCapabilities: DatasetCapabilities,
  orgCapabilities: OrgCapabilities,
})
