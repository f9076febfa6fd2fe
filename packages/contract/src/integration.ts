/**
 * Integrations on the wire: whose deployment webhooks are marked, and how. Specific to this service. Their schemas are in
 * schemas/integration.ts, which this file does not load; what the platforms send is in webhook.ts.
 */
import type { Static } from 'typebox'
import { toSegment } from './path.ts'
import type { PLATFORMS } from './rules/integration.ts'
import type {
  DeliverySchema,
  IntegrationChangeSchema,
  IntegrationRegenerationSchema,
  IntegrationSchema,
  MadeIntegrationSchema,
  NewIntegrationSchema,
} from './schemas/integration.ts'

export * from './rules/integration.ts'

export const INTEGRATIONS_PATH = '/v2/integrations'

/** @returns the path of one integration, its id escaped */
export function integrationPath(id: string): string {
  return `${INTEGRATIONS_PATH}/${toSegment(id)}`
}

/** @returns where its last deliveries are listed */
export function deliveriesPath(id: string): string {
  return `${integrationPath(id)}/deliveries`
}

/** @returns where a new secret is made for it */
export function newSecretPath(id: string): string {
  return `${integrationPath(id)}/regenerate`
}

export type PlatformName = (typeof PLATFORMS)[number]
/** An integration without its secret. */
export type Integration = Static<typeof IntegrationSchema>
/** With the secret, where the service made it: this once. */
export type MadeIntegration = Static<typeof MadeIntegrationSchema>
/** What a create sends. */
export type NewIntegration = Static<typeof NewIntegrationSchema>
/** The members to change; the others keep their values. */
export type IntegrationChange = Static<typeof IntegrationChangeSchema>
/** What makes a new secret take the place of the old one, at once. */
export type IntegrationRegeneration = Static<typeof IntegrationRegenerationSchema>
/** A webhook that the secret of the integration had signed, and what became of it. */
export type Delivery = Static<typeof DeliverySchema>
