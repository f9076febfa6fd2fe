/**
 * A deployment webhook from end to end: whose signature it has, what it says, and the annotation that shows it.
 * Deliberately not here: HTTP, what platforms send, how events are merged and shown.
 */
import type { Records } from '../../records/records.ts'
import type { Integration, PlatformName } from '../integrations/integration.ts'
import { takeIn } from './annotation-sync.ts'
import type { DeploymentEvent } from './deployment-event.ts'
import type { WebhookRequest, WebhookResult } from './platform.ts'
import { PLATFORM_OF } from './platforms.ts'
import { authenticate, type WebhookAuthOptions } from './webhook-auth.ts'

export interface Deployments {
  /**
   * May be repeated: what is already known changes nothing.
   * @throws ServiceError `unauthorized`, `malformed`, `invalid`; errors of the records, after which it may be repeated too
   */
  receive(platform: PlatformName, request: WebhookRequest): Promise<WebhookResult>
}

interface DeploymentsOptions extends WebhookAuthOptions {
  records: Records
  newId: () => string
}

export function createDeployments(options: DeploymentsOptions): Deployments {
  const { records, clock, newId, log } = options
  return {
    async receive(platform, request) {
      const integration = await authenticate(platform, request, options)
      const entry = { event: 'deployment', integrationId: integration.id, platform }
      const content = PLATFORM_OF[platform].read(request)
      if ('ignored' in content) {
        log.info({ ...entry, outcome: 'ignored' })
        return { outcome: 'ignored', reason: content.ignored }
      }
      const { event } = content
      const arrival = { event, integration, atMs: clock(), newId: newId() }
      const result: WebhookResult = isWanted(event, integration)
        ? await records.transaction((db) => takeIn(db, arrival))
        : { outcome: 'ignored', reason: 'deployments to this environment are not marked by the integration' }
      log.info({ ...entry, deployment: event.deployment, outcome: result.outcome })
      return result
    },
  }
}

function isWanted({ environments }: DeploymentEvent, integration: Integration): boolean {
  if (integration.environments.length === 0) return true
  const wanted = new Set(integration.environments.map((name) => name.toLowerCase()))
  return environments.some((name) => wanted.has(name.toLowerCase()))
}
