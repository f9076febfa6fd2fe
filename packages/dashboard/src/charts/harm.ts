/** What hurts now and what is over today, of the releases that the judge found harmful. Pure: the judge alone says what is over. */
import { isLive } from '@deployment-annotations/compare/environments'
import { listHurt } from '@deployment-annotations/compare/healed'
import { describeUnsent } from '@deployment-annotations/compare/pipeline'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { formatIn } from '../address/zone.ts'
import { isRelease } from '../annotations/verdict.ts'

/** A harm that goes on. */
export interface Harm {
  /** The last release that hurt. */
  release: Annotation
  /** What is open on its datasets: a hotfix on its way, an incident, a monitor. */
  open: readonly Annotation[]
}

export interface Harms {
  goingOn: readonly Harm[]
  /** The newest first. */
  over: readonly Annotation[]
}

const newestFirst = (one: Annotation, other: Annotation) => Date.parse(other.time) - Date.parse(one.time)

/** @returns those that were found harmful where people use them, the newest first */
export function pickHarmful(annotations: readonly Annotation[]): Annotation[] {
  return annotations.filter((one) => isWorse(one.verdict) && isLive(one)).sort(newestFirst)
}

/** @param annotations of the last day and of the range, in any order */
export function listHarm(annotations: readonly Annotation[], zone: string, nowMs: number): Harms {
  const harmful = pickHarmful(annotations)
  const hurting: Annotation[] = []
  // Two releases that hurt the same metric are one harm, of which the newer one says how bad it is.
  for (const one of harmful) if (one.hurtsNow && !hurting.some((other) => isSameHarm(one, other))) hurting.push(one)
  const dayOf = (time: string | number) => formatIn(zone, { dateStyle: 'short' }).format(new Date(time))
  return {
    goingOn: hurting.map((release) => ({ release, open: listOpen(annotations, release.datasets) })),
    over: harmful.filter((one) => !one.hurtsNow && dayOf(one.verdictDetails?.overAt ?? one.time) === dayOf(nowMs)),
  }
}

function isSameHarm(one: Annotation, other: Annotation): boolean {
  const names = new Set(listHurt(other).map(({ name }) => name))
  return listHurt(one).some(({ name }) => names.has(name))
}

/** @returns what goes on on one of the datasets: releases first, then the newest; what was left open comes last */
export function listOpen(annotations: readonly Annotation[], datasets: readonly string[]): Annotation[] {
  const rankOf = (one: Annotation) => (one.isStale ? 2 : isRelease(one) ? 0 : 1)
  return annotations
    .filter((one) => one.open && one.datasets.some((name) => datasets.includes(name)))
    .sort((one, other) => rankOf(one) - rankOf(other) || newestFirst(one, other))
}

/** @returns the newest release to where people use it that went out and is not on its way any more */
export function lastRelease(annotations: readonly Annotation[]): Annotation | undefined {
  const ended = annotations.filter((one) => isRelease(one) && isLive(one) && !one.open && describeUnsent(one) === undefined)
  return ended.reduce<Annotation | undefined>(
    (last, one) => (last && Date.parse(last.time) >= Date.parse(one.time) ? last : one),
    undefined,
  )
}
