/**
 * The shapes of tokens as schemas.
 */

import { TOKEN_ID_PATTERN, TOKEN_KINDS, TOKEN_NAME_POINTS_MAX } from '../rules/token.ts'
import { DOCUMENTED, IdParams, OneOf, Permission, Time } from './parts.ts'
import Type from './type.ts'

export const Permissions = Type.Array(Permission, { description: 'What it may do; a personal token has every permission.' })

const MEMBERS = {
  id: Type.String({ description: 'Names the token in the log; it grants no access.' }),
  name: Type.String(),
  kind: OneOf(TOKEN_KINDS),
  permissions: Permissions,
  createdAt: Time('For the token given at start: when the service started.'),
} as const

export const TokenSchema = Type.Object(MEMBERS, { $id: 'Token', title: 'Token', additionalProperties: false })

export const MadeTokenSchema = Type.Object(
  { ...MEMBERS, token: Type.String({ description: 'What follows `Bearer` in the Authorization header.' }) },
  { title: 'MadeToken', additionalProperties: false },
)

const Name = Type.String({
  minLength: 1,
  maxLength: TOKEN_NAME_POINTS_MAX,
  description: 'Its name in the log and in lists; without control characters.',
  [DOCUMENTED]: { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
})
const Granted = Type.Array(Permission, { minItems: 1, description: 'What an API token may do.' })

export const NewTokenSchema = Type.Union([
  Type.Object(
    { name: Name, kind: Type.Optional(OneOf(['api'], { description: '`api` by default.' })), permissions: Granted },
    { title: 'NewApiToken', [DOCUMENTED]: { additionalProperties: false } },
  ),
  Type.Object(
    { name: Name, kind: OneOf(['personal']) },
    { title: 'NewPersonalToken', [DOCUMENTED]: { additionalProperties: false, not: { required: ['permissions'] } } },
  ),
])

/** What is checked of either kind before its own rules are: a validator would say of both kinds what one of them lacks. */
export const NewTokenMembersSchema = Type.Object({
  name: Name,
  kind: Type.Optional(OneOf(TOKEN_KINDS)),
  permissions: Type.Optional(Granted),
})

export const TokenParams = IdParams(TOKEN_ID_PATTERN, 'As listed.')
