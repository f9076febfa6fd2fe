/**
 * The stretches of time that are compared, around an event that is a moment or a span. What lies within the span belongs to
 * neither side, because a deployment under way is a mixture of both; of an incident it is the time that matters, so it can be compared
 * in place of the time after.
 */
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'

/** Milliseconds since the epoch; the end is not included. */
export interface Span {
  startMs: number
  endMs: number
}

export interface Windows {
  before: Span
  after: Span
  /** How long ago other times were that say what was to be expected, such as a day and a week. */
  seasonsMs: readonly number[]
}

export interface WindowOptions {
  /** Length of the window after the event. */
  windowMs: number
  /** Length of the window before it: a longer one finds more, because what was usual is known better. */
  beforeMs: number
  /** How long ago the same hours were that are looked at where there is data. */
  seasonsMs: readonly number[]
}

/** A day and a week ago it was the same hour, and mostly the same kind of day. */
export const SEASONS_MS: readonly number[] = [UNIT_MS.d, UNIT_MS.w]

/** How much is looked at after an event where nobody says. */
export const WINDOW_MS = 10 * UNIT_MS.m

/** So many times the window after the event is the window before it, unless told otherwise; docs/compare.md says why. */
export const BEFORE_TIMES = 6

/** @param nowMs where the window after ends at the latest */
export function windowsAround(
  { startMs, endMs }: Span,
  { windowMs, beforeMs, seasonsMs }: WindowOptions,
  nowMs: number,
): Windows {
  const after = { startMs: endMs, endMs: Math.max(endMs, Math.min(endMs + windowMs, nowMs)) }
  const before = { startMs: startMs - beforeMs, endMs: startMs }
  return { before, after, seasonsMs }
}

/** The same with the time of the event itself, as far as it is over, in place of the time after it. */
export function windowsDuring({ startMs, endMs }: Span, { beforeMs }: Pick<WindowOptions, 'beforeMs'>, nowMs: number): Windows {
  const during = { startMs, endMs: Math.max(startMs, Math.min(endMs, nowMs)) }
  return { before: { startMs: startMs - beforeMs, endMs: startMs }, after: during, seasonsMs: [] }
}

/** Events are sent in batches: those of the last seconds of a window arrive after it is over. */
export const ARRIVAL_MS = 30_000

/** @returns how long to wait until the window after the event is over and its events have arrived, at most `waitMsMax` */
export function waitBefore(
  { endMs }: Span,
  { windowMs }: Pick<WindowOptions, 'windowMs'>,
  waitMsMax: number,
  nowMs: number,
): number {
  return Math.max(0, Math.min(waitMsMax, endMs + windowMs + ARRIVAL_MS - nowMs))
}

/** A look each so often, from the middle of the window on: events of some senders are minutes late, and that is no outage. */
const LOOK_MS_MIN = UNIT_MS.m
const LOOKS = 10
const FIRST_LOOK = 5

/** @returns when to look while the window after the event is not over, as far as waiting is allowed; milliseconds since the epoch */
export function looksBefore(
  { endMs }: Span,
  { windowMs }: Pick<WindowOptions, 'windowMs'>,
  waitMsMax: number,
  nowMs: number,
): number[] {
  const everyMs = Math.max(LOOK_MS_MIN, windowMs / LOOKS)
  const looks: number[] = []
  for (let at = FIRST_LOOK * everyMs; at < windowMs; at += everyMs) looks.push(endMs + at + ARRIVAL_MS)
  return looks.filter((lookMs) => lookMs > nowMs && lookMs <= nowMs + waitMsMax)
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
