/**
 * Releases as people think of them, read from the texts of annotations: which service went where, how that ended, and which rollback
 * undid which. Pure. Deliberately not here: whether a release hurt, which is judged of its events (release-judge.ts).
 */
import { isRollback, readResult } from '@deployment-annotations/contract/release'
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'
import type { Release } from '@deployment-annotations/contract/schemas/release'

const VERSION = /(?:^|[\s@/#-])(v?\d+(?:\.\d+)+(?:[-+][\w.]+)?|[0-9a-f]{7,40})(?=$|[\s),:])/i
const NAMED_ENVIRONMENT = /^environment `([^`]+)`|, environment `([^`]+)`/im
const ENVIRONMENTS: readonly [RegExp, string][] = [
  [/\bprod(?:uction)?\b/i, 'production'],
  [/\bstag(?:e|ing)\b/i, 'staging'],
  [/\bcanary\b/i, 'canary'],
  [/\bpreview\b/i, 'preview'],
  [/\b(?:test|testing|qa)\b/i, 'test'],
  [/\bdev(?:elopment)?\b/i, 'development'],
]
/** Words of a title that name no service. */
const FILLING =
  /\b(?:prod(?:uction)?|stag(?:e|ing)|canary|preview|deploy(?:ed|ment|s)?|release[ds]?|roll(?:ed|ing)?[\s-]?back|revert(?:ed)?|version|of|to|from|the|failed|canceled|in|on)\b/gi
/** A rollback undoes nothing that is older: by then it was made for another reason. */
const UNDONE_MS_MAX = 7 * 86_400_000

/** @param annotations releases of any order @returns them in the order of time */
export function tellStories(annotations: readonly Annotation[]): Release[] {
  const releases = annotations.map(readRelease).sort((a, b) => startOf(a) - startOf(b))
  for (const [at, release] of releases.entries()) {
    const earlier = releases.slice(0, at).filter((one) => isSamePlace(one, release) && hasHappened(one))
    const last = earlier.at(-1)
    if (!last || !hasHappened(release)) continue
    if (last.hurt && last.undoneBy === undefined && release.annotation.verdict === 'better') {
      last.fixedBy = release.annotation.id
      last.restoreMs = Math.max(0, endOf(release) - startOf(last))
    }
    // The version before the last one is back.
    const isBack = last.version !== undefined && release.version !== last.version && release.version === earlier.at(-2)?.version
    if (isBack && release.version !== undefined) release.isRollback = true
    const undone = earlier.findLast((one) => !one.isRollback && one.undoneBy === undefined)
    if (!release.isRollback || !undone || startOf(release) - startOf(undone) > UNDONE_MS_MAX) continue
    release.undoes = undone.annotation.id
    undone.undoneBy = release.annotation.id
    undone.hurt = true
    undone.restoreMs = Math.max(0, endOf(release) - startOf(undone))
  }
  return releases
}

export const startOf = ({ annotation }: Release): number => Date.parse(annotation.time)
export const endOf = ({ annotation: { time, endTime = time } }: Release): number => Date.parse(endTime)

/** Whether anything was changed by it. */
export const hasHappened = ({ result }: Release): boolean => result !== 'failed' && result !== 'canceled'

const isSamePlace = (a: Release, b: Release) => a.service === b.service && a.environment === b.environment

function readRelease(annotation: Annotation): Release {
  const { title = '', description = '', type, datasets, verdict } = annotation
  const [, version] = VERSION.exec(title) ?? []
  const [, first, second] = NAMED_ENVIRONMENT.exec(description) ?? []
  const said = [title, type].map((text) => ENVIRONMENTS.find(([words]) => words.test(text))?.[1])
  const result = readResult(annotation)
  return {
    annotation,
    service: readService(title, version) || (datasets[0] ?? ''),
    environment: first ?? second ?? said.find((name) => name !== undefined) ?? '',
    ...(version !== undefined && { version: version.replace(/^v(?=\d)/i, '') }),
    ...(result !== undefined && { result }),
    isRollback: isRollback(annotation),
    hurt: verdict === 'worse' || verdict === 'gone',
  }
}

/** @returns what is left of a title without its version and without filling, if that is one word; `web` of `web 2.15.0` and `web@2.15.0` */
function readService(title: string, version: string | undefined): string {
  const [named = ''] = title.split('@')
  const text = version === undefined ? named : named.replace(version, '')
  const words = text
    .replace(FILLING, ' ')
    .replace(/\([^)]*\)|#\d+/g, ' ')
    .split(/\s+/)
  const left = words.filter((word) => /\p{L}/u.test(word)).map((word) => word.replace(/[^\p{L}\p{N}]+$/u, ''))
  return left.length === 1 ? (left[0]?.toLowerCase() ?? '') : ''
}
