/**
 * A deployment webhook from end to end: whose signature it has, what it says, and the annotation that shows it. Events of one
 * deployment come one after the other; across processes that share a server they do not.
 * Deliberately not here: HTTP, what platforms send, how events are merged and shown.
 */
import { KeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { describeError } from '../../log.ts'
import type { Integration, PlatformName } from '../integrations/integration.ts'
import { AnnotationSync, type AnnotationSyncOptions } from './annotation-sync.ts'
import type { DeploymentEvent } from './deployment-event.ts'
import type { WebhookRequest, WebhookResult } from './platform.ts'
import { PLATFORM_OF } from './platforms.ts'
import { authenticate, type WebhookAuthOptions } from './webhook-auth.ts'

export interface Deployments {
  /**
   * May be repeated: what is already known changes nothing.
   * @throws ServiceError `unauthorized`, `malformed`, `invalid`; errors of the store, after which it may be repeated too
   */
  receive(platform: PlatformName, request: WebhookRequest): Promise<WebhookResult>
  /**
   * Finishes what an earlier process began and could not end.
   * @param stop what is left then waits for the next start
   */
  resume(stop: AbortSignal): Promise<void>
}

type DeploymentsOptions = AnnotationSyncOptions & WebhookAuthOptions

/** More than this many are left to their own next event. */
const RESUMED_MAX = 1_000

export function createDeployments(options: DeploymentsOptions): Deployments {
  const { store, integrations, log } = options
  const sync = new AnnotationSync(options)
  const mutex = new KeyedMutex()
  const inTurn = <T>({ id }: Integration, deployment: string, task: () => Promise<T>) => mutex.run(`${id}/${deployment}`, task)

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
      const result: WebhookResult = isWanted(event, integration)
        ? await inTurn(integration, event.deployment, () => sync.receive(event, integration))
        : { outcome: 'ignored', reason: 'deployments to this environment are not marked by the integration' }
      log.info({ ...entry, deployment: event.deployment, outcome: result.outcome })
      return result
    },

    async resume(stop) {
      for (const { integration: integrationId, deployment } of await store.listUnfinished(RESUMED_MAX)) {
        if (stop.aborted) return
        const integration = integrations.find(integrationId)
        // A removed integration marks nothing any more.
        if (!integration) continue
        const { platform } = integration
        try {
          const result = await inTurn(integration, deployment, () => sync.resume(deployment, integration))
          if (!result) continue
          log.info({ event: 'deployment', integrationId, platform, deployment, outcome: result.outcome, isResumed: true })
        } catch (error) {
          log.error({ event: 'error', integrationId, deployment, cause: describeError(error) })
        }
      }
    },
  }
}

function isWanted({ environments }: DeploymentEvent, integration: Integration): boolean {
  if (integration.environments.length === 0) return true
  const wanted = new Set(integration.environments.map((name) => name.toLowerCase()))
  return environments.some((name) => wanted.has(name.toLowerCase()))
}
