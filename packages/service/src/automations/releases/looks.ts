/**
 * When a release is looked at, how far before and after it, and how much of the error rate each look may take.
 */
import { EARLY_SHARE, FULL_SHARE, STRETCHES } from '@deployment-annotations/compare/around'
import { AFTER_MS, BEFORE_TIMES, type Span } from '@deployment-annotations/compare/windows'
import type { Annotation, VerdictDetails } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import { toWire } from '../../wire/annotation.ts'

/** Each day of the week is in it twice. */
export const PAST_MS = 14 * UNIT_MS.d
/** Of less the judge cannot say what is rare: each moment is compared with that of a week before. */
export const PAST_MS_MIN = 8 * UNIT_MS.d
/** Lengths of what is compared; buckets are a tenth of `bucketsOfMs`. */
export const USUAL = { fromMs: 0, afterMs: AFTER_MS, beforeMs: BEFORE_TIMES * AFTER_MS, bucketsOfMs: AFTER_MS, pastMs: PAST_MS }
/** What grows slowly, such as a leak, is not seen in ten minutes. */
export const HOUR = { fromMs: 0, afterMs: UNIT_MS.h, beforeMs: 2 * UNIT_MS.h, bucketsOfMs: 2 * AFTER_MS, pastMs: 0 }
/** What each look may take of the error rate: together they take no more than one would. */
export const SHARES = { early: EARLY_SHARE, full: FULL_SHARE, hour: EARLY_SHARE } as const

/** @returns the look so long after it at what came since the one before; while versions run side by side there are several */
export function lookAfter(sinceMs: number, isRollOut = false) {
  const last = STRETCHES.findLast(({ untilMs }) => untilMs <= sinceMs && isRollOut)
  return last ? { ...USUAL, ...last, afterMs: last.untilMs - last.fromMs } : { ...USUAL, share: SHARES.full }
}

export function spanOf({ time, endTime = time }: Annotation): Span {
  return { startMs: Date.parse(time), endMs: Date.parse(endTime) }
}

/** In the middle of the time after it, what is surely worse is told. */
export const EARLY_MS = { from: AFTER_MS / 2, until: AFTER_MS / 2 + UNIT_MS.m }
/** Each minute until the time after it is over, which a rollback may end early; and when late events may have come. */
const MINUTES_MS = [3, 4, 5, 6, 7, 8, 9].map((minutes) => minutes * UNIT_MS.m)
const LOOKS_MS = [...MINUTES_MS, AFTER_MS, 2 * AFTER_MS, 7 * AFTER_MS, 37 * AFTER_MS, 145 * AFTER_MS]

/** What hurts is looked at again, and whatever could not be judged, later each time by this part of the time since. */
export const AGAIN_PART = 0.25

/** @param horizonMs until when the events have arrived @returns the next time of which the events are awaited; `null` after the last */
export function nextLookMs(stored: StoredAnnotation, horizonMs: number): number | null {
  const { endMs } = spanOf(toWire(stored, undefined))
  const { isRollOut = false } = JSON.parse(stored.verdictDetails ?? '{}') as { isRollOut?: boolean }
  const looks = isRollOut ? [...STRETCHES.map(({ untilMs }) => untilMs), ...LOOKS_MS].sort((a, b) => a - b) : LOOKS_MS
  const next = looks.map((afterMs) => endMs + afterMs).find((lookMs) => lookMs > horizonMs)
  if (!hurtsStill(stored)) return next ?? null
  return Math.min(next ?? Number.POSITIVE_INFINITY, horizonMs + Math.max(AFTER_MS, AGAIN_PART * (horizonMs - endMs)))
}

/** Whether it was judged as harmful, and what it hurt was not found back since. */
export function hurtsStill({ verdict, verdictDetails = '{}' }: Pick<StoredAnnotation, 'verdict' | 'verdictDetails'>): boolean {
  return isWorse(verdict) && (JSON.parse(verdictDetails) as VerdictDetails).overAt === undefined
}
