/**
 * One thing that is compared, from run to run: it triggers once enough of its last runs were beyond the threshold, and recovers
 * once they are not. Pure.
 */
import type { MonitorDefinition, Track } from '@deployment-annotations/records/monitor-records'
import { describeFound, openMark } from './mark-texts.ts'
import type { SpanOperation } from './span-operation.ts'

interface Step {
  /** Absent: nothing was compared. */
  value: number | undefined
  isPositive: boolean
  /** The end of the range that was looked at. */
  atMs: number
  newId: string
  /** With notifyByGroup. */
  group?: string
}

interface Advanced {
  track: Track
  operations: SpanOperation[]
}

export function advance(definition: MonitorDefinition, before: Track, step: Step): Advanced {
  const { isPositive, newId, atMs } = step
  const { needed, looked } = runsOf(definition)
  const positives = `${before.positives ?? ''}${isPositive ? '1' : '0'}`.slice(-looked)
  const count = [...positives].filter((one) => one === '1').length
  const { annotationId } = before
  const kept = looked > 1 ? { positives } : {}
  if (count < needed || (annotationId === undefined && !isPositive)) {
    return { track: kept, operations: closing(definition, annotationId, atMs) }
  }
  if (annotationId !== undefined && !(definition.notifyEveryRun && isPositive)) {
    return { track: { ...kept, annotationId }, operations: [] }
  }
  const { group, value } = step
  const open = openMark(definition, {
    id: newId,
    atMs,
    found: describeFound(definition, value),
    code: definition.aplQuery,
    group,
  })
  return { track: { ...kept, annotationId: newId }, operations: [...closing(definition, annotationId, atMs), open] }
}

export function closing({ skipResolved }: MonitorDefinition, id: string | undefined, atMs: number): SpanOperation[] {
  return id === undefined ? [] : [{ kind: 'close', id, atMs, ...(skipResolved && { isUnmarked: true }) }]
}

/** Of as many of the last runs, how many must be beyond the threshold. Where only one of the two is said, it is all of them. */
function runsOf({ triggerFromNRuns, triggerAfterNPositiveResults }: MonitorDefinition): { needed: number; looked: number } {
  const looked = Math.max(1, triggerFromNRuns, triggerAfterNPositiveResults)
  return { looked, needed: triggerAfterNPositiveResults > 0 ? triggerAfterNPositiveResults : looked }
}
