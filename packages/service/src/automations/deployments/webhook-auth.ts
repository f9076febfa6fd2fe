/**
 * Which integration a webhook is for: the one that its address names, or else the one whose secret signed it.
 */
import { TRIED_WITHOUT_ID_MAX } from '@deployment-annotations/contract/integration'
import type { PlatformName } from '@deployment-annotations/contract/platform'
import type { WebhookRequest } from '@deployment-annotations/edge/platforms/platform'
import { expectedProof, isProved, PLATFORM_OF } from '@deployment-annotations/edge/platforms/platforms'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import type { Log } from '@deployment-annotations/runtime/log'
import type { Integration } from '../integrations/integration.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'

export interface WebhookAuthOptions {
  integrations: Pick<IntegrationRegistry, 'ofPlatform'>
  log: Log
  clock: () => number
}

/** What the address of a webhook says. */
interface Addressee {
  platform: PlatformName
  /** Absent in addresses that only name the platform: then the secrets of its oldest integrations are tried. */
  id: string | undefined
}

/** Of no integration: with it a request takes as long where there is none to try. */
const NO_SECRET = 'x'.repeat(32)

/** @throws ServiceError `unauthorized`, `malformed` */
export async function authenticate(
  { platform, id }: Addressee,
  request: WebhookRequest,
  { integrations, log, clock }: WebhookAuthOptions,
): Promise<Integration> {
  for (const proof of PLATFORM_OF[platform].proofs) proof.check?.(request, clock())
  const all = integrations.ofPlatform(platform)
  const candidates =
    id === undefined ? all.slice(0, TRIED_WITHOUT_ID_MAX) : all.filter(({ integration }) => integration.id === id)
  let found: Integration | undefined
  // Every secret is tried, so that the time taken does not tell whose it is.
  for (const { integration, secret } of candidates) {
    if (await isProved(platform, request, secret, clock())) found ??= integration
  }
  if (candidates.length === 0) await isProved(platform, request, NO_SECRET, clock())
  if (found) return found
  log.warn({ event: 'webhook-refused', platform, integrations: candidates.length })
  // Strangers learn nothing about which platforms are set up: this is the answer either way.
  throw new ServiceError(
    'unauthorized',
    `${id === undefined ? 'no integration' : 'this address is of no integration'} of ${platform} ${id === undefined ? 'has' : 'with'} the secret that this was signed with; expected ${expectedProof(platform)}, as GET /v2/integrations lists them`,
    { headers: { 'www-authenticate': 'Signature' } },
  )
}
