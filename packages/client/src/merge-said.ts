/**
 * What a job says of an annotation that it shares with others, merged with what is stored, on a service that knows no keys: the rules of
 * our service as far as the members of one annotation can hold them. Pure.
 */
import { type AnnotationPart, isEarlierAttempt, isSameAttempt } from '@deployment-annotations/contract/annotation-part'
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/schemas/annotation'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { escapeName, readKeyedText, writeKeyedText } from './key-line.ts'

type Timed = NewAnnotation & { time: string }

/** What one job says. */
export interface Said {
  key: string
  /** Without it the annotation is replaced. */
  part?: AnnotationPart | undefined
  annotation: Timed
}

/** @returns what is to be stored, or the stored annotation of a later attempt, which stays as it is */
export function mergeSaid(said: Said, stored: readonly Annotation[]): Timed | Annotation {
  const { part } = said
  let merged = write(said)
  if (!part) return merged
  for (const copy of stored) {
    const { attempt } = readKeyedText(copy.description)
    if (attempt && isEarlierAttempt(part, attempt)) return copy
    if (attempt && isSameAttempt(part, attempt)) merged = join(copy, merged)
  }
  return merged
}

/** @returns whether nobody who wrote at the same moment has overwritten it */
export function includesSaid(stored: Annotation, { part, annotation }: Said): boolean {
  const { attempt, lines } = readKeyedText(stored.description)
  if (!part || !attempt || !isSameAttempt(part, attempt)) return true
  const ends = [stored.endTime, annotation.endTime].map((end) => ns(end ?? '') ?? 0n) as [bigint, bigint]
  return (
    (attempt.failed || !part.failed) &&
    (part.line === undefined || lines.includes(part.line)) &&
    ends[0] >= (ends[1] / 1_000_000_000n) * 1_000_000_000n &&
    annotation.datasets.every((name) => stored.datasets.includes(name))
  )
}

function write({ key, part, annotation }: Said): Timed {
  const { run, attempt, failed = false, line } = part ?? {}
  const description = writeKeyedText({
    text: annotation.description ?? '',
    lines: line === undefined ? [] : [line],
    key: escapeName(key),
    ...(run !== undefined && attempt !== undefined && { attempt: { run, attempt, failed } }),
  })
  return { ...annotation, description }
}

/** Both are of one attempt. */
function join(stored: Annotation, said: Timed): Timed {
  const [before, after] = [readKeyedText(stored.description), readKeyedText(said.description)]
  const isKept = before.attempt?.failed && !after.attempt?.failed
  const { type, title, url } = isKept ? stored : said
  const attempt = after.attempt && { ...after.attempt, failed: after.attempt.failed || (before.attempt?.failed ?? false) }
  const ends = [stored.endTime, said.endTime].filter((end) => end !== undefined)
  const endTime = ends.reduce<string | undefined>(
    (last, end) => (last === undefined || isBefore(last, end) ? end : last),
    undefined,
  )
  return {
    type,
    time: isBefore(stored.time, said.time) ? stored.time : said.time,
    datasets: [...new Set([...stored.datasets, ...said.datasets])].sort(),
    ...(endTime !== undefined && { endTime }),
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    description: writeKeyedText({
      ...after,
      text: isKept ? before.text : after.text,
      lines: [...before.lines, ...after.lines],
      ...(attempt && { attempt }),
    }),
  }
}

const ns = parseTimestamp
const isBefore = (a: string, b: string) => (ns(a) ?? 0n) < (ns(b) ?? 0n)
