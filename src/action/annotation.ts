/**
 * Builds what is sent from the checked inputs. Pure: time and job come in.
 */
import type { Annotation, AnnotationChange, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { DESCRIPTION_POINTS_MAX } from '@deployment-annotations/contract/annotation'
import { formatDuration } from '@deployment-annotations/contract/duration'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import { parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { InputError } from './input-error.ts'
import { formatInputTime } from './input-time.ts'
import type { MarkInputs } from './inputs.ts'
import { quote } from './text.ts'

/**
 * @param now the time of the step, which `now` and a missing `time` stand for
 * @param jobUrl the default of `url`; `undefined` where CI does not tell it
 * @throws InputError where the end is before the begin
 */
export function buildAnnotation(mark: MarkInputs, now: string, jobUrl: string | undefined): NewAnnotation & { time: string } {
  const { datasets = [], type = '' } = mark
  const url = mark.url ?? jobUrl
  return {
    ...buildChange({ ...mark, time: mark.time ?? 'now' }, now),
    datasets,
    type,
    ...(url === undefined ? {} : { url }),
  } as NewAnnotation & {
    time: string
  }
}

/** Only what was given; nothing gets a default. @throws InputError where the end is before the begin */
export function buildChange(mark: MarkInputs, now: string): AnnotationChange {
  const { time: givenTime, endTime: givenEnd, ...rest } = mark
  const time = givenTime === undefined ? undefined : formatInputTime(givenTime, now)
  const endTime = givenEnd === undefined || givenEnd === 'job-end' ? undefined : formatInputTime(givenEnd, now)
  if (time !== undefined && endTime !== undefined && ns(endTime) < ns(time)) {
    throw new InputError([`input "endTime" is ${quote(endTime)}, which is before "time" ${quote(time)}`])
  }
  return { ...(time === undefined ? {} : { time }), ...(endTime === undefined ? {} : { endTime }), ...rest }
}

/**
 * What closes a release span when its job ends: the end, and one more line in the description that says how it went.
 * @param status the job's result: `success`, `failure` or `cancelled`
 */
export function buildClosing(span: Pick<Annotation, 'time' | 'description'>, status: string, now: string): AnnotationChange {
  const durationMs = Number((ns(now) - ns(span.time)) / 1_000_000n)
  const line = `${status} after ${formatDuration(durationMs)}`
  // A span whose begin lies in the future ends where it begins: the service refuses an end before that.
  const endTime = ns(now) < ns(span.time) ? span.time : now
  if (!span.description) return { endTime, description: line }
  const room = DESCRIPTION_POINTS_MAX - countPoints(line) - 2
  return { endTime, description: `${cutText(span.description, room)}\n\n${line}` }
}

function ns(time: string): bigint {
  return parseTimestamp(time) ?? 0n
}
