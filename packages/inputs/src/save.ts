/**
 * Puts an annotation on the charts, or changes one there, and keeps what the service says besides.
 */
import type { AnnotationCallOptions } from '@deployment-annotations/client/annotation-calls'
import type { AnnotationsClient } from '@deployment-annotations/client/annotations'
import type { Hints } from '@deployment-annotations/client/hints'
import { newIdempotencyKey } from '@deployment-annotations/client/identity'
import type { Annotation, AnnotationChange } from '@deployment-annotations/contract/annotation'
import type { AnnotationJob } from '@deployment-annotations/contract/annotation-job'
import type { CreateIntent } from './close.ts'
import { collectHints } from './collect-hints.ts'

export interface Saved {
  /** As the service now has it. */
  stored: Annotation
  /** Whether something was there before. */
  outcome: 'created' | 'changed'
  hints: Hints
}

/** With a key there is one annotation, however many jobs speak of it; without one, one more is made. */
export async function createOrPut(
  annotations: AnnotationsClient,
  { isSpan, key, job, ...intent }: CreateIntent,
  options: AnnotationCallOptions,
): Promise<Saved> {
  const annotation = { ...intent.annotation, ...(isSpan && { open: true }) }
  const { hints, collecting } = collectHints(options)
  if (key === undefined) return { stored: await annotations.create(annotation, collecting), outcome: 'created', hints }
  const { annotation: stored, isNew } = await annotations.put(key, annotation, { ...collecting, job })
  return { stored, outcome: isNew ? 'created' : 'changed', hints }
}

export async function changeOrGet(
  annotations: AnnotationsClient,
  id: string,
  change: AnnotationChange,
  options: AnnotationCallOptions,
): Promise<Saved> {
  const { hints, collecting } = collectHints(options)
  const stored = await (isEmptyChange(change) ? annotations.get(id, collecting) : annotations.change(id, change, collecting))
  return { stored, outcome: 'changed', hints }
}

/**
 * `endTime: job-end` alone changes nothing yet. Then the annotation is only read, which tells now, not at the job's end, that it
 * is there.
 */
export function isEmptyChange(change: AnnotationChange): boolean {
  return Object.keys(change).length === 0
}

/**
 * @param matrix what tells the job from those of the same name; '' where that is not known
 * @returns which job of which attempt this is, for the annotation that it shares with others; outside of CI the key alone tells
 */
export function readAnnotationJob(env: Readonly<Record<string, string | undefined>>, matrix = ''): AnnotationJob {
  const { GITHUB_RUN_ID: run = '', GITHUB_RUN_ATTEMPT: attempt, GITHUB_JOB: job, GITHUB_ACTION: step } = env
  const name = job && { name: hashName(JSON.stringify([job, step, matrix])) }
  return { run, attempt: Number(attempt) || 0, job: newIdempotencyKey(), ...name }
}

/** FNV-1a. Two jobs of one name are no harm but in another attempt: so it does without `node:crypto`, which is slow to load. */
function hashName(text: string): string {
  let hash = 0x811c9dc5
  for (const unit of Buffer.from(text)) hash = Math.imul(hash ^ unit, 0x01000193)
  return (hash >>> 0).toString(36)
}
