/** Annotations by their words. Pure. */
import type { Annotation } from '@deployment-annotations/contract/schemas/annotation'

/** @returns those that have all of the words, in any order and case; all of them where there are no words */
export function findWords(annotations: readonly Annotation[], text: string): readonly Annotation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return words.length === 0 ? annotations : annotations.filter((annotation) => hasWords(annotation, words))
}

function hasWords({ id, title = '', type, description = '', url = '' }: Annotation, words: readonly string[]): boolean {
  const text = [title, type, description, url].join('\n').toLowerCase()
  // Two digits are in many ids, and nobody looks for a part of one.
  return words.every((word) => text.includes(word) || word === id.toLowerCase())
}
