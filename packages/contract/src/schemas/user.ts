/**
 * The owner of a token as a schema.
 */

import { TOKEN_KINDS } from '../rules/token.ts'
import { OneOf } from './parts.ts'
import { Permissions } from './token.ts'
import Type from './type.ts'

export const UserSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.Object({ id: OneOf(TOKEN_KINDS), name: Type.String() }),
  emails: Type.Array(Type.String()),
  permissions: Permissions,
})
