/** The verdict on a release in a few words. Pure. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { readResult } from '@deployment-annotations/contract/release'
import { isWorse, type Verdict } from '@deployment-annotations/contract/verdict'
import { describeDuration } from '../address/format-time.ts'

/** Red is for what hurts now alone; `unknown` is gray, as is what is routine. */
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
const TONE_SIGNS: Readonly<Record<Tone, string>> = { bad: '●', good: '+', changed: '◇', unknown: '–', same: '✓' }

/** The service says it as soon as the events of ten minutes have come. */
const JUDGED_AFTER_MS = 11 * UNIT_MS.m
/** Events may be so late that a service awaits them without a word, and many releases at once are judged one after the other. */
const JUDGING_MS = 35 * UNIT_MS.m

/** @returns a sign for the verdict; '' without one */
export function signOf({ verdict }: Annotation): string {
  return verdict === undefined ? '' : TONE_SIGNS[TONES[verdict]]
}

/** What was harmful and is no longer has its sign, and is gray. */
export function toneOf({ verdict, hurtsNow }: Annotation): Tone {
  return verdict === undefined || (isWorse(verdict) && !hurtsNow) ? 'unknown' : TONES[verdict]
}

/** @returns the color of its mark in the form a style takes: red while it hurts, amber while it is open, otherwise gray */
export function colorOf({ hurtsNow, open }: Annotation): string {
  return hurtsNow ? 'var(--bad)' : open ? 'var(--warning)' : 'var(--muted)'
}

/** @returns whether it is one of those that are judged, as far as the page knows */
export function isRelease({ type, verdict }: Annotation): boolean {
  return verdict !== undefined || /deploy|release/.test(type)
}

/** @returns the verdict in a few words, or why there is none */
export function headlineOf(annotation: Annotation, nowMs: number): string {
  const { verdictDetails, time, endTime = time, open, createdAt } = annotation
  // Nothing was deployed, so the events say nothing about the release.
  const result = readResult(annotation)
  if ((result === 'failed' || result === 'canceled') && !isWorse(annotation.verdict)) {
    const length = endTime === time ? '' : ` after ${describeDuration(Date.parse(endTime) - Date.parse(time))}`
    return `The pipeline ${result === 'failed' ? 'failed' : 'was canceled'}${length}. Nothing went out.`
  }
  if (verdictDetails) return verdictDetails.headline
  if (open) return `Going out for ${roundDuration(nowMs - Date.parse(time))}. Verdict 10 min after it is out.`
  const dueMs = Math.max(Date.parse(endTime) + JUDGED_AFTER_MS, createdAt === undefined ? 0 : Date.parse(createdAt))
  if (dueMs > nowMs) return `Verdict in ${Math.ceil((dueMs - nowMs) / UNIT_MS.m)} min, if there are events`
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
