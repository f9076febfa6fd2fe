/** The texts of an annotation, and the view of the charts around it. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { describeDuration, formatTime } from '../address/format-time.ts'
import { formatRange, type Range } from '../address/range.ts'
import { DEFAULT_VIEW, type View } from '../address/view.ts'
import { isRelease, pipelineOf } from './verdict.ts'

export function titleOf({ title, type }: Annotation): string {
  return title ?? type
}

/** @returns such as `pipeline succeeded`; '' if nobody says */
export function describePipeline(annotation: Annotation): string {
  const pipeline = pipelineOf(annotation)
  return pipeline === undefined ? '' : `pipeline ${pipeline}`
}

/** @returns the title, type, time and result of an annotation, for people who cannot see its mark */
export function describeMark(annotation: Annotation, zone: string): string {
  const { type, verdictDetails } = annotation
  return [titleOf(annotation), type, whenOf(annotation, zone), describePipeline(annotation), verdictDetails?.headline]
    .filter(Boolean)
    .join(', ')
}

/** @returns the time, and the length of a span: `31 Jan 2026, 12:00:00, for 4 min 12 s` */
export function whenOf(annotation: Annotation, zone: string): string {
  return [formatTime(annotation.time, zone), describeTook(annotation, Date.now())].filter(Boolean).join(', ')
}

/** @returns `for 4 min 12 s`, or with another verb, or how long it goes on already; '' of a point in time */
export function describeTook(annotation: Annotation, nowMs: number, verb = 'for'): string {
  const { time, endTime = time, open } = annotation
  if (open) return describeOpen(annotation, nowMs)
  const ms = Date.parse(endTime) - Date.parse(time)
  return ms > 0 ? `${verb} ${describeDuration(ms)}` : ''
}

/** @returns how long it goes on already, and what the service says of that */
export function describeOpen(annotation: Annotation, nowMs: number): string {
  return `open for ${openFor(annotation, nowMs)}${annotation.isStale ? ', still on?' : ''}`
}

/** @returns such as `web 2.15.1 going out for 4 min`, `INC-440, 3 h 8 min`, and `Old maintenance, 1 d 16 h: still on?` */
export function describeGoingOn(annotation: Annotation, nowMs: number): string {
  const joint = isRelease(annotation) ? ' going out for ' : ', '
  return `${titleOf(annotation)}${joint}${openFor(annotation, nowMs)}${annotation.isStale ? ': still on?' : ''}`
}

function openFor({ time }: Annotation, nowMs: number): string {
  const ms = nowMs - Date.parse(time)
  return describeDuration(ms < UNIT_MS.m ? Math.max(0, ms) : ms - (ms % UNIT_MS.m))
}

/**
 * The time shown on either side, as in the service's links to annotations. A longer span is shown with its own length on either side.
 */
const AROUND_MS_MIN = UNIT_MS.h

/** @returns one that is open goes on until now */
export function spanOf({ time, endTime = time, open }: Annotation): Range {
  const startMs = Date.parse(time)
  return { startMs, endMs: open ? Math.max(startMs, Date.now()) : Date.parse(endTime) }
}

/** @returns whether a part of the annotation is in a range */
export function isWithin(annotation: Annotation, { startMs, endMs }: Range): boolean {
  const span = spanOf(annotation)
  return span.endMs >= startMs && span.startMs <= endMs
}

/** @param from the view whose zone is used */
export function viewAround(annotation: Annotation, { zone }: Pick<View, 'zone'>): View {
  const { startMs, endMs } = spanOf(annotation)
  const aroundMs = Math.max(AROUND_MS_MIN, endMs - startMs)
  return {
    ...DEFAULT_VIEW,
    ...formatRange({ startMs: startMs - aroundMs, endMs: endMs + aroundMs }),
    datasets: annotation.datasets,
    annotations: [annotation.id],
    zone,
  }
}
