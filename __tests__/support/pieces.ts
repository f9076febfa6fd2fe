/** Long texts of repeated pieces, written short. */

/** A text, or pieces of one, is there as many times as the number after it says; `#` in it is the number of each, from 0, and `##` from 1. */
export type Pieces = readonly (string | number | Pieces)[]

export function build(pieces: Pieces): string {
  return pieces
    .map((piece, at) => {
      const count = pieces[at + 1]
      if (typeof piece === 'number') return ''
      const text = typeof piece === 'string' ? piece : build(piece)
      if (typeof count !== 'number') return text
      if (!text.includes('#')) return text.repeat(count)
      return Array.from({ length: count }, (_, n) => text.replaceAll('##', String(n + 1)).replaceAll('#', String(n))).join('')
    })
    .join('')
}
