/**
 * Releases as people think of them, read from the texts and verdicts of annotations: which service went where, how that ended, which
 * rollback undid which, and whether what a release hurt is healed. Pure. Deliberately not here: whether a release is harmful, which is
 * judged by its events (release-judge.ts).
 */
/// <reference lib="es2024.collection" />

import { describeEnd } from '@deployment-annotations/compare/headline'
import { findSame, isBack, listHurt } from '@deployment-annotations/compare/healed'
import { restOf } from '@deployment-annotations/compare/report'
import { type Annotation, DETECTED_RELEASE_TYPE, type VerdictDetails } from '@deployment-annotations/contract/annotation'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import { UNIT_MS } from '@deployment-annotations/contract/duration'
import { isRollback, type Release, readResult } from '@deployment-annotations/contract/release'
import { isWorse } from '@deployment-annotations/contract/verdict'
import { environmentOf } from '../../wire/tags.ts'
import { bareVersion, isSameVersion } from '../versions/posted.ts'

/** A rollback undoes nothing that is older: by then it was made for another reason. What hurt for so long is what is usual now. */
export const STORY_MS_MAX = UNIT_MS.w
/** So much of a commit stands for all of it. */
const COMMIT_LENGTH = 7
/** Jobs that post the same version of a service so soon one after the other post one release. */
const SAME_MS = 10 * UNIT_MS.m

/** So many that come after a harmful release may have healed it. */
const LATER_MAX = 500

/**
 * @param annotations releases of any order, and whatever else may hurt
 * @param others what may have healed them
 * @param nowMs without it, none hurts now
 * @returns the releases in the order of time; their annotations say which hurt now, and of the others how that ended
 */
export function tellStories(
  annotations: readonly Annotation[],
  others: readonly Annotation[],
  nowMs = Number.POSITIVE_INFINITY,
): Release[] {
  const releases = annotations.map(readRelease).sort((a, b) => startOf(a) - startOf(b))
  nameDuplicates(releases.filter(hasHappened))
  // One that goes on has undone nothing so far.
  const told = releases.filter((one) => hasHappened(one) && one.result !== 'running' && one.duplicateOf === undefined)
  for (const place of Map.groupBy(told, ({ service, environment }) => JSON.stringify([service, environment])).values()) {
    const standing: Release[] = []
    for (const release of place) nameUndone(release, standing)
  }
  const timed = others.map((annotation) => ({ annotation, ms: Date.parse(annotation.time) })).sort((a, b) => a.ms - b.ms)
  const byId = new Map(told.map((one) => [one.annotation.id, one]))
  let from = 0
  for (const one of releases.filter(({ isHarmful }) => isHarmful)) {
    const startMs = startOf(one)
    while ((timed[from]?.ms ?? Number.POSITIVE_INFINITY) <= startMs) from++
    const near = timed.slice(from, from + LATER_MAX).filter(({ ms }) => ms <= startMs + STORY_MS_MAX)
    const later = near.map(({ annotation }) => annotation)
    const { rolledBackBy = '' } = byId.get(one.duplicateOf ?? '') ?? one
    nameEnd(one, { later, undone: byId.get(rolledBackBy)?.annotation, nowMs })
  }
  return releases
}

interface Ending {
  /** Those of the week after it, in the order of time. */
  later: readonly Annotation[]
  /** Its rollback. */
  undone: Annotation | undefined
  nowMs: number
}

/** Says of a harmful release when and by what its harm was over, or that it hurts now. */
function nameEnd(release: Release, { later, undone, nowMs }: Ending): void {
  const { annotation } = release
  const overMs = Date.parse(annotation.verdictDetails?.overAt ?? '')
  const found = later.find((other) => isHealedBy(annotation, other))
  const fix = found && wasOver(annotation, found) ? undefined : found
  if (!undone && fix) Object.assign(release, { fixedBy: fix.id, restoreMs: timeUntil(release, fix) })
  else if (!undone && overMs) release.restoreMs = overMs - startOf(release)
  const { verdict, verdictDetails } = annotation
  if (!isWorse(verdict)) return
  const isOver = fix !== undefined || overMs > 0
  if (isOver || (undone && undone.verdict === undefined)) {
    const end = describeEnd({
      afterMs: release.restoreMs ?? timeUntil(release, undone ?? annotation),
      isOver,
      isRolledBack: undone !== undefined,
      by: fix && nameOf(fix),
    })
    release.annotation = { ...annotation, ...(verdictDetails && { verdictDetails: withEnd(verdictDetails, end, fix) }) }
  } else if (startOf(release) >= nowMs - STORY_MS_MAX) release.annotation = { ...annotation, hurtsNow: true }
}

/** As people call a release. */
export const nameOf = ({ version, title, type }: Annotation): string => version ?? title ?? type

/** So many releases of one version before and after a release are compared with it. */
const ALIKE_MAX = 20

/** The same release may be posted twice, and detected, too; the first that was posted counts. */
function nameDuplicates(releases: readonly Release[]): void {
  const keyOf = ({ version = '' }: Release) => bareVersion(version).slice(0, COMMIT_LENGTH)
  for (const alike of Map.groupBy(releases, keyOf).values()) {
    const counted = new Set<Release>()
    for (const isDetected of [false, true])
      for (const [at, release] of alike.entries()) {
        if ((release.annotation.type === DETECTED_RELEASE_TYPE) !== isDetected) continue
        const near = alike.slice(Math.max(0, at - ALIKE_MAX), at + ALIKE_MAX)
        const first = near.find((one) => counted.has(one) && isSameRelease(one.annotation, release.annotation))
        if (!first) counted.add(release)
        else {
          release.duplicateOf = first.annotation.id
          first.isHarmful ||= release.isHarmful
        }
      }
  }
}

/** @returns whether both annotations are of one release, so that neither is near the other, and only one counts */
export function isSameRelease(one: Annotation, other: Annotation): boolean {
  const isDetected = [one, other].some(({ type }) => type === DETECTED_RELEASE_TYPE)
  const apartMs = Math.abs(Date.parse(one.time) - Date.parse(other.time))
  return (
    apartMs <= (isDetected ? UNIT_MS.d : SAME_MS) &&
    isSameVersion(one.version, other.version) &&
    environmentOf(one) === environmentOf(other) &&
    (serviceOf(one) === serviceOf(other) || (isDetected && sharesDataset(one, other))) &&
    !isRollback(one) &&
    !isRollback(other)
  )
}

/** A rollback goes back over at most so many releases. */
const UNDONE_MAX = 20

/** @param standing the releases of the same place before it that nothing has undone, which it then joins or shortens */
function nameUndone(release: Release, standing: Release[]): void {
  const recent = standing.slice(-UNDONE_MAX).filter((one) => startOf(release) - startOf(one) <= STORY_MS_MAX)
  const { version } = release
  // A version that was replaced is back: everything since is undone.
  const back = version === undefined ? -1 : recent.slice(0, -1).findLastIndex((one) => one.version === version)
  if (back >= 0 && recent.at(-1)?.version !== version) release.isRollback = true
  if (!release.isRollback) return void standing.push(release)
  for (const one of recent.slice(back >= 0 ? back + 1 : -1)) {
    standing.splice(standing.indexOf(one), 1)
    release.rollbackOf = one.annotation.id
    Object.assign(one, { rolledBackBy: release.annotation.id, isHarmful: true, restoreMs: timeUntil(one, release.annotation) })
  }
}

/** @returns whether the later one found everything that was hurt back at the level from before it, whatever its own verdict is */
function isHealedBy(harmful: Annotation, { verdictDetails, service, ...place }: Annotation): boolean {
  const hurt = listHurt(harmful)
  if (hurt.length === 0 || !hurt.every((one) => isBack(one, findSame(one, verdictDetails?.series ?? [])))) return false
  const isElsewhere = harmful.service && service && harmful.service !== service
  return !isElsewhere && environmentOf(harmful) === environmentOf(place)
}

/** @param harmful in the order of time @returns the last one before this one that it found healed, and that was not over before it */
export const findHealed = (one: Annotation, harmful: readonly Annotation[]): Annotation | undefined =>
  harmful.findLast((bad) => Date.parse(bad.time) < Date.parse(one.time) && isHealedBy(bad, one) && !wasOver(bad, one))

/** A tenth of the time in which it was found over may still have been harmful. */
const OVER_MS = 10 * UNIT_MS.m

const wasOver = ({ verdictDetails }: Annotation, { time }: Annotation): boolean =>
  Date.parse(verdictDetails?.overAt ?? '') + OVER_MS < Date.parse(time)

/** @returns the sentences, with how it ended behind the first, and when, if something fixed it */
function withEnd(details: VerdictDetails, end: string, fix: Annotation | undefined): VerdictDetails {
  const headline = `${details.headline}. ${end}`
  const text = `${headline} ${restOf(details)}`.trimEnd()
  return { ...details, headline, text, ...(fix && { overAt: fix.endTime ?? fix.time }) }
}

const serviceOf = ({ service, datasets }: Annotation): string => service ?? datasets[0] ?? ''

const sharesDataset = (one: Annotation, other: Annotation) => one.datasets.some((name) => other.datasets.includes(name))

const timeUntil = (release: Release, { time, endTime = time }: Annotation) => Math.max(0, Date.parse(endTime) - startOf(release))

export const startOf = ({ annotation }: Release): number => Date.parse(annotation.time)
export const endOf = ({ annotation: { time, endTime = time } }: Release): number => Date.parse(endTime)

/** Whether anything was changed by it. */
export const hasHappened = ({ result }: Release): boolean => result !== 'failed' && result !== 'canceled'

function readRelease(annotation: Annotation): Release {
  return dropUndefined({
    annotation,
    service: serviceOf(annotation),
    environment: environmentOf(annotation),
    version: annotation.version,
    result: readResult(annotation),
    isRollback: isRollback(annotation),
    isHarmful: isWorse(annotation.verdict),
  })
}
