/** Decides which annotations are shown: their dataset and type are not hidden, and they contain the words searched for. */
import type { Annotation } from '@deployment-annotations/contract/annotation'
import { isWorse } from '@deployment-annotations/contract/verdict'
import type { View } from '../address/view.ts'

/** @returns what is known of where it belongs, by name */
export function listTags({ service, environment, version, tags = [] }: Annotation): [string, string][] {
  const named = { service, environment, version }
  const known = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return [...known, ...tags.map((tag): [string, string] => ['tag', tag])]
}

/**
 * @param more what else of one is searched
 * @returns the annotations that contain all of the words, in any order and case; a word such as `service:web` is found in a tag
 */
export function findWords<One extends Annotation>(
  annotations: readonly One[],
  text: string,
  more: (one: One) => readonly string[] = () => [],
): readonly One[] {
  const words = wordsOf(text)
  return words.length === 0 ? annotations : annotations.filter((one) => hasWords(one, words, more(one)))
}

export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** @param more what else is said of it */
export function hasWords(annotation: Annotation, words: readonly string[], more: readonly string[] = []): boolean {
  const { id, title = '', type, description = '', url = '', verdict, verdictDetails } = annotation
  const tags = listTags(annotation).map(([name, value]) => `${name}:${value}`)
  // What is gone is worse, too.
  const verdicts = verdict === undefined ? [] : [`verdict:${verdict}`, ...(isWorse(verdict) ? ['verdict:worse'] : [])]
  const text = [title, type, description, url, ...tags, ...verdicts, verdictDetails?.headline ?? '', ...more]
    .join('\n')
    .toLowerCase()
  // An id has to match as a whole: two digits are part of many ids.
  return words.every((word) => text.includes(word) || word === id.toLowerCase())
}

/**
 * @param datasets the datasets of the chart
 * @returns the annotations of these datasets whose dataset and type are not hidden
 */
export function visibleOn(
  datasets: readonly string[],
  annotations: readonly Annotation[],
  { hiddenDatasets, hiddenTypes }: Pick<View, 'hiddenDatasets' | 'hiddenTypes'>,
): Annotation[] {
  const shown = new Set(datasets.filter((name) => !hiddenDatasets.includes(name)))
  const types = new Set(hiddenTypes)
  return annotations.filter(({ datasets: of, type }) => !types.has(type) && of.some((name) => shown.has(name)))
}

/** @returns the number of annotations of each dataset or type */
export function countBy(
  annotations: readonly Annotation[],
  keysOf: (annotation: Annotation) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const annotation of annotations) for (const key of keysOf(annotation)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
