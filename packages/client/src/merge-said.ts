/**
 * What a job says of an annotation that it shares with others, merged with what is stored, on a service that knows no keys: the rules of
 * our service as far as the members of one annotation can hold them. Pure.
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { type AnnotationJob, isEarlierAttempt, isSameAttempt } from '@deployment-annotations/contract/annotation-job'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { escapeName, readKeyedText, writeKeyedText } from '@deployment-annotations/contract/key-line'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { SECOND, type Timed } from './identity.ts'

/** What one job says. */
export interface Said {
  key: string
  /** Which of several jobs says this; without it the annotation is replaced. */
  job?: AnnotationJob | undefined
  annotation: Timed
}

/** @returns what is to be stored, or the stored annotation of a later attempt, which stays as it is */
export function mergeSaid(said: Said, stored: readonly Annotation[]): Timed | Annotation {
  const { job } = said
  let merged = write(said)
  if (!job) return merged
  for (const copy of stored) {
    const { attempt } = readKeyedText(copy.description)
    if (attempt && isEarlierAttempt(job, attempt)) return copy
    if (attempt?.run === job.run) merged = join(copy, merged, job)
  }
  return merged
}

/** @returns whether nobody who wrote at the same moment has overwritten it */
export function includesSaid(stored: Annotation, { job, annotation }: Said): boolean {
  const { attempt, lines } = readKeyedText(stored.description)
  if (!job || !attempt || !isSameAttempt(job, attempt)) return true
  return (
    (attempt.failed || !job.failed) &&
    signLine(job).every((line) => lines.includes(line)) &&
    nsOf(stored.endTime) / SECOND >= nsOf(annotation.endTime) / SECOND &&
    annotation.datasets.every((name) => stored.datasets.includes(name))
  )
}

function write({ key, job, annotation }: Said): Timed {
  const description = writeKeyedText({
    text: annotation.description ?? '',
    lines: job ? signLine(job) : [],
    key: escapeName(key),
    attempt: job && { run: job.run, attempt: job.attempt, failed: job.failed ?? false },
  })
  return { ...annotation, description }
}

/** Begins a link without a text, which Markdown does not show: in a line it says whose it is, and of which attempt. */
const SIGNATURE = '[](#'

function signLine({ line, name, attempt }: AnnotationJob): string[] {
  if (line === undefined) return []
  return [name === undefined ? line : `${line} ${SIGNATURE}${name}.${attempt})`]
}

/** Both are of one run. Of what the job said in earlier attempts nothing stays, and what others said does, if their lines are there. */
function join(stored: Annotation, said: Timed, { name, attempt }: AnnotationJob): Timed {
  const [before, after] = [readKeyedText(stored.description), readKeyedText(said.description)]
  const datasets = [...new Set([...stored.datasets, ...said.datasets])].sort()
  const lines = before.lines.filter((line) => !line.includes(`${SIGNATURE}${name}.`) || line.endsWith(`.${attempt})`))
  const isAgain = before.attempt?.attempt !== attempt
  if (isAgain && !lines.some((line) => line.includes(SIGNATURE))) return { ...said, datasets }
  const isLess = isAgain || lines.length < before.lines.length
  const hasFailed = isLess ? lines.some((line) => line.startsWith('failure')) : before.attempt?.failed
  const isKept = hasFailed && !after.attempt?.failed
  const { type, title, url } = isKept ? stored : said
  const { attempt: last } = after
  const endTime = isBefore(stored.endTime, said.endTime) ? said.endTime : stored.endTime
  const description = writeKeyedText({
    key: after.key,
    text: isKept ? before.text : after.text,
    lines: [...lines, ...after.lines],
    attempt: last && { ...last, failed: last.failed || hasFailed === true },
  })
  const time = isBefore(stored.time, said.time) ? stored.time : said.time
  return dropUndefined({ type, title, url, time, endTime, datasets, description }) as Timed
}

/** What is not there was before everything. */
const nsOf = (time = '') => parseTimestamp(time) ?? 0n
const isBefore = (a?: string, b?: string) => nsOf(a) < nsOf(b)
