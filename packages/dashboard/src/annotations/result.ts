/**
 * Reads from an annotation's texts how its deployment went. The service writes them for the deployments of hosting platforms; the step
 * and the command write them when their job ends. Pure.
 */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'

type Result = 'succeeded' | 'failed' | 'canceled' | 'running' | 'rolled back'

/** The words with which a line of the description starts. */
const WORDS: readonly [RegExp, Result][] = [
  [/^(?:succeeded\b|success after\b|success \()/im, 'succeeded'],
  [/^(?:failed(?: after\b|:|$)|failure\b)/im, 'failed'],
  [/^(?:canceled|cancelled)\b/im, 'canceled'],
  [/^in progress\b/im, 'running'],
]
const BACK = /\broll(?:ed|ing)?[\s-]?back\b|\brevert/i

/** @returns `undefined` if the annotation is no deployment, or does not say how it went */
export function resultOf({ type, title = '', description = '', endTime, open }: Annotation): Result | undefined {
  if (BACK.test(type) || BACK.test(title)) return 'rolled back'
  const result = WORDS.find(([words]) => words.test(description))?.[1]
  if (open) return result ?? 'running'
  return result === 'running' && endTime !== undefined ? undefined : result
}

/** The signs differ in shape, and not only in colour. */
export const RESULT_SIGNS: Readonly<Record<Result, string>> = {
  succeeded: '✓',
  failed: '✕',
  canceled: '⊘',
  running: '◔',
  'rolled back': '↶',
}
