/**
 * What a monitor does to annotations: begin a span under an id chosen before, and end it. Each step may be taken again.
 */
import type { Annotations } from '../../annotations/annotations.ts'
import { ServiceError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { SpanStep, StoredMonitor } from '../../store/monitor-store.ts'

const NS_PER_MS = 1_000_000n

export async function takeStep(step: SpanStep, { id, rule }: StoredMonitor, annotations: Annotations, log: Log): Promise<void> {
  const atNs = BigInt(step.atMs) * NS_PER_MS
  if (step.kind === 'open') {
    const { id: annotationId, datasets, type, title, description } = step
    await annotations.ensure({ id: annotationId, datasets: [...datasets], timeNs: atNs, type, title, description }, id)
    return
  }
  try {
    const { timeNs, endTimeNs } = await annotations.get(step.id)
    // An end that is there already was set by an earlier attempt, or by somebody who knows better.
    if (endTimeNs !== undefined) return
    // Somebody may have moved its begin, and a clock may have been set back.
    await annotations.change(step.id, { endTimeNs: timeNs > atNs ? timeNs : atNs })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    log({ event: 'monitor', monitorId: id, name: rule.name, message: `${step.id} was deleted, so its span gets no end` })
  }
}
