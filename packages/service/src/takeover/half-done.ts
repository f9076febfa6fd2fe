/**
 * What an earlier version had decided and perhaps not done when it ended, done in the transaction that takes its data over.
 * Each was on disk before it was carried out, and is as it should be where it was. People have the last word.
 */
import { changeAnnotation, ensureAnnotation } from '../annotations/rules.ts'
import { buildAnnotation } from '../automations/deployments/annotation.ts'
import { parseDeployment } from '../automations/deployments/deployment.ts'
import type { Integration } from '../automations/integrations/integration.ts'
import { applySpan } from '../automations/monitors/spans.ts'
import { ServiceError } from '../errors.ts'
import { lockAnnotation } from '../records/annotation-records.ts'
import type { StoredDeployment } from '../records/deployment-records.ts'
import type { RecordsDatabase } from '../records/records.ts'
import type { EarlierDeployment } from './deployment-rows.ts'
import type { EarlierMonitor } from './monitor-rows.ts'

/** Carries out what is left in the outbox of a monitor. */
export async function emptyOutbox(db: RecordsDatabase, { monitor, outbox }: EarlierMonitor): Promise<void> {
  for (const operation of outbox) await applySpan(db, monitor, operation, operation.atMs)
}

/** Makes the annotation of a deployment show what is known of it. @returns the state of the deployment then */
export async function finishDeployment(
  db: RecordsDatabase,
  { state, annotation: id, known, createdAtMs }: EarlierDeployment,
  integration: Integration | undefined,
): Promise<StoredDeployment['state']> {
  if (state === 'shown' || state === 'gone') return state
  // A removed integration marks nothing any more.
  if (!integration) return 'shown'
  const content = buildAnnotation(parseDeployment(known), integration)
  if (state === 'new') await ensureAnnotation(db, { id, ...content, createdAtMs, createdBy: integration.id })
  if (!(await lockAnnotation(db, id))) return 'gone'
  const { timeNs, endTimeNs, title = '', description = '', url = '' } = content
  try {
    await changeAnnotation(db, id, { timeNs, ...(endTimeNs !== undefined && { endTimeNs }), title, description, url })
  } catch (error) {
    // It was given another end by hand, before this start.
    if (!(error instanceof ServiceError) || error.code !== 'invalid') throw error
  }
  return 'shown'
}
