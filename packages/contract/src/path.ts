/**
 * Names and ids as parts of a path. Halves of surrogate pairs, which cannot be written in UTF-8 and occur in none, become what stands for them.
 */
export function toSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
