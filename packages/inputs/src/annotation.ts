/**
 * Builds what is sent from the checked inputs. Pure: time and job come in.
 */

import type { Timed } from '@deployment-annotations/client/identity'
import type { Annotation, AnnotationChange } from '@deployment-annotations/contract/annotation'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { formatDuration } from '@deployment-annotations/contract/duration'
import { readKeyedText, writeKeyedText } from '@deployment-annotations/contract/key-line'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { refuse } from './input-error.ts'
import { formatInputTime } from './input-time.ts'
import type { MarkChange, NewMark } from './mark.ts'
import { quote } from './text.ts'

/**
 * @param now the time of the step, which `now` stands for
 * @param jobUrl the default of `url`; `undefined` if CI does not provide it
 * @throws InputError where the end is before the start
 */
export function buildAnnotation(mark: NewMark, now: string, jobUrl: string | undefined): Timed {
  const { datasets, type, url = jobUrl, ...rest } = mark
  const time = formatInputTime(mark.time, now)
  return { ...buildChange({ ...rest, url, datasets: undefined, type: undefined }, now), time, datasets, type }
}

/** Only what was given; nothing gets a default. @throws InputError where the end is before the start */
export function buildChange(mark: MarkChange, now: string): AnnotationChange {
  const time = mark.time && formatInputTime(mark.time, now)
  const endTime = mark.endTime && mark.endTime !== 'job-end' ? formatInputTime(mark.endTime, now) : undefined
  if (time !== undefined && endTime !== undefined && ns(endTime) < ns(time)) {
    refuse('endTime', ` is ${quote(endTime)}, which is before the start, ${quote(time)}`)
  }
  // What a change leaves out keeps its value, so a member that was not given must not be there.
  return dropUndefined({ ...mark, time, endTime })
}

/**
 * What closes a release span when its job ends: the end, and one more line in the description that says how it went.
 * @param status the job's result, as results.ts reads it: `ended` where it is not known
 */
export function buildClosing(span: Pick<Annotation, 'time' | 'description'>, status: string, now: string): AnnotationChange {
  // A span whose start lies in the future ends where it starts: the service refuses an end before that.
  const endTime = ns(now) < ns(span.time) ? span.time : now
  const said = readKeyedText(span.description)
  return { endTime, description: writeKeyedText({ ...said, lines: [...said.lines, describeResult(span, status, now)] }) }
}

/** @returns the line that says how a job went whose span began then, for example `failure after 4 min 12 s` */
export function describeResult({ time }: { time: string }, status: string, now: string): string {
  return `${status} after ${formatDuration(Number((ns(now) - ns(time)) / 1_000_000n))}`
}

function ns(time: string): bigint {
  return parseTimestamp(time) ?? 0n
}
