/**
 * The lines of a log that say what was done: one for an annotation, one for a request that was not sent.
 */
import type { Hints } from '@deployment-annotations/client/hints'
import type { Annotation, AnnotationChange, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { formatDuration, UNIT_MS } from '@deployment-annotations/contract/duration'
import type { ServiceInputs } from './service.ts'
import { quote, toLog } from './text.ts'

/** What a dry run would send. */
export interface DryRequest {
  method: string
  path: string
  body: NewAnnotation | AnnotationChange
  key?: string | undefined
}

/** @param until what ends the span, if it is one and has no end yet: ` until the job ends` */
export function describe(outcome: 'created' | 'changed', annotation: Annotation, until: string): string {
  const { id, type, title, datasets, time, endTime } = annotation
  const what = [toLog(type), ...(title === undefined ? [] : [quote(title)])].join(' ')
  const end = endTime === undefined ? until : ` to ${toLog(endTime)}`
  return `${outcome === 'created' ? 'Created' : 'Changed'} the annotation ${what} on ${datasets.map((name) => toLog(name)).join(', ')} at ${toLog(time)}${end}: ${id}`
}

export function describeDryRun({ baseUrl }: ServiceInputs, { method, path, body, key }: DryRequest): string {
  const url = baseUrl.href.replace(/(?<!\/)\/+$/, '') + path
  const under = key === undefined ? '' : ` for the key ${quote(key)}`
  return `Dry run: would send ${method} ${toLog(url)}${under} with ${toLog(JSON.stringify(body), 10_000)}`
}

export function describePage(page: string): string {
  return `On its charts: ${toLog(page)}`
}

/** In milliseconds. An annotation that is further ahead is more often a mistake in the year or the unit than a plan. */
const AHEAD_MS_MAX = 366 * UNIT_MS.d

/** @returns what there is to say of an annotation and the service's answer that somebody should look into, a line each */
export function describeDoubts({ time, endTime = time }: Annotation, { warning, clockAheadMs }: Hints): string[] {
  const [member, latest] = Object.entries({ time, endTime }).find(([, at]) => Date.parse(at) - Date.now() > AHEAD_MS_MAX) ?? []
  return [
    ...(latest === undefined ? [] : [`The ${member} of the annotation is more than a year ahead, ${toLog(latest)}: check it.`]),
    ...(warning === undefined ? [] : [`The annotation is stored, but ${toLog(warning).replace(/[^.?]$/, '$&.')}`]),
    ...(clockAheadMs === undefined ? [] : [describeClock(clockAheadMs)]),
  ]
}

function describeClock(aheadMs: number): string {
  const apart = `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`
  return `The clock of this machine is ${apart} the service's, and the annotation as far from its events. Synchronize the clock.`
}
