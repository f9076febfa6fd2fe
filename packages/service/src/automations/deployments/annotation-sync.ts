/**
 * Keeps the annotation of a deployment in step with what its events say. What is known is stored first, with the id of
 * the annotation; then the annotation is created or changed; then it is stored that this was done. Whatever ends the process
 * in between, the next event of the deployment, a repeat of the same one or the next start resumes the work.
 * Deliberately not here: who may send events, and that those of one deployment come one after the other.
 */
import type { Annotations } from '../../annotations/annotations.ts'
import { ServiceError, type ServiceErrorCode } from '../../errors.ts'
import type { DeploymentStore, StoredDeployment } from '../../store/deployment-store.ts'
import type { StoredAnnotation, StoredChange } from '../../store/store.ts'
import type { Integration } from '../integrations/integration.ts'
import { buildAnnotation } from './annotation.ts'
import { deploymentFrom, formatDeployment, mergeDeployments, parseDeployment } from './deployment.ts'
import type { DeploymentEvent } from './deployment-event.ts'
import type { WebhookResult } from './platform.ts'

export interface AnnotationSyncOptions {
  store: DeploymentStore
  annotations: Annotations
  clock: () => number
  newId: () => string
}

export class AnnotationSync {
  readonly #options: AnnotationSyncOptions

  constructor(options: AnnotationSyncOptions) {
    this.#options = options
  }

  /** Takes in one event. */
  async receive(event: DeploymentEvent, integration: Integration): Promise<WebhookResult> {
    const { store } = this.#options
    const stored = await store.find(integration.id, event.deployment)
    if (!stored) return this.#begin(event, integration)
    if (stored.state === 'gone') return { outcome: 'ignored', reason: DELETED }
    const known = formatDeployment(mergeDeployments(parseDeployment(stored.known), deploymentFrom(event)))
    if (known === stored.known) {
      return stored.state === 'shown' ? { outcome: 'unchanged', annotation: stored.annotation } : this.#show(stored, integration)
    }
    const row: StoredDeployment = { ...stored, known, state: stored.state === 'new' ? 'new' : 'due' }
    await store.change(row)
    return this.#show(row, integration, stored.state === 'shown' ? stored : undefined)
  }

  /** Finishes what an earlier process could not, if that is still to be done. */
  async resume(deployment: string, integration: Integration): Promise<WebhookResult | undefined> {
    const row = await this.#options.store.find(integration.id, deployment)
    return row && (row.state === 'new' || row.state === 'due') ? this.#show(row, integration) : undefined
  }

  async #begin(event: DeploymentEvent, integration: Integration): Promise<WebhookResult> {
    const { store, clock, newId } = this.#options
    const row: StoredDeployment = {
      integration: integration.id,
      deployment: event.deployment,
      annotation: newId(),
      known: formatDeployment(deploymentFrom(event)),
      state: 'new',
    }
    await store.create(row, clock())
    return this.#show(row, integration)
  }

  /**
   * Makes the annotation show what is known.
   * @param shown what it certainly shows; members that stay the same are left to the people who changed them by hand
   */
  async #show(row: StoredDeployment, integration: Integration, shown?: StoredDeployment): Promise<WebhookResult> {
    const { store } = this.#options
    const build = ({ known }: StoredDeployment) => buildAnnotation(row.annotation, parseDeployment(known), integration)
    const [annotation, before] = [build(row), shown && build(shown)]
    let outcome: WebhookResult['outcome']
    try {
      const isMade = row.state === 'new' && (await this.#make(annotation, integration))
      outcome = isMade ? 'created' : await this.#change(annotation, before)
    } catch (error) {
      const reason = error instanceof ServiceError ? BY_HAND[error.code] : undefined
      if (!reason) throw error
      await store.change({ ...row, state: reason === DELETED ? 'gone' : 'shown' })
      return { outcome: 'ignored', reason }
    }
    await store.change({ ...row, state: 'shown' })
    return { outcome, annotation: row.annotation }
  }

  /** @returns whether the annotation was not there before */
  async #make(annotation: StoredAnnotation, { id }: Integration): Promise<boolean> {
    return (await this.#options.annotations.ensure(annotation, id)) === annotation
  }

  async #change(annotation: StoredAnnotation, before: StoredAnnotation | undefined): Promise<'unchanged' | 'changed'> {
    const change = changeFrom(before, annotation)
    if (Object.keys(change).length === 0) return 'unchanged'
    await this.#options.annotations.change(annotation.id, change)
    return 'changed'
  }
}

const DELETED = 'its annotation was deleted and stays deleted'
/** What people may have done to the annotation meanwhile: they have the last word, and the platform is not refused for it. */
const BY_HAND: { [Code in ServiceErrorCode]?: string } = {
  not_found: DELETED,
  invalid: 'its annotation was given another end by hand, before this start',
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
