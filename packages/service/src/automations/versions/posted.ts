/**
 * Whether somebody has posted an annotation for a version that was seen in events. Pure.
 */
import { hasWord } from '@deployment-annotations/compare/neighbours'
import { UNIT_NS } from '@deployment-annotations/contract/duration'
import type { StoredAnnotation } from '@deployment-annotations/records/annotation-records'
import { readTags } from '../../annotations/tags.ts'
import type { VersionSpan } from './seen.ts'

/** An annotation that names no version is for one whose first event comes so soon after it, … */
const SOON_NS = 30n * UNIT_NS.m
/** … or so shortly before it, as where the last step of a pipeline posts it. */
const BEFORE_NS = 10n * UNIT_NS.m
/** The least of a commit that stands for all of it. */
const COMMIT = /^[0-9a-f]{7,40}$/i

export interface PostedAnnotation {
  annotation: StoredAnnotation
  isRelease: boolean
}

/**
 * @param annotation one of the same dataset @param isRelease its type says so
 * @param sinceNs when the version arrived
 */
export function isPostedFor(
  { annotation, isRelease }: PostedAnnotation,
  { service, environment, version }: Pick<VersionSpan, 'service' | 'environment' | 'version'>,
  sinceNs: bigint,
): boolean {
  const said = readTags(annotation)
  if (differs(said.environment, environment) || differs(said.service, service, annotation.datasets)) return false
  const { title = '', description = '', url = '', timeNs, endTimeNs = timeNs } = annotation
  const bare = version.replace(/^v(?=\d)/i, '')
  if (said.version !== undefined && isSame(said.version, bare)) return true
  if ([title, description, url].some((text) => hasWord(text, bare) || hasWord(text, version))) return true
  return isRelease && said.version === undefined && timeNs - BEFORE_NS <= sinceNs && sinceNs <= endTimeNs + SOON_NS
}

function isSame(said: string, seen: string): boolean {
  const [one, other] = [said.toLowerCase(), seen.toLowerCase()]
  if (one === other) return true
  return COMMIT.test(one) && COMMIT.test(other) && (one.startsWith(other) || other.startsWith(one))
}

/** Names of datasets say nothing of a service: a title of one word may be either. */
function differs(said: string | undefined, seen: string, datasets: readonly string[] = []): boolean {
  if (said === undefined || seen === '' || datasets.includes(said)) return false
  return said.toLowerCase() !== seen.toLowerCase()
}
