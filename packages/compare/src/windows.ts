/**
 * The stretches of time that are compared, around an event that is a moment or a span. What lies within the span belongs to
 * neither side, because a deployment under way is a mixture of both; of an incident it is the time that matters, so it can be compared
 * in place of the time after.
 */
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'

/** Milliseconds since the epoch; the end is not included. */
export interface Span {
  startMs: number
  endMs: number
}

export interface Windows {
  before: Span
  after: Span
  /** `after`, one season earlier. */
  season?: Span
}

export interface WindowOptions {
  /** Length of the window after the event. */
  windowMs: number
  /** Length of the window before it: a longer one finds more, because what was usual is known better. */
  beforeMs: number
  /** How long ago the same hour was: a day, a week. */
  seasonMs?: number | undefined
}

/** So many times the window after the event is the window before it, unless told otherwise; docs/compare.md says why. */
export const BEFORE_TIMES = 6

/** @param nowMs where the window after ends at the latest */
export function windowsAround({ startMs, endMs }: Span, { windowMs, beforeMs, seasonMs }: WindowOptions, nowMs: number): Windows {
  const after = { startMs: endMs, endMs: Math.max(endMs, Math.min(endMs + windowMs, nowMs)) }
  const before = { startMs: startMs - beforeMs, endMs: startMs }
  return { before, after, ...(seasonMs !== undefined && { season: shift(after, -seasonMs) }) }
}

/** The same with the time of the event itself, as far as it is over, in place of the time after it. */
export function windowsDuring({ startMs, endMs }: Span, { beforeMs }: Pick<WindowOptions, 'beforeMs'>, nowMs: number): Windows {
  const during = { startMs, endMs: Math.max(startMs, Math.min(endMs, nowMs)) }
  return { before: { startMs: startMs - beforeMs, endMs: startMs }, after: during }
}

/** Events are sent in batches: those of the last seconds of a window arrive after it is over. */
const ARRIVAL_MS = 30_000

/** @returns how long to wait until the window after the event is over and its events have arrived, at most `waitMsMax` */
export function waitBefore({ endMs }: Span, { windowMs }: WindowOptions, waitMsMax: number, nowMs: number): number {
  return Math.max(0, Math.min(waitMsMax, endMs + windowMs + ARRIVAL_MS - nowMs))
}

export function shift({ startMs, endMs }: Span, byMs: number): Span {
  return { startMs: startMs + byMs, endMs: endMs + byMs }
}

export function contains(outer: Span, inner: Span): boolean {
  return inner.startMs >= outer.startMs && inner.endMs <= outer.endMs
}

/** As queries take it. */
export function formatSpan({ startMs, endMs }: Span): { startTime: string; endTime: string } {
  return { startTime: formatMs(startMs), endTime: formatMs(endMs) }
}

function formatMs(ms: number): string {
  return formatTimestamp(BigInt(Math.round(ms)) * UNIT_NS.ms)
}
