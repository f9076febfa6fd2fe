/** Which annotations hurt now, and how others ended, told beside what is answered of them. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { type MayQuery, toWire } from '../../wire/annotation.ts'
import { type ReleaseParts, readLast } from './list-releases.ts'
import { STORY_MS_MAX, tellStories } from './stories.ts'

/** @param mayQuery as of `toWire` @returns the annotations as they are answered; those that hurt say whether they do now */
export async function answerAll(
  { annotations, judge, now }: ReleaseParts,
  found: readonly StoredAnnotation[],
  mayQuery: MayQuery | undefined,
): Promise<Annotation[]> {
  const answers = found.map((one) => toWire(one, mayQuery))
  const harmful = found.filter((_, at) => isWorse(answers[at]?.verdict))
  if (!mayQuery || harmful.length === 0) return answers
  const times = harmful.map(({ timeNs }) => timeNs).sort((a, b) => Number(a - b)) as [bigint, ...bigint[]]
  const [startNs, lastNs] = [times[0], times.at(-1) ?? times[0]]
  const filter = {
    startNs,
    endNs: lastNs + BigInt(STORY_MS_MAX) * UNIT_NS.ms,
    datasets: [...new Set(harmful.flatMap((one) => one.datasets))],
  }
  const { found: others } = await readLast(annotations, filter, { mayQuery })
  const isTold = (one: Annotation) => judge.isRelease(one.type) || isWorse(one.verdict)
  const stories = tellStories(others.filter(isTold), others, now())
  const told = new Map(stories.map(({ annotation }) => [annotation.id, annotation]))
  return answers.map((one) => told.get(one.id) ?? one)
}
