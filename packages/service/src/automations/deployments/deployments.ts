/**
 * A deployment webhook from end to end: whose signature it has, what it says, and the annotation that shows it.
 * Deliberately not here: HTTP, what platforms send, how events are merged and shown.
 */

import type { PlatformName } from '@deployment-annotations/contract/integration'
import type { WebhookResult } from '@deployment-annotations/contract/schemas/integration'
import { cutText } from '@deployment-annotations/contract/text'
import type { Records } from '@deployment-annotations/records/records'
import { ServiceError } from '@deployment-annotations/runtime/errors'
import { newId } from '../../ids.ts'
import type { Integration } from '../integrations/integration.ts'
import { takeIn } from './annotation-sync.ts'
import { createDeliveries, keepDelivery } from './deliveries.ts'
import type { DeploymentEvent } from './deployment-event.ts'
import type { WebhookRequest } from './platform.ts'
import { PLATFORM_OF } from './platforms.ts'
import { routeDeployment } from './routing.ts'
import { authenticate, type WebhookAuthOptions } from './webhook-auth.ts'

/** Of what is kept: a message may repeat what was sent. */
const REASON_POINTS_MAX = 512

export interface Deployments {
  /**
   * May be repeated: what is already known changes nothing.
   * @param id of the integration, where the address has it
   * @throws ServiceError `unauthorized`, `malformed`, `invalid`; errors of the records, after which it may be repeated too
   */
  receive(platform: PlatformName, request: WebhookRequest, id?: string): Promise<WebhookResult>
}

interface DeploymentsOptions extends WebhookAuthOptions {
  records: Records
}

export function createDeployments(options: DeploymentsOptions): Deployments {
  const remember = createDeliveries(options)
  return {
    async receive(platform, request, id) {
      const integration = await authenticate({ platform, id }, request, options)
      const content = await readContent(platform, request, (reason) =>
        remember(integration.id, { outcome: 'refused', reason: cutText(reason, REASON_POINTS_MAX) }),
      )
      const about = 'ignored' in content ? {} : { deployment: content.event.deployment }
      const route = 'ignored' in content ? content : routeDeployment(content.event, integration)
      let result: WebhookResult
      if ('ignored' in content || 'ignored' in route) {
        result = { outcome: 'ignored', ...('ignored' in route && { reason: route.ignored }) }
        await remember(integration.id, { ...about, ...result })
      } else result = await take(content.event, route.integration, options)
      options.log.info({ event: 'deployment', integrationId: integration.id, platform, ...about, outcome: result.outcome })
      return result
    },
  }
}

/** @param onRefused is told why it cannot be read, before that is thrown */
async function readContent(platform: PlatformName, request: WebhookRequest, onRefused: (reason: string) => Promise<void>) {
  try {
    return PLATFORM_OF[platform].read(request)
  } catch (error) {
    if (error instanceof ServiceError) await onRefused(error.message)
    throw error
  }
}

/** Takes in what is to be marked. */
function take(event: DeploymentEvent, integration: Integration, { records, clock }: DeploymentsOptions): Promise<WebhookResult> {
  const atMs = clock()
  const arrival = { event, integration, atMs, newId: newId('annotation', atMs) }
  return records.transaction(async (db) => {
    const result = await takeIn(db, arrival)
    await keepDelivery(db, integration.id, { deployment: event.deployment, ...result }, atMs)
    return result
  })
}
