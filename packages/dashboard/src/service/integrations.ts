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
import { request } from './request.ts'

/** @returns all integrations, the oldest first */
export function listIntegrations(signal: AbortSignal): Promise<Integration[]> {
  return request<Integration[]>(INTEGRATIONS_PATH, { signal })
}

export function createIntegration(integration: NewIntegration): Promise<MadeIntegration> {
  return request<MadeIntegration>(INTEGRATIONS_PATH, { method: 'POST', body: integration })
}

export function changeIntegration(id: string, change: IntegrationChange): Promise<Integration> {
  return request<Integration>(integrationPath(id), { method: 'PUT', body: change })
}

/** Nothing is marked by it. */
export function previewIntegration(tried: IntegrationPreview): Promise<PreviewResult> {
  return request<PreviewResult>(PREVIEW_PATH, { method: 'POST', body: tried })
}

/** @param secret the new secret; if it is empty, the service generates one */
export function regenerateSecret(id: string, secret: string): Promise<MadeIntegration> {
  return request<MadeIntegration>(newSecretPath(id), { method: 'POST', body: secret === '' ? {} : { secret } })
}

export function deleteIntegration(id: string): Promise<void> {
  return request<void>(integrationPath(id), { method: 'DELETE' })
}

/** @returns the newest first */
export function listDeliveries(id: string, signal: AbortSignal): Promise<Delivery[]> {
  return request<Delivery[]>(deliveriesPath(id), { signal })
}
