/** Requests to the endpoints of integrations. */
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
import { createRequests, request } from './request.ts'

export const integrationRequests = createRequests<Integration, NewIntegration, IntegrationChange, MadeIntegration>(
  INTEGRATIONS_PATH,
  integrationPath,
)

/** Nothing is marked by it. */
export function previewIntegration(tried: IntegrationPreview): Promise<PreviewResult> {
  return request<PreviewResult>(PREVIEW_PATH, { method: 'POST', body: tried })
}

/** @param how may have the new secret; otherwise the service generates one */
export function regenerateSecret(id: string, how: IntegrationRegeneration): Promise<MadeIntegration> {
  return request<MadeIntegration>(newSecretPath(id), { method: 'POST', body: how })
}

/** @returns the newest first */
export function listDeliveries(id: string, signal: AbortSignal): Promise<Delivery[]> {
  return request<Delivery[]>(deliveriesPath(id), { signal })
}
