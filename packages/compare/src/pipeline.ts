/** What is said of a release of which nothing went out. A file of its own, because bundles take files whole. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { readResult } from '@deployment-annotations/contract/release'
import { isWorse } from '@deployment-annotations/contract/verdict'

/** @returns `The pipeline failed`; `undefined` of what went out, or hurt all the same */
export function describeUnsent(annotation: Pick<Annotation, 'description' | 'endTime' | 'open' | 'verdict'>): string | undefined {
  const result = readResult(annotation)
  if (isWorse(annotation.verdict) || (result !== 'failed' && result !== 'canceled')) return undefined
  return `The pipeline ${result === 'failed' ? 'failed' : 'was canceled'}`
}
