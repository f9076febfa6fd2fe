/** How the deployment of an annotation went, as the page shows it. Pure. */

import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isRollback, type ReleaseResult, readResult } from '@deployment-annotations/contract/release'
import { isRelease } from './verdict.ts'

type Result = ReleaseResult | 'rolled back'

/** @returns `undefined` if the annotation is no deployment, or does not say how it went */
export const resultOf = (annotation: Annotation): Result | undefined =>
  isRollback(annotation) ? 'rolled back' : isRelease(annotation) ? readResult(annotation) : undefined

/** The signs differ in shape, and not only in color. */
export const RESULT_SIGNS: Readonly<Record<Result, string>> = {
  succeeded: '✓',
  failed: '✕',
  canceled: '⊘',
  running: '◐',
  'rolled back': '↶',
}

/** @returns such as `pipeline succeeded`, which says nothing of what the release did; `undefined` as above */
export function describeResult(annotation: Annotation): string | undefined {
  const result = resultOf(annotation)
  return result === undefined || result === 'rolled back' ? result : `pipeline ${result}`
}
