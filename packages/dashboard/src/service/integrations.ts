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

/** @param secret the new secret; if it is empty, the service generates one */
export function regenerateSecret(id: string, secret: string): Promise<MadeIntegration> {
  return request<MadeIntegration>(newSecretPath(id), { method: 'POST', body: secret === '' ? {} : { secret } })
}

/** @returns the newest first */
export function listDeliveries(id: string, signal: AbortSignal): Promise<Delivery[]> {
  return request<Delivery[]>(deliveriesPath(id), { signal })
}
