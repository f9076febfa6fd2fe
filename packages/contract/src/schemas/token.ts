/**
 * The shapes of tokens, of their capabilities and of their owner as schemas and types. A token is made in one of two forms: with
 * `permissions`, which are for all datasets, or as the hosted service does it, with capabilities. Both forms are shown to requests that
 * ask for all members (header.ts).
 */
import type { Static } from 'typebox'
import { DATASET_NAME_PATTERN } from '../dataset-name.ts'
import type { OWN_TOKEN_MEMBERS } from '../header.ts'
import { ALL_DATASETS, type Capability, DATASET_CAPABILITIES, ORG_CAPABILITIES, PERMISSIONS } from '../permission.ts'
import {
  TOKEN_DATASETS_MAX,
  TOKEN_DESCRIPTION_POINTS_MAX,
  TOKEN_ID_PATTERN,
  TOKEN_KINDS,
  TOKEN_NAME_POINTS_MAX,
} from '../token.ts'
import {
  closed,
  DOCUMENTED,
  has,
  IdParams,
  NO_OTHERS,
  ONLY_NULL,
  OneOf,
  orNull,
  PLAIN_TEXT,
  requestBody,
  sent,
  Time,
  titled,
  when,
} from './parts.ts'
import Type from './type.ts'

/** @param isSent whether it is of a request: published clients send null for no actions, and no answer has it */
function capabilityOf(actions: Readonly<Record<string, readonly string[]>>, isSent: boolean) {
  const members = Object.entries(actions).map(([resource, names]) => {
    const list = Type.Array(Type.Enum([...names], { type: 'string' }))
    return [resource, Type.Optional(isSent ? orNull(list) : list)]
  })
  return Type.Unsafe<Capability>(Type.Object(Object.fromEntries(members), isSent ? NO_OTHERS : { additionalProperties: false }))
}

const NAMES = `^\\${ALL_DATASETS}$|${DATASET_NAME_PATTERN.source}`

function byDataset(isSent: boolean) {
  return Type.Unsafe<Readonly<Record<string, Capability>>>({
    type: 'object',
    description: `What it may do with each dataset; \`${ALL_DATASETS}\` stands for all. One that names datasets reaches no others.`,
    maxProperties: TOKEN_DATASETS_MAX,
    patternProperties: { [NAMES]: capabilityOf(DATASET_CAPABILITIES, isSent) },
    additionalProperties: false,
    [DOCUMENTED]: { propertyNames: { pattern: NAMES } },
  })
}

const DatasetCapabilities = byDataset(false)
const OrgCapabilities = capabilityOf(ORG_CAPABILITIES, false)

const AnyPermission = OneOf(PERMISSIONS)
const Permissions = Type.Array(AnyPermission, {
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

export const TokenSchema = closed(MEMBERS, { $id: 'Token', title: 'Token' })

export const MadeTokenSchema = titled('MadeToken', {
  ...MEMBERS,
  token: Type.String({ description: 'What follows `Bearer` in the Authorization header.' }),
})

const COMMON = {
  name: Type.String({
    minLength: 1,
    maxLength: TOKEN_NAME_POINTS_MAX,
    description: 'Its name in the log and in lists; without control characters.',
    [DOCUMENTED]: { pattern: PLAIN_TEXT },
  }),
  ...sent({
    description: Type.String({
      maxLength: TOKEN_DESCRIPTION_POINTS_MAX,
      description: 'For people to read; without control characters.',
      [DOCUMENTED]: { pattern: PLAIN_TEXT },
    }),
    expiresAt: Type.String({ format: 'date-time', description: 'From then on it is refused; never by default.' }),
  }),
} as const
const Granted = Type.Array(AnyPermission, { minItems: 1, description: 'What an API token may do, with every dataset.' })
/** There are no views. */
const NO_VIEWS = Type.Object({}, NO_OTHERS)

const none = (...members: string[]) => ({ properties: Object.fromEntries(members.map((name) => [name, ONLY_NULL])) })

/** A token is personal, or may do something with all datasets, or has capabilities. */
const GRANTS = when(
  has({ kind: { enum: ['personal'] } }),
  none('permissions', 'datasetCapabilities', 'orgCapabilities'),
  when(
    has({ permissions: { type: 'array' } }),
    none('datasetCapabilities', 'orgCapabilities'),
    when(has({ datasetCapabilities: { type: 'object' } }), {}, has({ orgCapabilities: { type: 'object' } })),
  ),
)

export const NewTokenSchema = Type.Object(
  {
    ...COMMON,
    ...sent({
      kind: OneOf(TOKEN_KINDS),
      permissions: Granted,
      datasetCapabilities: byDataset(true),
      orgCapabilities: capabilityOf(ORG_CAPABILITIES, true),
      viewCapabilities: NO_VIEWS,
    }),
  },
  { title: 'TokenCreate', additionalProperties: false, [DOCUMENTED]: { ...NO_OTHERS[DOCUMENTED], ...GRANTS } },
)

export const RegenerationSchema = requestBody('TokenRegeneration', {
  existingTokenExpiresAt: Type.String({
    format: 'date-time',
    description: 'When the token that is there expires; not later than it would have. A time that is past: at once.',
  }),
  newTokenExpiresAt: COMMON.expiresAt,
  ...sent({ newToken: NewTokenSchema }),
})

export const TokenParams = IdParams(TOKEN_ID_PATTERN, 'As listed.')

export const UserSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.Object({ id: OneOf(TOKEN_KINDS), name: Type.String() }),
})

/** Apart from the user, because published clients refuse a user with more members than they know. */
export const OwnPermissionsSchema = Type.Object({
  permissions: Type.Array(AnyPermission, { description: 'What it may do, with one dataset at least.' }),
  datasetCapabilities: DatasetCapabilities,
  orgCapabilities: OrgCapabilities,
})

/** With the members that are answered where a request asks for them. */
type Whole<T extends { [M in (typeof OWN_TOKEN_MEMBERS)[number]]?: unknown }> = T &
  Required<Pick<T, (typeof OWN_TOKEN_MEMBERS)[number]>>

/** A token as it is listed, without its secret. */
export type Token = Whole<Static<typeof TokenSchema>>

/** The one answer with the secret. */
export type MadeToken = Whole<Static<typeof MadeTokenSchema>>

/** As {@link NewToken}, before the rules of each form are checked. */
export type NewTokenMembers = Static<typeof NewTokenSchema>

type Named = Pick<NewTokenMembers, 'name' | 'description' | 'expiresAt'>
type Given<K extends keyof NewTokenMembers> = { [M in K]-?: Exclude<NewTokenMembers[M], null | undefined> }
type Capabilities = Pick<NewTokenMembers, 'datasetCapabilities' | 'orgCapabilities' | 'viewCapabilities'>

/** An API token comes with what it may do; a personal one may do everything. */
export type NewToken = Named &
  (
    | { kind: 'personal' }
    | ({ kind?: 'api' } & (
        | Given<'permissions'>
        | (Capabilities & Given<'datasetCapabilities'>)
        | (Capabilities & Given<'orgCapabilities'>)
      ))
  )

/** The request that makes a new secret for a token and ends the old one. */
export type TokenRegeneration = Static<typeof RegenerationSchema>

/** The token's owner: the token itself, as there are no accounts. */
export type User = Static<typeof UserSchema>

/** What the token of the request may do. */
export type OwnPermissions = Static<typeof OwnPermissionsSchema>
