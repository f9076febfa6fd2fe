/**
 * Releases as people think of them, read from the texts of annotations: which service went where, how that ended, and which rollback
 * undid which. Pure. Deliberately not here: whether a release is harmful, which is judged by its events (release-judge.ts).
 */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { dropUndefined } from '@deployment-annotations/contract/drop-undefined'
import type { Release } from '@deployment-annotations/contract/release'
import { isRollback, readResult } from '@deployment-annotations/contract/release'
import { isWorse } from '@deployment-annotations/contract/verdict'

/** What the type of an incident says. */
export const INCIDENT = /incident|outage/
/** A rollback undoes nothing that is older: by then it was made for another reason. */
const UNDONE_MS_MAX = 7 * 86_400_000

/** @param annotations releases of any order @returns them in the order of time */
export function tellStories(annotations: readonly Annotation[]): Release[] {
  const releases = annotations.map(readRelease).sort((a, b) => startOf(a) - startOf(b))
  const places = new Map<string, Release[]>()
  for (const release of releases.filter(hasHappened)) {
    const place = JSON.stringify([release.service, release.environment])
    const earlier = places.get(place) ?? []
    places.set(place, earlier)
    const [before, last] = [earlier.at(-2), earlier.at(-1)]
    earlier.push(release)
    if (!last) continue
    if (last.isHarmful && last.rolledBackBy === undefined && release.annotation.verdict === 'better') {
      last.fixedBy = release.annotation.id
      last.restoreMs = Math.max(0, endOf(release) - startOf(last))
    }
    // The version before the last one is back.
    const isBack = last.version !== undefined && release.version !== last.version && release.version === before?.version
    if (isBack && release.version !== undefined) release.isRollback = true
    const undone = earlier.findLast((one) => !one.isRollback && one.rolledBackBy === undefined)
    if (!release.isRollback || !undone || startOf(release) - startOf(undone) > UNDONE_MS_MAX) continue
    release.rollbackOf = undone.annotation.id
    undone.rolledBackBy = release.annotation.id
    undone.isHarmful = true
    undone.restoreMs = Math.max(0, endOf(release) - startOf(undone))
  }
  return releases
}

export const startOf = ({ annotation }: Release): number => Date.parse(annotation.time)
export const endOf = ({ annotation: { time, endTime = time } }: Release): number => Date.parse(endTime)

/** Whether anything was changed by it. */
export const hasHappened = ({ result }: Release): boolean => result !== 'failed' && result !== 'canceled'

function readRelease(annotation: Annotation): Release {
  const { datasets, verdict, service = datasets[0] ?? '', environment = '', version } = annotation
  return dropUndefined({
    ...{ annotation, service, environment, version },
    result: readResult(annotation),
    isRollback: isRollback(annotation),
    isHarmful: isWorse(verdict),
  })
}
