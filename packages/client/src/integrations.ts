/**
 * Integrations: whose deployment webhooks are marked, and how. Specific to our service. A secret is only ever in the answer that
 * makes it.
 */
import {
  deliveriesPath,
  INTEGRATIONS_PATH,
  integrationPath,
  newSecretPath,
  PREVIEW_PATH,
} from '@deployment-annotations/contract/integration'
import type {
  Delivery,
  Integration,
  IntegrationChange,
  IntegrationPreview,
  IntegrationRegeneration,
  MadeIntegration,
  NewIntegration,
  PreviewResult,
} from '@deployment-annotations/contract/schemas/integration'
import type { CallOptions } from './calls.ts'
import type { Connection } from './connection.ts'
import { createAsk, createResourceClient, listWith, oneWith, oneWithLists, type ResourceClient } from './resources.ts'

/** The list has each with its last delivery. After a delete, webhooks are refused; the annotations that were made of them stay. */
export interface IntegrationsClient extends ResourceClient<Integration, NewIntegration, IntegrationChange, MadeIntegration> {
  /** The last webhooks that its secret had signed, the newest first. */
  deliveries(id: string, options?: CallOptions): Promise<Delivery[]>
  /** Puts a new secret in place of the old one, at once; not sent again where its answer is lost. */
  regenerate(id: string, regeneration: IntegrationRegeneration, options?: CallOptions): Promise<MadeIntegration>
  /** How a body would be read and marked; nothing is stored. */
  preview(tried: IntegrationPreview, options?: CallOptions): Promise<PreviewResult>
}

export function createIntegrationsClient(connection: Connection): IntegrationsClient {
  const ask = createAsk(connection)
  return {
    ...createResourceClient(connection, INTEGRATIONS_PATH, integrationPath),
    deliveries: (id, options) => ask('GET', deliveriesPath(id), { read: listWith<Delivery>('time'), options }),
    regenerate: (id, body, options) =>
      ask('POST', newSecretPath(id), { body, read: oneWith<MadeIntegration>('id'), options, isSentOnce: true }),
    preview: (body, options) => ask('POST', PREVIEW_PATH, { body, read: oneWithLists<PreviewResult>('marks'), options }),
  }
}
