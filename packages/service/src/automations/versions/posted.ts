/**
 * Whether a posted annotation is for a version that was seen in events. Pure.
 */
import { hasWord } from '@deployment-annotations/compare/neighbors'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { StoredAnnotation } from '@deployment-annotations/records/annotations/annotation-records'
import type { SeenVersion } from '@deployment-annotations/records/datasets/seen-version-records'
import { environmentOf, readTags } from '../../wire/tags.ts'

/** An annotation that names the version is for it if its first event is within a day; a rollback weeks later names it too. */
const NEAR_NS = UNIT_NS.d
/** A release that names no version is for one whose first event comes so soon after it, … */
const SOON_NS = 30n * UNIT_NS.m
/** … or so shortly before it, because the last step of a pipeline may post it. */
const BEFORE_NS = 10n * UNIT_NS.m
/** How much of a commit stands for all of it. */
const COMMIT = /^[0-9a-f]{7,40}$/i

/** @param annotation one of the dataset in whose events the version was seen @param isRelease its type says so */
export function isPostedFor(annotation: StoredAnnotation, isRelease: boolean, seen: SeenVersion): boolean {
  const { title = '', description = '', url = '', timeNs, endTimeNs = timeNs, datasets } = annotation
  const isWithin = (beforeNs: bigint, afterNs: bigint) => timeNs - beforeNs <= seen.firstNs && seen.firstNs <= endTimeNs + afterNs
  if (!isWithin(NEAR_NS, NEAR_NS)) return false
  const said = readTags(annotation)
  const isElsewhere = said.environment && seen.environment && environmentOf(said) !== environmentOf(seen)
  if (isElsewhere || differs(said.service, seen.service, datasets)) return false
  const bare = seen.version.replace(/^v(?=\d)/i, '')
  if (isSameVersion(said.version, bare)) return true
  if ([title, description, url].some((text) => hasWord(text, bare) || hasWord(text, seen.version))) return true
  return isRelease && said.version === undefined && isWithin(BEFORE_NS, SOON_NS)
}

/** @returns the version by which others are compared with it: without the `v` that may stand before it */
export const bareVersion = (version: string): string => version.toLowerCase().replace(/^v(?=\d)/, '')

/** @returns whether both are given and the same; a commit may be cut */
export function isSameVersion(...given: [string | undefined, string | undefined]): boolean {
  const [one = '', other = ''] = given.map((version = '') => bareVersion(version))
  if (one === other) return one !== ''
  return COMMIT.test(one) && COMMIT.test(other) && (one.startsWith(other) || other.startsWith(one))
}

/** Names of datasets say nothing of a service: a title of one word may be either. */
function differs(said: string | undefined, seen: string, datasets: readonly string[] = []): boolean {
  if (said === undefined || seen === '' || datasets.includes(said)) return false
  return said.toLowerCase() !== seen.toLowerCase()
}
