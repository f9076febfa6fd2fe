/** The verdict on a release as a sign, a color, and in a few words. Pure. */

import { describeUnsent } from '@deployment-annotations/compare/pipeline'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { formatDuration, UNIT_MS } from '@deployment-annotations/contract/duration'
import { type ReleaseResult, readResult } from '@deployment-annotations/contract/release'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { describeDuration } from '../address/format-time.ts'

/** The service says it as soon as the events of ten minutes have come. */
const JUDGED_AFTER_MS = 11 * UNIT_MS.m

/** @returns the color of its mark in the form a style takes: red while it hurts, amber while it is open, otherwise gray */
export function colorOf({ hurtsNow, open }: Annotation): string {
  return hurtsNow ? 'var(--bad)' : open ? 'var(--warning)' : 'var(--muted)'
}

/** @returns whether it is one of those that are judged, as far as the page knows */
export function isRelease({ type, verdict }: Annotation): boolean {
  return verdict !== undefined || /deploy|release/.test(type)
}

/** @returns how the pipeline of a release ended, which says nothing of what the release did; `undefined` if nobody says */
export function pipelineOf(annotation: Annotation): ReleaseResult | undefined {
  return isRelease(annotation) ? readResult(annotation) : undefined
}

/** They differ in shape, and not only in color. */
export const SIGNS = {
  now: ['●', 'hurts now'],
  hurt: ['●', 'hurt'],
  open: ['◐', 'open'],
  failed: ['✕', 'failed'],
  canceled: ['✕', 'canceled'],
  better: ['+', 'better'],
  changed: ['◇', 'changed'],
  harmless: ['✓', 'no harm'],
  unknown: ['–', 'cannot tell'],
  /** Nobody judges it. */
  plain: ['', ''],
} as const satisfies Readonly<Record<string, readonly [sign: string, word: string]>>
export type State = keyof typeof SIGNS

/**
 * The rule of every mark, list and panel.
 * @param isHarmful also of what was rolled back, whatever its verdict is
 */
export function stateOf(annotation: Annotation, isHarmful = isWorse(annotation.verdict)): State {
  const { hurtsNow, open, verdict, verdictDetails: { finding } = {} } = annotation
  const pipeline = pipelineOf(annotation)
  if (isHarmful) return hurtsNow ? 'now' : 'hurt'
  if (open || pipeline === 'running') return 'open'
  if (pipeline === 'failed' || pipeline === 'canceled') return pipeline
  // Traffic that is back is higher, and that is better.
  if (verdict === 'better' || finding === 'restored') return 'better'
  if (verdict === 'lower' || verdict === 'higher') return 'changed'
  if (verdict === 'same' || finding !== undefined) return 'harmless'
  return isRelease(annotation) ? 'unknown' : 'plain'
}

export const signOf = (annotation: Annotation): string => SIGNS[stateOf(annotation)][0]

/** @returns the verdict in a few words, or why there is none */
export function headlineOf(annotation: Annotation, nowMs: number): string {
  const { verdictDetails, time, endTime = time, open, createdAt } = annotation
  const unsent = describeUnsent(annotation)
  if (unsent !== undefined) {
    const length = endTime === time ? '' : ` after ${describeDuration(Date.parse(endTime) - Date.parse(time))}`
    return `${unsent}${length}. Nothing went out.`
  }
  if (verdictDetails) return verdictDetails.headline
  if (open) return `Going out for ${roundDuration(nowMs - Date.parse(time))}. Verdict 10 min after it is out.`
  const dueMs = Math.max(Date.parse(endTime) + JUDGED_AFTER_MS, createdAt === undefined ? 0 : Date.parse(createdAt))
  if (dueMs > nowMs) return `Verdict in ${Math.ceil((dueMs - nowMs) / UNIT_MS.m)} min, if there are events`
  return dueMs + UNIT_MS.d > nowMs ? 'No verdict yet' : 'No verdict: nothing to compare'
}

/** @returns `20 min`, `3 h`, `5 d`: the largest unit alone */
export function roundDuration(ms: number): string {
  return formatDuration(ms).split(' ', 2).join(' ')
}
