/**
 * The shapes of tokens as schemas. A token is made in one of two forms: with `permissions`, which are for all datasets, or as the
 * hosted service does it, with capabilities. It is shown in both to whoever asks for it (rules/own-members.ts).
 */

import { TOKEN_DESCRIPTION_POINTS_MAX, TOKEN_ID_PATTERN, TOKEN_KINDS, TOKEN_NAME_POINTS_MAX } from '../rules/token.ts'
import { DatasetCapabilities, OrgCapabilities, SentDatasetCapabilities, SentOrgCapabilities } from './capability.ts'
import { DOCUMENTED, IdParams, NO_OTHERS, OneOf, orNull, Permission, PLAIN_TEXT, Time } from './parts.ts'
import Type from './type.ts'

const Permissions = Type.Array(Permission, {
  description: 'What it may do with every dataset; a personal token has every permission.',
})

const MEMBERS = {
  id: Type.String({ description: 'Names the token in the log; it grants no access.' }),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  kind: Type.Optional(OneOf(TOKEN_KINDS)),
  permissions: Type.Optional(Permissions),
  datasetCapabilities: DatasetCapabilities,
  orgCapabilities: OrgCapabilities,
  expiresAt: Type.Optional(Time('From then on it is refused; absent: never.')),
  createdAt: Type.Optional(Time('For the token given at start: when the service started.')),
} as const

export const TokenSchema = Type.Object(MEMBERS, { $id: 'Token', title: 'Token', additionalProperties: false })

export const MadeTokenSchema = Type.Object(
  { ...MEMBERS, token: Type.String({ description: 'What follows `Bearer` in the Authorization header.' }) },
  { title: 'MadeToken', additionalProperties: false },
)

const COMMON = {
  name: Type.String({
    minLength: 1,
    maxLength: TOKEN_NAME_POINTS_MAX,
    description: 'Its name in the log and in lists; without control characters.',
    [DOCUMENTED]: { pattern: PLAIN_TEXT },
  }),
  description: Type.Optional(
    orNull(
      Type.String({
        maxLength: TOKEN_DESCRIPTION_POINTS_MAX,
        description: 'For people to read; without control characters.',
        [DOCUMENTED]: { pattern: PLAIN_TEXT },
      }),
    ),
  ),
  expiresAt: Type.Optional(
    orNull(Type.String({ format: 'date-time', description: 'From then on it is refused; never by default.' })),
  ),
} as const
const Granted = Type.Array(Permission, { minItems: 1, description: 'What an API token may do, with every dataset.' })
const ApiKind = Type.Optional(orNull(OneOf(['api'], { description: '`api` by default.' })))
const CAPABILITIES = {
  datasetCapabilities: Type.Optional(orNull(SentDatasetCapabilities)),
  orgCapabilities: Type.Optional(orNull(SentOrgCapabilities)),
  /** There are no views. */
  viewCapabilities: Type.Optional(orNull(Type.Object({}, NO_OTHERS))),
} as const

export const NewTokenSchema = Type.Union([
  Type.Object({ ...COMMON, kind: ApiKind, permissions: Granted }, { title: 'NewApiToken', ...NO_OTHERS }),
  Type.Object(
    { ...COMMON, kind: ApiKind, ...CAPABILITIES },
    {
      title: 'NewTokenWithCapabilities',
      additionalProperties: false,
      [DOCUMENTED]: {
        ...NO_OTHERS[DOCUMENTED],
        anyOf: [{ required: ['datasetCapabilities'] }, { required: ['orgCapabilities'] }],
      },
    },
  ),
  Type.Object({ ...COMMON, kind: OneOf(['personal']) }, { title: 'NewPersonalToken', ...NO_OTHERS }),
])

/** What is checked of any form before its own rules are: a validator would say of every form what one of them lacks. */
export const NewTokenMembersSchema = Type.Object(
  { ...COMMON, kind: Type.Optional(orNull(OneOf(TOKEN_KINDS))), permissions: Type.Optional(orNull(Granted)), ...CAPABILITIES },
  { additionalProperties: false, [DOCUMENTED]: { title: 'NewToken', ...NO_OTHERS[DOCUMENTED], ...NewTokenSchema } },
)

export const RegenerationSchema = Type.Object(
  {
    existingTokenExpiresAt: Type.String({
      format: 'date-time',
      description: 'When the token that is there expires; not later than it would have. A time that is past: at once.',
    }),
    newTokenExpiresAt: COMMON.expiresAt,
    newToken: Type.Optional(orNull(NewTokenMembersSchema)),
  },
  { title: 'TokenRegeneration', ...NO_OTHERS },
)

export const TokenParams = IdParams(TOKEN_ID_PATTERN, 'As listed.')
