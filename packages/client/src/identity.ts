/**
 * How an annotation is found again whose create got no answer, and so no id: by its own members, in a window around its time.
 */
import type { AnnotationFilter } from '@deployment-annotations/contract/annotation'
import type { Annotation, NewAnnotation } from '@deployment-annotations/contract/schemas/annotation'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { type Clock, systemClock } from './clock.ts'

/**
 * A random key for one request and its repeats. Nobody gains from guessing one: all it has to be is unlike the others of its
 * token. So it does without `node:crypto`, which takes a process that asks once longer to load than asking.
 */
export function newIdempotencyKey(): string {
  const part = () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return `${part()}${part()}${part()}${part()}`
}

/** How far from the annotation's own time a lookup searches: services may cut the digits of a time. */
const LOOKUP_WINDOW_NS = 1_000_000_000n

/** Now, to the nanosecond: the digits below the clock's millisecond are random, so that no two marks are alike. */
export function markNow(clock: Clock = systemClock): string {
  return formatTimestamp(BigInt(clock.now()) * 1_000_000n + BigInt(Math.floor(clock.random() * 1_000_000)))
}

/** Whether a listed annotation is the one that was sent: the same in every member that was sent, times to the microsecond. */
export function isSame(listed: Annotation, sent: NewAnnotation): boolean {
  const sameTime = (a?: string, b?: string) => a === b || (a !== undefined && b !== undefined && micros(a) === micros(b))
  const set = (names: readonly string[]) => [...new Set(names.map((name) => name.trim()))].sort().join()
  return (
    listed.type === sent.type &&
    set(listed.datasets) === set(sent.datasets) &&
    sameTime(listed.time, sent.time) &&
    sameTime(listed.endTime, sent.endTime) &&
    (listed.title ?? '') === (sent.title ?? '') &&
    (listed.description ?? '') === (sent.description ?? '') &&
    (listed.url ?? '') === (sent.url ?? '')
  )
}

function micros(time: string): bigint | undefined {
  const ns = parseTimestamp(time)
  return ns === undefined ? undefined : ns / 1_000n
}

/** The window and the datasets in which an annotation that was sent must be listed. */
export function around({ time, datasets }: { time: string; datasets: readonly string[] }): AnnotationFilter {
  const ns = parseTimestamp(time)
  if (ns === undefined) return { datasets }
  return { start: formatTimestamp(ns - LOOKUP_WINDOW_NS), end: formatTimestamp(ns + LOOKUP_WINDOW_NS), datasets }
}
