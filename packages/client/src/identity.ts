/**
 * How an annotation is found again whose create got no answer, and so no id: by its own members, in a window around its time.
 */
import type { Annotation, AnnotationFilter, NewAnnotation } from '@deployment-annotations/contract/annotation'
import { formatTimestamp, parseTimestamp } from '@deployment-annotations/contract/timestamp'
import { type Clock, systemClock } from './clock.ts'

/** With a time that is chosen, so that all tries send the same. */
export type Timed = NewAnnotation & { time: string }

/**
 * A random key for one request and its repeats. Nobody gains from guessing one: all it has to be is unlike the others of its
 * token. So it does without `node:crypto`, which takes a process that asks once longer to load than asking.
 */
export function newIdempotencyKey(): string {
  return Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
}

/** How far from the annotation's own time a lookup searches: services may cut the digits of a time. */
const LOOKUP_WINDOW_NS = 1_000_000_000n

/** Now, to the nanosecond: the digits below the clock's millisecond are random, so that no two marks are alike. */
export function markNow(clock: Clock = systemClock): string {
  return formatTimestamp(BigInt(clock.now()) * 1_000_000n + BigInt(Math.floor(clock.random() * 1_000_000)))
}

/**
 * Whether a listed annotation is the one that was sent: the same in every member that was sent, as far as services keep what they are
 * given. Some cut or round times to microseconds, milliseconds or seconds, and some bring texts and links into a normal form.
 */
export function isSame(listed: Annotation, sent: NewAnnotation): boolean {
  const set = (names: readonly string[]) => [...new Set(names.map((name) => name.trim()))].sort().join()
  const isSameText = (a = '', b = '') => a === b || normalizeText(a) === normalizeText(b)
  return (
    listed.type === sent.type &&
    set(listed.datasets) === set(sent.datasets) &&
    isSameTime(listed.time, sent.time) &&
    isSameTime(listed.endTime, sent.endTime) &&
    isSameText(listed.title, sent.title) &&
    isSameText(listed.description, sent.description) &&
    isSameText(normalizeUrl(listed.url), normalizeUrl(sent.url))
  )
}

const MICROSECOND = 1_000n
const MILLISECOND = 1_000_000n
export const SECOND = 1_000_000_000n

function isSameTime(listed?: string, sent?: string): boolean {
  if (listed === sent) return true
  const [a, b] = [parseTimestamp(listed ?? ''), parseTimestamp(sent ?? '')]
  if (a === undefined || b === undefined) return false
  const apart = a < b ? b - a : a - b
  return a / MICROSECOND === b / MICROSECOND || [MICROSECOND, MILLISECOND, SECOND].some((unit) => a % unit === 0n && apart < unit)
}

/** @returns whether a listed time still has digits below the second, which are random in {@link markNow}: it is nobody else's */
export function hasOwnDigits({ time }: Pick<Annotation, 'time'>): boolean {
  return (parseTimestamp(time) ?? 0n) % SECOND !== 0n
}

const normalizeText = (text: string) => text.normalize('NFC').replace(/\r\n?/g, '\n').trim()

function normalizeUrl(url = ''): string {
  return (URL.canParse(url) ? new URL(url).href : url).replace(/\/$/, '')
}

/** Only annotations that share a dataset with it are looked through, if it has any. */
export type Near = Pick<AnnotationFilter, 'datasets'> & { time: string }

/**
 * The window and the datasets in which an annotation that was sent must be listed.
 * @param beforeNs how far before its time the window begins
 * @param afterNs how far after its time the window ends
 */
export function around({ time, datasets = [] }: Near, beforeNs = LOOKUP_WINDOW_NS, afterNs = beforeNs): AnnotationFilter {
  const ns = parseTimestamp(time)
  if (ns === undefined) return { datasets }
  return { start: formatTimestamp(ns - beforeNs), end: formatTimestamp(ns + afterNs), datasets }
}

/** Whether a listed annotation is one that such a filter asks for; a service that lists others does not know the filter. */
export function isAskedFor({ time, endTime = time }: Annotation, { start, end }: AnnotationFilter): boolean {
  const [from, to, first, last] = [time, endTime, start ?? '', end ?? ''].map(parseTimestamp)
  if (from === undefined || to === undefined) return false
  return (first === undefined || to >= first - SECOND) && (last === undefined || from <= last + SECOND)
}
