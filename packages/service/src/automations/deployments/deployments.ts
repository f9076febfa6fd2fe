/**
 * The story of a deployment webhook: whose signature it is, what it says, what is known with it, and the annotation that shows
 * it. What is known is written down first, with the id of the annotation; then the annotation is made or changed; then it is
 * written down that this was done. Whatever ends the process in between, the next event of the deployment, the same one again or
 * the next start takes it up. Events of one deployment take turns; across processes that share a server they do not.
 * Deliberately not here: HTTP, what platforms send, how events are merged.
 */
import type { Annotations } from '../../annotations/annotations.ts'
import { KeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { ServiceError, type ServiceErrorCode } from '../../errors.ts'
import { describeError, type Log } from '../../log.ts'
import type { DeploymentStore, StoredDeployment } from '../../store/deployment-store.ts'
import type { StoredAnnotation, StoredChange } from '../../store/store.ts'
import type { Integration, PlatformName } from '../integrations/integration.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { DeploymentEvent } from './deployment-event.ts'
import { join, knownFrom, readKnown, writeKnown } from './known.ts'
import { buildMarker } from './marker.ts'
import type { WebhookRequest } from './platform.ts'
import { PLATFORM_OF } from './platforms.ts'

/** What became of a request. */
export interface Receipt {
  outcome: 'created' | 'changed' | 'unchanged' | 'ignored'
  /** Id of the annotation. */
  annotation?: string
  /** Why it was ignored. */
  reason?: string
}

export interface Deployments {
  /**
   * May be repeated: what is known already changes nothing.
   * @throws ServiceError `unauthorized`, `malformed`, `invalid`; errors of the store, after which it may be repeated too
   */
  receive(platform: PlatformName, request: WebhookRequest): Promise<Receipt>
  /**
   * Finishes what an earlier process began and could not end.
   * @param stop what is left then waits for the next start
   */
  resume(stop: AbortSignal): Promise<void>
}

export interface DeploymentsOptions {
  store: DeploymentStore
  annotations: Annotations
  integrations: IntegrationRegistry
  log: Log
  clock: () => number
  newId: () => string
}

/** More than this many are left to their own next event. */
const RESUMED_MAX = 1_000

export function createDeployments({ store, annotations, integrations, log, clock, newId }: DeploymentsOptions): Deployments {
  const mutex = new KeyedMutex()
  const inTurn = <T>({ id }: Integration, deployment: string, task: () => Promise<T>) => mutex.run(`${id}/${deployment}`, task)

  async function authenticate(platform: PlatformName, request: WebhookRequest): Promise<Integration> {
    PLATFORM_OF[platform].checkAge?.(request, clock())
    const candidates = integrations.ofPlatform(platform)
    let found: Integration | undefined
    // Every secret is tried, so that the time taken does not tell whose it is.
    for (const { integration, secret } of candidates) {
      if (await PLATFORM_OF[platform].isSigned(request, secret, clock())) found ??= integration
    }
    if (found) return found
    log({ event: 'webhook refused', platform, integrations: candidates.length })
    // Strangers learn nothing about which platforms are set up: this is the answer either way.
    throw new ServiceError(
      'unauthorized',
      `no integration of ${platform} has the secret that this was signed with; expected ${expectedSignature(platform)}; \`integration list\` shows those there are`,
      { headers: { 'www-authenticate': 'Signature' } },
    )
  }

  /** Takes in one event, in its deployment's turn. */
  async function take(integration: Integration, event: DeploymentEvent): Promise<Receipt> {
    const { deployment } = event
    const said = knownFrom(event)
    const stored = await store.find(integration.id, deployment)
    if (!stored) {
      const row: StoredDeployment = {
        integration: integration.id,
        deployment,
        annotation: newId(),
        known: writeKnown(said),
        state: 'new',
      }
      await store.create(row, clock())
      return show(row, integration)
    }
    if (stored.state === 'gone') return { outcome: 'ignored', reason: DELETED }
    const known = writeKnown(join(readKnown(stored.known), said))
    if (known === stored.known) {
      return stored.state === 'shown' ? { outcome: 'unchanged', annotation: stored.annotation } : show(stored, integration)
    }
    const row: StoredDeployment = { ...stored, known, state: stored.state === 'new' ? 'new' : 'due' }
    await store.change(row)
    return show(row, integration, stored.state === 'shown' ? stored : undefined)
  }

  /**
   * Makes the annotation show what is known.
   * @param shown what it shows surely; members that stay the same are left to whoever changed them by hand
   */
  async function show(row: StoredDeployment, integration: Integration, shown?: StoredDeployment): Promise<Receipt> {
    const marker = buildMarker(row.annotation, readKnown(row.known), integration)
    const before = shown && buildMarker(row.annotation, readKnown(shown.known), integration)
    let receipt: Receipt
    try {
      receipt = { outcome: await put(marker, before, row.state === 'new', integration), annotation: row.annotation }
    } catch (error) {
      const reason = error instanceof ServiceError ? BY_HAND[error.code] : undefined
      if (!reason) throw error
      await store.change({ ...row, state: reason === DELETED ? 'gone' : 'shown' })
      return { outcome: 'ignored', reason }
    }
    await store.change({ ...row, state: 'shown' })
    return receipt
  }

  async function put(marker: StoredAnnotation, before: StoredAnnotation | undefined, isNew: boolean, integration: Integration) {
    if (isNew) {
      const earlier = await annotations.ensure(marker, integration.id)
      if (earlier === marker) return 'created'
    }
    const change = changeFrom(before, marker)
    if (Object.keys(change).length === 0) return 'unchanged'
    await annotations.change(marker.id, change)
    return 'changed'
  }

  return {
    async receive(platform, request) {
      const integration = await authenticate(platform, request)
      const reading = PLATFORM_OF[platform].read(request)
      if ('ignored' in reading) {
        log({ event: 'deployment', integrationId: integration.id, platform, outcome: 'ignored' })
        return { outcome: 'ignored', reason: reading.ignored }
      }
      const { event } = reading
      const receipt: Receipt = isWanted(event, integration)
        ? await inTurn(integration, event.deployment, () => take(integration, event))
        : { outcome: 'ignored', reason: 'deployments to this environment are not marked by the integration' }
      const { deployment } = event
      log({ event: 'deployment', integrationId: integration.id, platform, deployment, outcome: receipt.outcome })
      return receipt
    },

    async resume(stop) {
      for (const { integration: id, deployment } of await store.listUnfinished(RESUMED_MAX)) {
        if (stop.aborted) return
        const integration = integrations.find(id)
        // A removed integration marks nothing any more.
        if (!integration) continue
        try {
          const receipt = await inTurn(integration, deployment, async () => {
            const row = await store.find(id, deployment)
            return row && (row.state === 'new' || row.state === 'due') ? show(row, integration) : undefined
          })
          const { platform } = integration
          if (receipt)
            log({ event: 'deployment', integrationId: id, platform, deployment, outcome: receipt.outcome, isResumed: true })
        } catch (error) {
          log({ event: 'error', integrationId: id, deployment, cause: describeError(error) })
        }
      }
    },
  }
}

const DELETED = 'its annotation was deleted, and stays deleted'
/** What people may have done to the annotation meanwhile: theirs is the last word, and no reason to refuse the platform. */
const BY_HAND: { [Code in ServiceErrorCode]?: string } = {
  not_found: DELETED,
  invalid: 'its annotation was given another end by hand, before this begin',
}

export function expectedSignature(platform: PlatformName): string {
  return PLATFORM_OF[platform].signatures.map(({ header, form }) => `${header}: ${form}`).join(' or ')
}

function isWanted({ environments }: DeploymentEvent, integration: Integration): boolean {
  if (integration.environments.length === 0) return true
  const wanted = new Set(integration.environments.map((name) => name.toLowerCase()))
  return environments.some((name) => wanted.has(name.toLowerCase()))
}

/** The members that differ; all of them, where it is not known what is shown. An empty text unsets. */
function changeFrom(before: StoredAnnotation | undefined, after: StoredAnnotation): StoredChange {
  const { timeNs, endTimeNs, title = '', description = '', url = '' } = after
  const hasMoved = timeNs !== before?.timeNs || endTimeNs !== before?.endTimeNs
  return {
    // Together, because each alone may not fit to what the other was.
    ...(hasMoved && { timeNs, ...(endTimeNs !== undefined && { endTimeNs }) }),
    ...(title !== (before?.title ?? '') || !before ? { title } : {}),
    ...(description !== (before?.description ?? '') || !before ? { description } : {}),
    ...(url !== (before?.url ?? '') || !before ? { url } : {}),
  }
}
