/** Ranges of time and the steps that charts count in: parses and formats both. Pure. */
import { parseDuration, UNIT_MS, UNIT_NS } from '@deployment-annotations/contract/duration'
import { parseRelativeTime } from '@deployment-annotations/contract/relative-time'
import { BIN_WIDTH_PATTERN } from '@deployment-annotations/contract/saved-view'
import { parseTimestamp, STORABLE_FIRST_NS, STORABLE_LAST_NS } from '@deployment-annotations/contract/timestamp'

/** `[startMs, endMs)`, in milliseconds since the epoch. */
export interface Range {
  startMs: number
  endMs: number
}

/** The texts of a range, each relative to now or in RFC 3339. */
export interface Times {
  startTime: string
  endTime: string
}

/** @returns the milliseconds since the epoch for `now`, `now-15m`, `now+1h` or an RFC 3339 time; `undefined` for any other text */
export function parseTime(text: string, nowMs: number): number | undefined {
  const ns = parseRelativeTime(text.trim(), BigInt(nowMs) * UNIT_NS.ms) ?? parseTimestamp(text.trim())
  return ns === undefined ? undefined : Number(ns / UNIT_NS.ms)
}

/** @returns the range, or the error that says which of its texts is wrong, and why */
export function tryRange(startTime: string, endTime: string, nowMs = Date.now()): { range?: Range; rangeError?: RangeError } {
  const [startMs, endMs] = [startTime, endTime].map((text) => parseTime(text, nowMs))
  const [start, end] = [startTime, endTime].map((text) => JSON.stringify(text))
  if (startMs === undefined) return { rangeError: new RangeError(`the start ${start} is not a time: ${TIME_FORMS}`) }
  if (endMs === undefined) return { rangeError: new RangeError(`the end ${end} is not a time: ${TIME_FORMS}`) }
  if (endMs <= startMs) return { rangeError: new RangeError(`the end ${end} is not after the start ${start}`) }
  return { range: { startMs, endMs } }
}

export const TIME_FORMS = 'write now, now-15m, now+1h (s, m, h, d, w) or 2026-01-31 12:00'

/** @returns whether a range moves with the clock */
export function isMoving(startTime: string, endTime: string): boolean {
  return startTime.trim().startsWith('now') || endTime.trim().startsWith('now')
}

/** A range that goes on with the clock is the same to those who look at it. */
const SAME_PART = 0.05

/** @returns whether what is known of one range says little of the other */
export function isOtherRange(one: Range, other: Range): boolean {
  const near = (one.endMs - one.startMs) * SAME_PART
  return Math.abs(one.startMs - other.startMs) > near || Math.abs(one.endMs - other.endMs) > near
}

/** @returns the two texts of a fixed range */
export function formatRange({ startMs, endMs }: Range): Times {
  return { startTime: new Date(startMs).toISOString(), endTime: new Date(endMs).toISOString() }
}

/** Nothing can be stored outside these times, so ranges do not move or widen beyond them. */
const FIRST_MS = Number(STORABLE_FIRST_NS / UNIT_NS.ms)
const LAST_MS = Number(STORABLE_LAST_NS / UNIT_NS.ms)

/** @param by a part of the range's width: -0.5 moves it back by half a width */
export function shiftRange({ startMs, endMs }: Range, by: number): Range {
  const wantedMs = Math.round((endMs - startMs) * by)
  const shiftMs = Math.min(Math.max(wantedMs, FIRST_MS - startMs), LAST_MS - endMs)
  return { startMs: startMs + shiftMs, endMs: endMs + shiftMs }
}

/** @param factor of the width: 2 shows twice as much around the same middle */
export function scaleRange({ startMs, endMs }: Range, factor: number): Range {
  const middleMs = (startMs + endMs) / 2
  const halfMs = Math.max(1, ((endMs - startMs) / 2) * factor)
  return { startMs: Math.max(FIRST_MS, Math.round(middleMs - halfMs)), endMs: Math.min(LAST_MS, Math.round(middleMs + halfMs)) }
}

const { s: SECOND, m: MINUTE, h: HOUR, d: DAY } = UNIT_MS
/** The steps that charts count in, in milliseconds, the narrowest first. */
export const STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 5, 10, 30].map((n) => n * DAY),
]

/** @returns the smallest round step, in milliseconds, of which at most `stepsMax` cover the range */
export function pickStep({ startMs, endMs }: Range, stepsMax: number): number {
  return STEPS_MS.find((step) => (endMs - startMs) / step <= stepsMax) ?? 365 * DAY
}

/** A chart of fewer intervals says nothing, and no screen shows more. */
const STEPS_MIN = 5
const STEPS_MAX = 2_000
/** A step that was chosen for a narrower range is used up to this number of intervals, which can still be drawn. */
const STEPS_DRAWN_MAX = 5_000

/** @returns the round steps that make sense for a range, in milliseconds, the narrowest first */
export function listSteps({ startMs, endMs }: Range): number[] {
  const isSensible = (step: number) => (endMs - startMs) / step >= STEPS_MIN && (endMs - startMs) / step <= STEPS_MAX
  return STEPS_MS.filter(isSensible)
}

/** @returns the milliseconds of a step as a query writes it; `undefined` for any other text */
export function parseStep(text: string): number | undefined {
  if (!BIN_WIDTH_PATTERN.test(text)) return undefined
  return Number((parseDuration(text) ?? 0n) / UNIT_NS.ms)
}

/** @returns the milliseconds of the step that was chosen; `undefined` if it is far too narrow for the range */
export function chosenStep(text: string, { startMs, endMs }: Range): number | undefined {
  const step = parseStep(text)
  return step !== undefined && (endMs - startMs) / step <= STEPS_DRAWN_MAX ? step : undefined
}

/** @returns a step as a query writes it: `500ms`, `30s`, `5m` */
export function formatStep(ms: number): string {
  if (ms % SECOND !== 0) return `${ms}ms`
  if (ms % MINUTE !== 0) return `${ms / SECOND}s`
  if (ms % HOUR !== 0) return `${ms / MINUTE}m`
  return ms % DAY !== 0 ? `${ms / HOUR}h` : `${ms / DAY}d`
}
