/**
 * Tokens: what they are made of, and what they can be asked. A token is made in one of two forms: with `permissions`, which are for all
 * datasets, or as the hosted service does it, with capabilities. Both are answered to requests that ask for all members (header.ts). A
 * secret is only ever in one answer, the one that makes its token.
 */
import type { Calls } from './call.ts'
import { ANSWERED_DATASET_NAME, DATASET_NAME_PATTERN } from './dataset-name.ts'
import { OWN_TOKEN_MEMBERS } from './header.ts'
import { operations } from './operation.ts'
import { ALL_DATASETS, type Capability, DATASET_CAPABILITIES, ORG_CAPABILITIES, PERMISSIONS } from './permission.ts'
import {
  closed,
  has,
  type Infer,
  list,
  NULLS,
  ONLY_NULL,
  oneOf,
  optional,
  PLAIN_TEXT,
  requestBody,
  type Schema,
  type Sure,
  schemaOf,
  sent,
  text,
  time,
  titled,
  when,
} from './schema.ts'

export const TOKEN_KINDS = ['api', 'personal'] as const
const TOKEN_ID_PATTERN = /^tok_[A-Za-z0-9_-]{1,64}$/
/** The longest texts, in Unicode code points. */
const TOKEN_NAME_POINTS_MAX = 256
export const TOKEN_DESCRIPTION_POINTS_MAX = 512
/** How many datasets one token can name. */
const TOKEN_DATASETS_MAX = 1_000

export const TOKEN_CALLS = {
  /** Without their secrets. */
  list: { call: 'GET /v2/tokens', list: 'id', include: 'all' },
  get: { call: 'GET /v2/tokens/{id}', one: 'id', include: 'all' },
  /**
   * A create whose answer is lost is not sent again, because the secret of the first would be lost: the error's
   * `mayHaveTakenEffect` is then true, and the list shows whether there is a token to revoke.
   */
  create: { call: 'POST /v2/tokens', takes: 'body', one: 'token', include: 'all', isSentOnce: true },
  /** Makes a token that may do the same and lets this one expire; not sent again where its answer is lost, as a create. */
  regenerate: { call: 'POST /v2/tokens/{id}/regenerate', takes: 'body', one: 'token', include: 'all', isSentOnce: true },
  /** Revokes it: it is refused from the next request on. */
  delete: { call: 'DELETE /v2/tokens/{id}' },
} as const satisfies Calls

/** The actions that can be allowed, by resource. */
const actionsOf = (actions: Capability) =>
  Object.fromEntries(Object.entries(actions).map(([resource, names]) => [resource, list(oneOf(names))]))
/** Published clients send null for no actions, which no answer has. */
const shown = (actions: Capability) => closed(optional(actionsOf(actions))) as Schema<Capability>
const given = (actions: Capability) => closed(sent(actionsOf(actions)), NULLS) as Schema<Capability>

const byDataset = (capability: Schema<Capability>, dataset: string) => {
  const names = `^\\${ALL_DATASETS}$|${dataset}`
  return schemaOf<Readonly<Record<string, Capability>>>({
    type: 'object',
    description: `What it may do with each dataset; \`${ALL_DATASETS}\` stands for all. One that names datasets reaches no others.`,
    maxProperties: TOKEN_DATASETS_MAX,
    patternProperties: { [names]: capability },
    additionalProperties: false,
    documented: { propertyNames: { pattern: names } },
  })
}

/** What it may do, said by capabilities. */
export const CAPABILITIES = {
  datasetCapabilities: byDataset(shown(DATASET_CAPABILITIES), String(ANSWERED_DATASET_NAME.pattern)),
  orgCapabilities: shown(ORG_CAPABILITIES),
}

const MEMBERS = {
  id: text('Names the token in the log; it grants no access.'),
  name: text(),
  ...optional({
    description: text(),
    kind: oneOf(TOKEN_KINDS),
    permissions: list(oneOf(PERMISSIONS), 'What it may do with every dataset; a personal token has every permission.'),
  }),
  ...CAPABILITIES,
  ...optional({
    expiresAt: time('From then on it is refused; absent: never.'),
    createdAt: time('For the token given at start: when the service started.'),
  }),
}
const TOKEN = titled('Token', MEMBERS)
const MADE_TOKEN = titled('MadeToken', { ...MEMBERS, token: text('What follows `Bearer` in the Authorization header.') })

const EXPIRES_AT = time('From then on it is refused; never by default.')
const NAME = text('Its name in the log and in lists; without control characters.', {
  minLength: 1,
  maxLength: TOKEN_NAME_POINTS_MAX,
  documented: { pattern: PLAIN_TEXT },
})
const DESCRIPTION = text('For people to read; without control characters.', {
  maxLength: TOKEN_DESCRIPTION_POINTS_MAX,
  documented: { pattern: PLAIN_TEXT },
})

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

const TOKEN_CREATE = requestBody(
  'TokenCreate',
  {
    name: NAME,
    ...sent({
      description: DESCRIPTION,
      expiresAt: EXPIRES_AT,
      kind: oneOf(TOKEN_KINDS),
      permissions: list(oneOf(PERMISSIONS), 'What an API token may do, with every dataset.', { minItems: 1 }),
      datasetCapabilities: byDataset(given(DATASET_CAPABILITIES), DATASET_NAME_PATTERN.source),
      orgCapabilities: given(ORG_CAPABILITIES),
      // There are no views.
      viewCapabilities: closed({}, NULLS),
    }),
  },
  { documented: GRANTS },
)

const TOKEN_REGENERATION = requestBody('TokenRegeneration', {
  existingTokenExpiresAt: time(
    'When the token that is there expires; not later than it would have. A time that is past: at once.',
  ),
  ...sent({ newTokenExpiresAt: EXPIRES_AT, newToken: TOKEN_CREATE }),
})

const made = (which: string) => `${which} token with its secret, which is shown only this once.`

export const TOKENS = operations(
  TOKEN_CALLS,
  {
    noun: 'token',
    tag: 'tokens',
    permissions: 'apiTokens',
    params: { id: text('As listed.', { pattern: TOKEN_ID_PATTERN }) },
    item: TOKEN as Schema<Token, Sure<Token, 'id' | 'name'>>,
    own: OWN_TOKEN_MEMBERS,
  },
  {
    list: {
      description:
        'The token given at start, if there is one, then the stored ones, the oldest first. An API token sees API tokens only.',
      answer: 'The tokens, without their secrets.',
    },
    get: { answer: 'The token, without its secret.' },
    create: {
      description:
        'Give `datasetCapabilities` and `orgCapabilities`, or `permissions`, which are for all datasets, or `"kind": "personal"` for a token that may do everything. An API token may give no more than it has.',
      body: TOKEN_CREATE as Schema<NewTokenMembers, NewToken>,
      gives: MADE_TOKEN as Schema<MadeToken, Sure<MadeToken, 'id' | 'name' | 'token'>>,
      answer: made('The'),
      isSecret: true,
    },
    regenerate: {
      description:
        'Makes a token with a secret of its own that may do the same, or what `newToken` says, and lets the one that is there expire.',
      action: 'update',
      body: TOKEN_REGENERATION,
      gives: MADE_TOKEN as Schema<MadeToken, Sure<MadeToken, 'id' | 'name' | 'token'>>,
      answer: made('The new'),
      isSecret: true,
      errorTexts: { 409: 'The token was given at start, and is not stored.' },
    },
    delete: {
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      description: 'It is refused from the next request on. A token may revoke itself.',
      answer: 'It was revoked.',
      errorTexts: { 409: 'The token was given at start: it goes away when the service is started without it.' },
    },
  },
)

/** With the members that are answered if a request asks for them. */
type Whole<T extends { [M in (typeof OWN_TOKEN_MEMBERS)[number]]?: unknown }> = T &
  Required<Pick<T, (typeof OWN_TOKEN_MEMBERS)[number]>>

/** A token as it is listed, without its secret. */
export type Token = Whole<Infer<typeof TOKEN>>

/** The one answer with the secret. */
export type MadeToken = Whole<Infer<typeof MADE_TOKEN>>

/** As {@link NewToken}, before the rules of each form are checked. */
export type NewTokenMembers = Infer<typeof TOKEN_CREATE>

/** What is said of every new token. */
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
export type TokenRegeneration = Infer<typeof TOKEN_REGENERATION>
