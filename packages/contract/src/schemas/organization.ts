/**
 * The organization as a schema: clients ask for it when somebody signs in, before they read anything else.
 */
import type { Static } from 'typebox'
import { OneOf } from './parts.ts'
import Type from './type.ts'

export const OrganizationSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  plan: Type.String(),
  role: OneOf(['owner', 'user'], { description: '`owner` for a personal token.' }),
  paymentStatus: OneOf(['na'], { description: 'Not applicable: nobody pays for this service.' }),
  primaryEmail: Type.String(),
})

export type Organization = Static<typeof OrganizationSchema>
