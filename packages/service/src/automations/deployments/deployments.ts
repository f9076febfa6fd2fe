/**
 * A deployment webhook from end to end: whose signature it has, what it says, and the annotation that shows it.
 * Deliberately not here: HTTP, what platforms send, how events are merged and shown.
 */

import type { IntegrationPreview, PreviewResult, WebhookResult } from '@deployment-annotations/contract/integration'
import type { PlatformName } from '@deployment-annotations/contract/platform'
import { cutText } from '@deployment-annotations/contract/text'
import type { DeploymentEvent, WebhookContent } from '@deployment-annotations/edge/platforms/deployment-event'
import type { WebhookRequest } from '@deployment-annotations/edge/platforms/platform'
import { PLATFORM_OF } from '@deployment-annotations/edge/platforms/platforms'
import type { Records } from '@deployment-annotations/records/database/records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { newId } from '../../wire/ids.ts'
import type { Integration } from '../integrations/integration.ts'
import { takeIn } from './annotation-sync.ts'
import { keepDelivery, tryKeepDelivery } from './deliveries.ts'
import { previewDeployment } from './preview.ts'
import { routeDeployment } from './routing.ts'
import { authenticate, type WebhookAuthOptions } from './webhook-auth.ts'

/** Of what is kept: a message may repeat what was sent. */
const REASON_POINTS_MAX = 512

export type Deployments = ReturnType<typeof createDeployments>

interface DeploymentsOptions extends WebhookAuthOptions {
  records: Records
}

export function createDeployments(options: DeploymentsOptions) {
  async function handle(content: WebhookContent, integration: Integration): Promise<WebhookResult> {
    const about = 'ignored' in content ? {} : { deployment: content.event.deployment }
    const route = 'ignored' in content ? content : routeDeployment(content.event, integration)
    let result: WebhookResult
    if ('ignored' in content || 'ignored' in route) {
      result = { outcome: 'ignored', ...('ignored' in route && { reason: route.ignored }) }
      await tryKeepDelivery(options, integration.id, { ...about, ...result })
    } else result = await take(content.event, route.integration, options)
    const { id: integrationId, platform } = integration
    options.log.info({ event: 'deployment', integrationId, platform, ...about, outcome: result.outcome })
    return result
  }
  return {
    /** @returns what would become of a body; @throws ServiceError as a delivery of it would be refused */
    preview: (tried: IntegrationPreview): PreviewResult => previewDeployment(tried, options.clock()),

    /**
     * May be repeated: what is already known changes nothing.
     * @param id of the integration, where the address has it
     * @throws ServiceError `unauthorized`, `malformed`, `invalid`; errors of the records, after which it may be repeated too
     */
    async receive(platform: PlatformName, request: WebhookRequest, id?: string): Promise<WebhookResult> {
      const integration = await authenticate({ platform, id }, request, options)
      const reading = { mapping: integration.mapping, nowMs: options.clock() }
      const read = async () => PLATFORM_OF[platform].read(request, reading)
      const content = await read().catch(async (error: Error) => {
        const refused = { outcome: 'refused', reason: cutText(error.message, REASON_POINTS_MAX) } as const
        if (error instanceof ServiceError) await tryKeepDelivery(options, integration.id, refused)
        throw error
      })
      if (!Array.isArray(content)) return handle(content, integration)
      // One after the other: several may be of one deployment.
      const results: WebhookResult[] = []
      for (const one of content) results.push(await handle(one, integration))
      const first = results.find(({ outcome }) => outcome !== 'ignored') ?? results[0]
      return { ...(first ?? { outcome: 'ignored', reason: 'the batch is empty' }), results }
    },
  }
}

/** Stores the annotation of a webhook. */
function take(event: DeploymentEvent, integration: Integration, { records, clock }: DeploymentsOptions): Promise<WebhookResult> {
  const atMs = clock()
  const arrival = { event, integration, atMs, newId: newId('annotation', atMs) }
  return records.transaction(async (db) => {
    const result = await takeIn(db, arrival)
    await keepDelivery(db, integration.id, { deployment: event.deployment, ...result }, atMs)
    return result
  })
}
