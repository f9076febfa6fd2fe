/**
 * The compared windows around an event, which is a point in time or a span. The span itself belongs to neither side, because a
 * deployment in progress is a mixture of both. For an incident the span is what matters, so it can be compared instead of the time
 * after.
 */
import { UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import { formatTimestamp } from '@deployment-annotations/contract/timestamp'

/** Milliseconds since the epoch; the end is not included. */
export interface Span {
  startMs: number
  endMs: number
}

/** A span as queries take it. */
export interface TimeRange {
  startTime: string
  endTime: string
}

export interface Windows {
  before: Span
  after: Span
  /** How long ago the other times are, such as a day and a week. */
  seasonsMs: readonly number[]
}

export interface WindowOptions {
  /** Length of the window after the event. */
  afterMs: number
  /** Length of the window before it. A longer one finds more, because it shows better what is usual. */
  beforeMs: number
  /** How long ago the same hours are compared too, if there is data. */
  seasonsMs: readonly number[]
}

/** A day and a week ago it was the same hour, and usually the same kind of day. */
export const SEASONS_MS: readonly number[] = [UNIT_MS.d, UNIT_MS.w]

/** The default length of the window after an event. */
export const AFTER_MS = 10 * UNIT_MS.m

/** The default length of the window before, in windows after; docs/compare.md says why. */
export const BEFORE_TIMES = 6

/** @param nowMs the latest end of the window after */
export function windowsAround({ startMs, endMs }: Span, { afterMs, beforeMs, seasonsMs }: WindowOptions, nowMs: number): Windows {
  const after = { startMs: endMs, endMs: Math.max(endMs, Math.min(endMs + afterMs, nowMs)) }
  const before = { startMs: startMs - beforeMs, endMs: startMs }
  return { before, after, seasonsMs }
}

/** Events are sent in batches, so the last ones of a window arrive after its end. */
export const ARRIVAL_MS = 30_000

interface WaitOptions extends Pick<WindowOptions, 'afterMs'> {
  nowMs: number
  /** When waiting ends at the latest. */
  untilMs: number
  /** How late events arrive. */
  lagMs: number
}

/** @returns how long to wait for the end of the window after the event and for its events */
export function waitBefore({ endMs }: Span, { afterMs, nowMs, untilMs, lagMs }: WaitOptions): number {
  return Math.max(0, Math.min(untilMs, endMs + afterMs + lagMs) - nowMs)
}

/** The interval of early comparisons, from the middle of the window on. Some senders are minutes late, and that is no outage. */
const LOOK_MS_MIN = UNIT_MS.m
const LOOKS = 10
const FIRST_LOOK = 5

/** @returns the times of early comparisons within the allowed wait, in milliseconds since the epoch */
export function looksBefore({ endMs }: Span, { afterMs, nowMs, untilMs, lagMs }: WaitOptions): number[] {
  const everyMs = Math.max(LOOK_MS_MIN, afterMs / LOOKS)
  const looks: number[] = []
  for (let at = FIRST_LOOK * everyMs; at < afterMs; at += everyMs) looks.push(endMs + at + lagMs)
  return looks.filter((lookMs) => lookMs > nowMs && lookMs <= untilMs)
}

export function shift({ startMs, endMs }: Span, byMs: number): Span {
  return { startMs: startMs + byMs, endMs: endMs + byMs }
}

/** @returns the other days without those on which something hurt within these hours: they excuse nothing today */
export function withoutHurt(windows: Windows, hurtSpans: readonly Span[]): Windows {
  const whole = { startMs: windows.before.startMs, endMs: windows.after.endMs }
  const isHurt = (day: Span) => hurtSpans.some(({ startMs, endMs }) => startMs < day.endMs && endMs >= day.startMs)
  return { ...windows, seasonsMs: windows.seasonsMs.filter((ago) => !isHurt(shift(whole, -ago))) }
}

export function formatSpan({ startMs, endMs }: Span): TimeRange {
  const format = (ms: number) => formatTimestamp(BigInt(Math.round(ms)) * UNIT_NS.ms)
  return { startTime: format(startMs), endTime: format(endMs) }
}
