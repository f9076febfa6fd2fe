/**
 * Deployment webhooks on the wire: what each sender is answered, and the body of those that have no platform of their own.
 */
import type { Static } from 'typebox'
import type { GenericDeploymentSchema, WebhookResultSchema } from './schemas/webhook.ts'

export * from './rules/webhook.ts'

/** What became of a webhook. */
export type WebhookResult = Static<typeof WebhookResultSchema>

/** A deployment that reports itself. */
export type GenericDeployment = Static<typeof GenericDeploymentSchema>

export const WEBHOOKS_PATH = '/v1/integrations'
