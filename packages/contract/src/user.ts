/**
 * The owner of a token, which is the token itself, as there are no accounts; and what the token may do. That stands apart from the
 * owner because published clients refuse an owner with more members than they know.
 */
import type { Calls } from './call.ts'
import { operations } from './operation.ts'
import { PERMISSIONS } from './permission.ts'
import { type Infer, list, object, oneOf, type Schema, type Sure, text } from './schema.ts'
import { CAPABILITIES, TOKEN_KINDS } from './token.ts'

export const USER_CALLS = {
  /** Programs check their credentials with it. */
  get: { call: 'GET /v2/user', one: 'name' },
  /** What the token may do with all datasets, or with those that it names. Specific to our service. */
  permissions: { call: 'GET /v2/user/permissions', lists: ['permissions'] },
} as const satisfies Calls

const USER = object({
  id: text(),
  name: text(),
  email: text(),
  role: object({ id: oneOf(TOKEN_KINDS), name: text() }),
})
const OWN_PERMISSIONS = object({
  permissions: list(oneOf(PERMISSIONS), 'What it may do, with one dataset at least.'),
  ...CAPABILITIES,
})

export const USER_OPERATIONS = operations(
  USER_CALLS,
  { noun: 'user', tag: 'service' },
  {
    get: {
      summary: 'Whose token this is',
      gives: USER as Schema<User, Sure<User, 'id' | 'name'>>,
      answer: "The token's owner: the token itself, as there are no accounts here.",
    },
    permissions: {
      operationId: 'getOwnPermissions',
      summary: 'What this token may do',
      gives: OWN_PERMISSIONS,
      answer: 'Its permissions, and with which datasets it has them; a personal token has every one.',
    },
  },
)

/** The token's owner: the token itself. */
export type User = Infer<typeof USER>

/** What the token of the request may do. */
export type OwnPermissions = Infer<typeof OWN_PERMISSIONS>
