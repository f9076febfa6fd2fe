/** Which annotations hurt now, beside the others that are answered with them. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import type { Annotations } from '../../annotations/annotations.ts'
import { type MayQuery, toWire } from '../../wire/annotation.ts'
import { readLast } from './list-releases.ts'
import { hurtsNow, STORY_MS_MAX } from './stories.ts'

interface HurtingParts {
  annotations: Pick<Annotations, 'list'>
  now: () => number
}

/** @param mayQuery as of `toWire` @returns the annotations as they are answered; those that hurt now say so */
export async function answerAll(
  { annotations, now }: HurtingParts,
  found: readonly StoredAnnotation[],
  mayQuery: MayQuery | undefined,
): Promise<Annotation[]> {
  const answers = found.map((one) => toWire(one, mayQuery))
  const sinceNs = BigInt(now() - STORY_MS_MAX) * 1_000_000n
  const harmful = found.filter(({ verdict, timeNs }, at) => isWorse(verdict) && timeNs >= sinceNs && answers[at]?.verdict)
  if (!mayQuery || harmful.length === 0) return answers
  const datasets = [...new Set(harmful.flatMap((one) => one.datasets))]
  const { found: others } = await readLast(annotations, { startNs: sinceNs, datasets }, { mayQuery })
  return answers.map((one) => (hurtsNow(one, others, now()) ? { ...one, hurtsNow: true } : one))
}
