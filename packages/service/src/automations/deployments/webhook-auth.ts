/**
 * Which integration a webhook is for: the one whose secret signed it.
 */
import type { PlatformName } from '@deployment-annotations/contract/integration'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Log } from '@deployment-annotations/runtime/log'
import type { Integration } from '../integrations/integration.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { WebhookRequest } from './platform.ts'
import { expectedSignature, PLATFORM_OF } from './platforms.ts'

export interface WebhookAuthOptions {
  integrations: Pick<IntegrationRegistry, 'ofPlatform'>
  log: Log
  clock: () => number
}

/** @throws ServiceError `unauthorized`, `malformed` */
export async function authenticate(
  platform: PlatformName,
  request: WebhookRequest,
  { integrations, log, clock }: WebhookAuthOptions,
): Promise<Integration> {
  PLATFORM_OF[platform].checkHeaders?.(request, clock())
  const candidates = integrations.ofPlatform(platform)
  let found: Integration | undefined
  // Every secret is tried, so that the time taken does not tell whose it is.
  for (const { integration, secret } of candidates) {
    if (await PLATFORM_OF[platform].isSigned(request, secret, clock())) found ??= integration
  }
  if (found) return found
  log.warn({ event: 'webhook-refused', platform, integrations: candidates.length })
  // Strangers learn nothing about which platforms are set up: this is the answer either way.
  throw new ServiceError(
    'unauthorized',
    `no integration of ${platform} has the secret that this was signed with; expected ${expectedSignature(platform)}, as GET /v2/integrations lists them`,
    { headers: { 'www-authenticate': 'Signature' } },
  )
}
