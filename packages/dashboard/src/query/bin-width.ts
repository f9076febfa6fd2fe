/** The width of a query's intervals, which the query names or leaves open. Pure. */
import { lexUnfinished, type Piece } from '@deployment-annotations/apl/text/unfinished'

const AUTO = 'bin_auto'

/** @returns whether the query leaves the width open */
export function leavesBinOpen(apl: string): boolean {
  return callsOf(wordsOf(apl)).length > 0
}

/** @returns the query with `bin(…, width)` wherever it says `bin_auto(…)` */
export function withBinWidth(apl: string, width: string): string {
  const pieces = wordsOf(apl)
  const edits = callsOf(pieces).flatMap((at) => {
    const [name, close] = [pieces[at], pieces[closingOf(pieces, at + 1)]]
    if (!name || !close) return []
    return [
      { ...name, text: 'bin' },
      { ...close, text: `, ${width})` },
    ]
  })
  // Edits start at the end, so that earlier offsets stay valid.
  edits.sort((one, other) => other.start - one.start)
  return edits.reduce((text, { start, end, text: written }) => text.slice(0, start) + written + text.slice(end), apl)
}

function wordsOf(apl: string): Piece[] {
  return lexUnfinished(apl).filter(({ kind }) => kind !== 'comment')
}

/** @returns the indexes of the names of all calls */
function callsOf(pieces: readonly Piece[]): number[] {
  const isCall = (at: number) =>
    pieces[at]?.kind === 'word' && pieces[at].text === AUTO && pieces[at + 1]?.text === '(' && closingOf(pieces, at + 1) > 0
  return pieces.flatMap((_, at) => (isCall(at) ? [at] : []))
}

/** @returns the index of the bracket that closes the one at `open`; -1 if there is none */
function closingOf(pieces: readonly Piece[], open: number): number {
  let depth = 0
  for (let at = open; at < pieces.length; at++) {
    if (pieces[at]?.kind !== 'symbol') continue
    if (pieces[at]?.text === '(') depth++
    if (pieces[at]?.text === ')' && --depth === 0) return at
  }
  return -1
}
