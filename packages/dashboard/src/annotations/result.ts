/**
 * How what an annotation marks went, as far as its texts say so: the service writes it for deployments of a hosting platform, the
 * step and the command when their job ends. Pure.
 */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'

type Result = 'succeeded' | 'failed' | 'canceled' | 'running' | 'rolled back'

/** What stands at the start of a line of the description. */
const WORDS: readonly [RegExp, Result][] = [
  [/^(?:succeeded\b|success after\b|success \()/im, 'succeeded'],
  [/^(?:failed(?: after\b|:|$)|failure\b)/im, 'failed'],
  [/^(?:canceled|cancelled)\b/im, 'canceled'],
  [/^in progress\b/im, 'running'],
]
const BACK = /\broll(?:ed|ing)?[\s-]?back\b|\brevert/i

/** @returns `undefined` of what is no deployment, or says nothing of it */
export function resultOf({ type, title = '', description = '', endTime }: Annotation): Result | undefined {
  if (BACK.test(type) || BACK.test(title)) return 'rolled back'
  const result = WORDS.find(([words]) => words.test(description))?.[1]
  return result === 'running' && endTime !== undefined ? undefined : result
}

/** A sign for each, so that they differ in shape as well. */
export const RESULT_SIGNS: Readonly<Record<Result, string>> = {
  succeeded: '✓',
  failed: '✕',
  canceled: '⊘',
  running: '◔',
  'rolled back': '↶',
}
