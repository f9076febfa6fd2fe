/** The verdict on a release in a few words. Pure. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import type { Verdict } from '@deployment-annotations/contract/verdict'
import { resultOf } from './result.ts'

/** Red is for worse alone; `unknown` is gray, as is what is routine. */
type Tone = 'bad' | 'good' | 'changed' | 'unknown' | 'same'

const TONES: Readonly<Record<Verdict, Tone>> = {
  gone: 'bad',
  worse: 'bad',
  lower: 'changed',
  higher: 'changed',
  better: 'good',
  inconclusive: 'unknown',
  same: 'same',
}

/** The signs differ in shape, and not only in color. */
const TONE_SIGNS: Readonly<Record<Tone, string>> = { bad: '▲', good: '▼', changed: '◆', unknown: '·', same: '=' }

/** The service says it as soon as the events of ten minutes have come. */
const JUDGED_AFTER_MS = 11 * UNIT_MS.m
/** Events may be so late that a service awaits them without a word, and many releases at once are judged one after the other. */
const JUDGING_MS = 35 * UNIT_MS.m

/** @returns a sign for the verdict; '' without one */
export function signOf(annotation: Annotation): string {
  return annotation.verdict === undefined ? '' : TONE_SIGNS[toneOf(annotation)]
}

export function toneOf({ verdict }: Annotation): Tone {
  return verdict === undefined ? 'unknown' : TONES[verdict]
}

/** @returns whether it is one of those that are judged, as far as the page knows */
export function isRelease({ type, verdict }: Annotation): boolean {
  return verdict !== undefined || /deploy|release/.test(type)
}

/** @returns the verdict in a few words, or why there is none */
export function headlineOf(annotation: Annotation, nowMs: number): string {
  const { verdictDetails, time, endTime = time, open, createdAt } = annotation
  // Nothing was deployed, so the events say nothing about the release.
  if (resultOf(annotation) === 'failed' && toneOf(annotation) !== 'bad') return 'The pipeline failed'
  if (verdictDetails) return verdictDetails.headline
  if (open) return 'In progress'
  const dueMs = Math.max(Date.parse(endTime) + JUDGED_AFTER_MS, createdAt === undefined ? 0 : Date.parse(createdAt))
  if (dueMs > nowMs) return `Verdict in ${Math.ceil((dueMs - nowMs) / UNIT_MS.m)} min`
  if (dueMs + JUDGING_MS > nowMs) return 'Verdict pending'
  return dueMs + UNIT_MS.d > nowMs ? 'No verdict yet: nothing to compare so far' : 'No verdict: nothing to compare'
}

const UNITS: readonly [keyof typeof UNIT_MS, string][] = [
  ['d', 'd'],
  ['h', 'h'],
  ['m', 'min'],
]

/** @returns `20 min`, `3 h`, `5 d`: the largest unit alone */
export function roundDuration(ms: number): string {
  const [unit, word] = UNITS.find(([name]) => ms >= UNIT_MS[name]) ?? ['s', 's']
  return `${Math.max(0, Math.floor(ms / UNIT_MS[unit]))} ${word}`
}
