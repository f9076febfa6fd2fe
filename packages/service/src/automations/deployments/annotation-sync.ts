/**
 * Keeps the annotation of a deployment in step with what its events say. An event is taken in by one transaction: what is
 * known of the deployment and the annotation that shows it change together, so neither is ever behind the other, and events of
 * one deployment that come at one moment, to whichever services, come one after the other.
 * Deliberately not here: who may send events.
 */

import type { WebhookResult } from '@deployment-annotations/contract/integration'
import { buildAnnotation } from '@deployment-annotations/edge/platforms/annotation'
import {
  deploymentFrom,
  formatDeployment,
  mergeDeployments,
  parseDeployment,
} from '@deployment-annotations/edge/platforms/deployment'
import type { DeploymentEvent } from '@deployment-annotations/edge/platforms/deployment-event'
import type { AnnotationContent, StoredChange } from '@deployment-annotations/records/annotations/annotation-records'
import {
  lockDeployment,
  type StoredDeployment,
  updateDeployment,
} from '@deployment-annotations/records/automations/deployment-records'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import { ServiceError, type ServiceErrorCode } from '@deployment-annotations/runtime/errors'
import { changeAnnotation, ensureAnnotation } from '../../annotations/rules.ts'
import type { Integration } from '../integrations/integration.ts'

/** An event as it came in. */
interface Arrival {
  event: DeploymentEvent
  integration: Integration
  atMs: number
  /** The id of the annotation, should the event be the first of its deployment. */
  newId: string
}

/** Part of a transaction: takes in one event. */
export async function takeIn(db: RecordsDatabase, { event, integration, atMs, newId }: Arrival): Promise<WebhookResult> {
  const told = deploymentFrom(event)
  const fresh: StoredDeployment = {
    integration: integration.id,
    deployment: event.deployment,
    annotation: newId,
    known: formatDeployment(told),
    state: 'shown',
  }
  const stored = await lockDeployment(db, fresh, atMs)
  if (!stored) {
    const made = { id: newId, createdAtMs: atMs, createdBy: integration.id }
    await ensureAnnotation(db, { ...buildAnnotation(told, integration), ...made })
    return { outcome: 'created', annotation: newId }
  }
  if (stored.state === 'gone') return { outcome: 'ignored', reason: DELETED }
  const known = formatDeployment(mergeDeployments(parseDeployment(stored.known), told))
  if (known === stored.known) return { outcome: 'unchanged', annotation: stored.annotation }
  return show(db, stored, { ...stored, known }, integration)
}

/** Makes the annotation show what is known; members that stay the same are left to the people who changed them by hand. */
async function show(
  db: RecordsDatabase,
  before: StoredDeployment,
  after: StoredDeployment,
  integration: Integration,
): Promise<WebhookResult> {
  const build = ({ known }: StoredDeployment) => buildAnnotation(parseDeployment(known), integration)
  const change = changeFrom(build(before), build(after))
  const hasChange = Object.keys(change).length > 0
  // A rule that refuses the change does so before anything is written.
  const reason = hasChange ? await refusalOf(changeAnnotation(db, after.annotation, change)) : undefined
  await updateDeployment(db, { ...after, state: reason === DELETED ? 'gone' : 'shown' })
  if (reason) return { outcome: 'ignored', reason }
  return { outcome: hasChange ? 'changed' : 'unchanged', annotation: after.annotation }
}

const DELETED = 'its annotation was deleted and stays deleted'
/** What people may have done to the annotation meanwhile: they have the last word, and the platform is not refused for it. */
const BY_HAND: { [Code in ServiceErrorCode]?: string } = {
  not_found: DELETED,
  invalid: 'its annotation was given another end by hand, before this start',
}

/** @returns why people's changes do not let it happen, if they do not */
async function refusalOf(changing: Promise<unknown>): Promise<string | undefined> {
  try {
    await changing
    return undefined
  } catch (error) {
    const reason = error instanceof ServiceError ? BY_HAND[error.code] : undefined
    if (!reason) throw error
    return reason
  }
}

/** The members that differ. An empty text unsets. */
function changeFrom(before: AnnotationContent, after: AnnotationContent): StoredChange {
  const { timeNs, endTimeNs, title = '', description = '', url = '' } = after
  const hasMoved = timeNs !== before.timeNs || endTimeNs !== before.endTimeNs
  return {
    // Together, because each alone may not fit to what the other was.
    ...(hasMoved && { timeNs, ...(endTimeNs !== undefined && { endTimeNs }) }),
    ...(title !== (before.title ?? '') && { title }),
    ...(description !== (before.description ?? '') && { description }),
    ...(url !== (before.url ?? '') && { url }),
  }
}
