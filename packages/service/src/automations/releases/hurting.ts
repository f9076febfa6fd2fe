/** Which annotations hurt now, and how others ended, told beside what is answered of them. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { type MayQuery, toWire } from '../../wire/annotation.ts'
import { type ReleaseParts, readLast } from './list-releases.ts'
import { STORY_MS_MAX, tellStories } from './stories.ts'

/** @param mayQuery as of `toWire` @returns the annotations as they are answered */
export async function answerAll(parts: ReleaseParts, found: readonly StoredAnnotation[], mayQuery: MayQuery | undefined) {
  const answers = found.map((one) => toWire(one, mayQuery))
  return mayQuery ? tellHarm(parts, answers, mayQuery) : answers
}

/** @returns the answers, of which those that hurt say whether they do now, or how that ended */
export async function tellHarm(parts: ReleaseParts, answers: Annotation[], mayQuery: MayQuery): Promise<Annotation[]> {
  const { annotations, judge, now } = parts
  const harmful = answers.filter(({ verdict }) => isWorse(verdict))
  if (harmful.length === 0) return answers
  const times = harmful.map(({ time }) => Date.parse(time))
  const filter = {
    startNs: BigInt(Math.min(...times)) * UNIT_NS.ms,
    endNs: BigInt(Math.max(...times) + STORY_MS_MAX) * UNIT_NS.ms,
    datasets: [...new Set(harmful.flatMap((one) => one.datasets))],
  }
  const { found: others } = await readLast(annotations, filter, { mayQuery })
  const isTold = (one: Annotation) => judge.isRelease(one.type) || isWorse(one.verdict)
  const stories = tellStories(others.filter(isTold), others, now())
  const told = new Map(stories.map(({ annotation }) => [annotation.id, annotation]))
  return answers.map((one) => told.get(one.id) ?? one)
}
