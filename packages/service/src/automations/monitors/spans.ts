/**
 * What was decided about the annotations of a monitor, done in the transaction that records the decision, and put into the
 * monitor's history: none is ever stored without the others. People have the last word: what they deleted stays deleted, and an
 * end that they set is kept.
 */
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { formatMillis } from '@deployment-annotations/contract/timestamp'
import { findAnnotation, lockAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { insertAlerts } from '@deployment-annotations/records/automations/alert-records'
import type { StoredMonitor } from '@deployment-annotations/records/automations/monitor-records'
import type { RecordsDatabase } from '@deployment-annotations/records/database/records'
import { changeAnnotation, ensureAnnotation } from '../../annotations/rules.ts'
import { tell } from '../../outbox/notices.ts'
import type { SpanOperation } from './span-operations.ts'

type SpannedMonitor = Pick<StoredMonitor, 'id' | 'definition' | 'state'>

/** As {@link applySpan}, of several in their order, and their history. @returns the ids of annotations that a person has deleted */
export async function applySpans(
  db: RecordsDatabase,
  monitor: SpannedMonitor,
  operations: readonly SpanOperation[],
  nowMs: number,
): Promise<string[]> {
  const deleted: string[] = []
  for (const operation of operations) {
    const id = await applySpan(db, monitor, operation, nowMs)
    if (id !== undefined) deleted.push(id)
  }
  const alerts = operations.map(({ kind, id, atMs, name }) => ({
    name: name ?? monitor.definition.name,
    checkId: id,
    state: kind === 'open' ? ('open' as const) : ('closed' as const),
    atMs,
  }))
  await insertAlerts(db, monitor.id, alerts)
  // Last, because all that tell something wait for each other from here to the end of their transactions.
  await tellSpans(db, monitor, operations)
  return deleted
}

/** A span that closes for another of its series to open is no recovery. */
async function tellSpans(db: RecordsDatabase, monitor: SpannedMonitor, operations: readonly SpanOperation[]): Promise<void> {
  const opened = new Set(operations.flatMap((one) => (one.kind === 'open' ? [one.title] : [])))
  for (const operation of operations) {
    if (operation.kind === 'open') await tellSpan(db, monitor, operation, operation)
    else if (!operation.isUnmarked) {
      const { title = monitor.definition.name } = (await findAnnotation(db, operation.id)) ?? {}
      if (!opened.has(title)) await tellSpan(db, monitor, operation, { title, description: '' })
    }
  }
}

async function tellSpan(
  db: RecordsDatabase,
  { id, definition, state }: SpannedMonitor,
  { kind, id: annotationId, atMs }: SpanOperation,
  { title, description: text }: { title: string; description: string },
): Promise<void> {
  const { name, datasets, annotationType: type, annotationTitle, description, notifierIds = [] } = definition
  const time = formatMillis(atMs)
  const whole = annotationTitle ?? name
  const group = title.startsWith(`${whole}: `) ? title.slice(whole.length + 2) : undefined
  const about = dropUndefined({ id, name, description, value: state.lastValue, group })
  const annotation = { id: annotationId, datasets: [...datasets], time, type, title }
  const told =
    kind === 'open' ? ({ action: 'open', title } as const) : ({ action: 'closed', title: `${title} recovered` } as const)
  await tell(db, { event: 'monitor', ...told, time, text, annotation, monitor: about }, notifierIds)
}

/**
 * Part of a transaction. A second time changes nothing.
 * @returns the id of the annotation where it should be closed, and a person has deleted it
 */
async function applySpan(
  db: RecordsDatabase,
  { id: createdBy }: Pick<StoredMonitor, 'id'>,
  operation: SpanOperation,
  nowMs: number,
): Promise<string | undefined> {
  const { kind, id, atMs } = operation
  const atNs = BigInt(atMs) * UNIT_NS.ms
  if (kind === 'open') {
    const { datasets, type, title, description, isOpen } = operation
    const content = { datasets: [...datasets], timeNs: atNs, type, title, description, ...(isOpen && { open: true }) }
    await ensureAnnotation(db, { id, ...content, createdAtMs: nowMs, createdBy })
    return undefined
  }
  if (operation.isUnmarked) return undefined
  const open = await lockAnnotation(db, id)
  if (!open) return id
  if (open.endTimeNs !== undefined) return undefined
  // A person may have moved its start, and a clock may have been set back.
  await changeAnnotation(db, id, { endTimeNs: open.timeNs > atNs ? open.timeNs : atNs })
  return undefined
}
