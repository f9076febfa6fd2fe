/** What an annotation is of, as its type and title say. Pure. */
import { INCIDENT } from '@deployment-annotations/compare/around'
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { type ChangeKind, isRollback } from '@deployment-annotations/contract/release'

const KINDS: readonly [RegExp, ChangeKind][] = [
  [/flag|toggle|experiment/, 'flag'],
  [/config|migrat|schema|scal|secret|certificate|feature/, 'configuration'],
  [/maint|upgrade|patch|backup/, 'maintenance'],
  [INCIDENT, 'incident'],
  [/monitor|alert/, 'alert'],
]

/** @returns what the type says, if it is no release */
const namedKind = (type: string): ChangeKind => KINDS.find(([words]) => words.test(type))?.[1] ?? 'other'

/** @returns whether the type is of something that is switched on or changed beside releases, and judged like them */
export const isSetting = (type: string): boolean => ['flag', 'configuration'].includes(namedKind(type))

/** @param isRelease says which types are releases */
export function kindOf(annotation: Annotation, isRelease: (type: string) => boolean): ChangeKind {
  const { type } = annotation
  if (isRollback(annotation)) return 'rollback'
  // "feature-release" is a release, and "release-incident" an incident.
  const named = namedKind(type)
  return isRelease(type) && named !== 'incident' && named !== 'alert' ? 'release' : named
}
