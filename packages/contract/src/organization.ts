/**
 * Organizations: there is one, this service. Clients ask for it when somebody signs in, before they read anything else.
 */
import type { Calls } from './call.ts'
import { operations } from './operation.ts'
import { type Infer, object, oneOf, type Schema, type Sure, text } from './schema.ts'

/** The id of the organization: no client chooses it, and whatever id a client sends beside a request is ignored. */
export const ORGANIZATION_ID = 'self-hosted'

export const ORGANIZATION_CALLS = {
  list: { call: 'GET /v2/orgs', list: 'id' },
  get: { call: 'GET /v2/orgs/{id}', one: 'id' },
} as const satisfies Calls

const ORGANIZATION = object({
  id: text(),
  name: text(),
  slug: text(),
  plan: text(),
  role: oneOf(['owner', 'user'], '`owner` for a personal token.'),
  paymentStatus: oneOf(['na'], 'Not applicable: nobody pays for this service.'),
  primaryEmail: text(),
})

export const ORGANIZATIONS = operations(
  ORGANIZATION_CALLS,
  {
    noun: 'organization',
    tag: 'service',
    params: { id: text('As listed.') },
    item: ORGANIZATION as Schema<Organization, Sure<Organization, 'id' | 'name'>>,
  },
  {
    list: { answer: 'The one there is.' },
    get: { summary: 'Get the organization' },
  },
)

export type Organization = Infer<typeof ORGANIZATION>
